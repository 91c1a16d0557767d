"""Starts the app, finds a Chromium, and drives it like a person."""
from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, Playwright, expect

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
START_LIMIT_S = 60
IDLE = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    return app && app.dataset.testConnectionState === 'CONNECTED' && app.dataset.testScriptState === 'notRunning'
        && !document.querySelector('[data-testid="stSkeleton"]');
}"""



class Server:
    """The app in a process of its own, on a free port, with its own database and key. `restart` keeps both."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "COURSE_DATABASE_URL": f"sqlite:///{data / 'course.db'}",
            "COURSE_SECRET_KEY": "a key for the browser tests only",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        log = (self.data / "server.log").open("ab")
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
        command += ["--server.port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT)
        log.close()
        self._wait_until_healthy()

    def _wait_until_healthy(self) -> None:
        deadline = time.monotonic() + START_LIMIT_S
        while not self._healthy():
            assert self.process is not None and self.process.poll() is None, f"the server ended:\n{self.log()}"
            assert time.monotonic() < deadline, f"no healthy server after {START_LIMIT_S} s:\n{self.log()}"
            time.sleep(0.1)

    def _healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()

    def log(self) -> str:
        return (self.data / "server.log").read_text("utf-8", "replace")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve(data: Path, **environment: str) -> Iterator[Server]:
    """Start a server, hand it out, stop it: the body of a fixture that needs its own environment."""
    server = Server(data, **environment)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def chromium_path(playwright: Playwright) -> str | None:
    """CHROMIUM, else the system's, else Playwright's own."""
    named = [os.environ.get("CHROMIUM"), *map(shutil.which, CHROMIUM_NAMES), playwright.chromium.executable_path]
    return next((path for path in named if path and Path(path).exists()), None)


def fresh_page(chromium: Browser, width: int = 1100, **options: object) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", **options)  # type: ignore[arg-type]
    page = context.new_page()
    outside: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: outside.append(request.url) if _is_outside(request.url) else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not outside, f"the page asked other hosts: {outside}"
    assert not errors, f"script errors: {errors}"


def _is_outside(url: str) -> bool:
    return url.startswith(("http:", "https:", "ws:", "wss:")) and "://127.0.0.1:" not in url


def settle(page: Page) -> None:
    """Connected, nothing running, no skeletons. A pre-condition only: assert results with `expect`, which waits."""
    page.wait_for_function(IDLE, timeout=30_000)


def visit(page: Page, url: str) -> None:
    page.goto(url)
    settle(page)


def slugs(browser: Browser, url: str) -> list[str]:
    """Every page in the menu, so that a new one comes by itself; "" is the start page."""
    page = browser.new_page()
    visit(page, url)
    links = page.get_by_test_id("stSidebar").get_by_role("link").all()
    found = [str(link.get_attribute("href")).partition("?")[0].strip("/") for link in links]
    page.close()
    return found


def show_outcomes(page: Page) -> None:
    """A figure keeps its outcome back until the reader has guessed or asked for it."""
    ask = page.get_by_role("button", name=re.compile("^(Show me|直接看结果)$"))
    for left in range(ask.count() - 1, -1, -1):
        click(ask.first)
        expect(ask).to_have_count(left, timeout=30_000)
        settle(page)


def click(target: Locator) -> None:
    """A human's click. One of 0 ms right after typing loses the full rerun of a button outside the input's fragment."""
    target.click(delay=60)
