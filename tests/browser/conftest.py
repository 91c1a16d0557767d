"""A server of its own and a real Chromium for the browser tests.

A machine without Chromium skips them, and the closing summary says so; with CI set in the environment they must run.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from driver import CHROMIUM_FLAGS, Server, chromium_path, fresh_page, serve
from playwright.sync_api import Browser, Page, expect, sync_playwright

expect.set_options(timeout=30_000)  # a busy machine takes its time; a right page ends the wait at once
NO_CHROMIUM = "no Chromium: install one, run `playwright install chromium`, or set CHROMIUM to its path"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the browser tests and puts them last: Playwright keeps an event loop running in the tests' thread."""
    driven = [item for item in items if Path(__file__).parent in item.path.parents]
    for item in driven:
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.flaky(reruns=1))  # a real fault fails twice; the closing line counts reruns
    items[:] = [item for item in items if item not in driven] + driven


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from serve(tmp_path_factory.mktemp("server"))


@pytest.fixture(scope="session")
def base_url(shared_server: Server) -> str:
    """The address of a server that all tests share; a fresh browser context is a fresh learner."""
    return shared_server.url


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to restart at will."""
    yield from serve(tmp_path)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = chromium_path(playwright)
        if path is None:
            _without_chromium()
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


def _without_chromium() -> None:
    if os.environ.get("CI"):
        pytest.fail(f"the browser tests must run in CI, and there is {NO_CHROMIUM}")
    pytest.skip(NO_CHROMIUM)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of a fresh profile, 1100 px wide. Afterwards: nothing was asked of other hosts, no script error."""
    yield from fresh_page(chromium)


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """The same at 390 px, the width of a phone."""
    yield from fresh_page(chromium, width=390)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A skipped browser run must not look like a green one."""
    skipped = [report for report in terminalreporter.getreports("skipped") if NO_CHROMIUM in str(report.longrepr)]
    if skipped:
        terminalreporter.section("BROWSER TESTS SKIPPED", sep="!", red=True)
        terminalreporter.line(f"{len(skipped)} tests did not run: {NO_CHROMIUM}", red=True)
