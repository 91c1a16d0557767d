"""Photographs every page: `python tests/browser/screenshots.py build/screenshots` (or `make screenshots`).

Light and dark, wide and narrow, both languages; the whole page, figures answered so that their outcome shows.
"""
from __future__ import annotations

import itertools
import sys
import tempfile
from pathlib import Path

from driver import CHROMIUM_FLAGS, ROOT, Server, chromium_path, settle, show_outcomes, slugs, visit
from playwright.sync_api import Browser, Page, sync_playwright

LANGUAGES = ("en", "zh")
WIDTHS = {"wide": 1280, "narrow": 390}
TALLEST_PX = 16_000


def photograph(browser: Browser, url: str, folder: Path) -> None:
    looks = itertools.product(slugs(browser, url), LANGUAGES, ("light", "dark"), WIDTHS)
    for slug, language, scheme, width in looks:
        context = browser.new_context(
            viewport={"width": WIDTHS[width], "height": 900},
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        page = context.new_page()
        visit(page, f"{url}/{slug}?lang={language}")
        show_outcomes(page)
        _whole_height(page, WIDTHS[width])
        page.screenshot(path=folder / f"{slug or 'start'}-{language}-{scheme}-{width}.png")
        context.close()


def _whole_height(page: Page, width: int) -> None:
    """Streamlit scrolls inside the page, so a picture of the whole needs a window as tall as its content."""
    height = page.evaluate("""() => document.querySelector('[data-testid="stMain"]').scrollHeight""")
    page.set_viewport_size({"width": width, "height": min(height, TALLEST_PX)})
    page.wait_for_timeout(800)
    settle(page)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        path = chromium_path(playwright)
        if path is None:
            raise SystemExit("no Chromium: install one, run `playwright install chromium`, or set CHROMIUM to its path")
        server = Server(Path(data))
        try:
            server.start()
            browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
            photograph(browser, server.url, folder)
            browser.close()
        finally:
            server.stop()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "screenshots"))
