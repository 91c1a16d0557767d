"""What one person with a real Chromium waits for while others read: from the click to the frame after the change."""
from __future__ import annotations

import time
from collections.abc import Sequence

from playwright.sync_api import Page, sync_playwright

from tests.browser.driver import CHROMIUM_FLAGS, chromium_path, settle, show_outcomes, visit

Times = dict[str, list[float]]
STEP, CHANGE, OPEN = "a step of a stepper (no server)", "a change in a figure", "a lesson from the menu"
EXAMPLES = ("Worked case", "Four tokens")  # each differs from the other, so a press always changes the drawing
STEPS = 3

# Each measures in the page itself, by its clock; -1 after 20 s without the change.
_COMMON = """
    const within = root => [...root.querySelectorAll('svg, .sentence, h1'),
        ...[...root.querySelectorAll('*')].filter(one => one.shadowRoot).flatMap(one => within(one.shadowRoot))];
    const drawn = () => within(document).map(one => one.innerHTML).join('');
    const idle = () => document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'
        && !document.querySelector('[data-testid=stSkeleton]');
    const measured = (act, done) => new Promise(told => {
        const started = performance.now();
        const look = () => {
            const now = performance.now();
            if (now - started > 20000) told(-1);
            else if (done()) requestAnimationFrame(() => setTimeout(() => told(performance.now() - started)));
            else requestAnimationFrame(look);
        };
        act();
        look();
    });
"""
PRESS = f"""button => {{ {_COMMON}
    const before = drawn();
    return measured(() => button.click(), () => idle() && drawn() !== before);
}}"""
FOLLOW = f"""link => {{ {_COMMON}
    const before = document.querySelector('h1').textContent;
    const arrived = () => document.querySelector('h1') && document.querySelector('h1').textContent !== before;
    return measured(() => link.click(), () => arrived() && idle());
}}"""
TURN = f"""button => {{ {_COMMON}
    return measured(() => button.click(), () => true);
}}"""


def watch(address: str, slugs: Sequence[str], seconds: float, times: Times) -> None:
    """Read the lessons in turn until the time is up."""
    with sync_playwright() as playwright:
        path = chromium_path(playwright)
        if path is None:
            raise SystemExit("no Chromium: install one, set CHROMIUM to its path, or leave it out with --no-screen")
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        visit(page, f"{address}/?lang=en")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for slug in slugs:
                _lesson(page, slug, times)
                if time.monotonic() >= until:
                    break
        browser.close()


def _lesson(page: Page, slug: str, times: Times) -> None:
    link = page.get_by_test_id("stSidebar").locator(f'a[href*="{slug}?"]').first
    _take(times, OPEN, link.evaluate(FOLLOW))
    show_outcomes(page)
    settle(page)
    for stepper in page.locator(".stepper").all():
        for _ in range(STEPS):
            _take(times, STEP, stepper.locator(".next").evaluate(TURN))
    for name in reversed(EXAMPLES):
        for example in page.get_by_role("button", name=name, exact=True).all():
            _take(times, CHANGE, example.evaluate(PRESS))
            page.wait_for_timeout(300)


def _take(times: Times, name: str, milliseconds: float) -> None:
    assert milliseconds >= 0, f"{name} did not come about within 20 s"
    times[name].append(milliseconds / 1000)
