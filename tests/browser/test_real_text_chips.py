"""Chips and leaps of the stepper in a real browser, on the page that shows real text."""
from __future__ import annotations

import re

import pytest
from driver import ROOT, click, settle, visit
from playwright.sync_api import Locator, Page, expect

FOLDER = ROOT / "lessons" / "en"
PAGES = [path.stem for path in FOLDER.glob("*.md") if "::figure{real_text}" in path.read_text("utf-8")]
pytestmark = pytest.mark.skipif(not PAGES, reason="no lesson shows this figure")
STATE = "real.text=kernel&real.n=4&real.t=1.0&real.k=4&real.seed=1"


def opened(page: Page, base_url: str) -> Locator:
    """The figure's stepper; other figures of the page keep their outcomes back."""
    visit(page, f"{base_url}/{PAGES[0].replace('_', '-')}?lang=en&{STATE}")
    card = page.locator("[data-testid=stVerticalBlock]").filter(has=page.locator("#real")).last
    click(card.get_by_role("button", name="Show me"))
    settle(page)
    stepper = page.locator(".stepper").filter(has=page.locator(".leap:visible"))
    expect(stepper).to_be_visible()
    return stepper


def test_a_chip_tells_its_numbers_by_mouse_and_by_key(page: Page, base_url: str) -> None:
    stepper = opened(page, base_url)
    chips, told = stepper.locator(".token"), stepper.locator(".told")
    expect(chips).to_have_count(4)
    expect(chips.first).to_have_attribute("aria-pressed", "true")
    before = told.inner_text()
    click(chips.nth(2))
    expect(chips.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(told).not_to_have_text(before)
    chips.first.focus()
    page.keyboard.press("Enter")
    expect(told).to_have_text(before)
    expect(told).to_have_attribute("aria-live", "polite")


def test_the_focus_stays_with_the_chips_while_the_arrow_keys_step(page: Page, base_url: str) -> None:
    stepper = opened(page, base_url)
    stepper.locator(".token").first.focus()
    page.keyboard.press("ArrowRight")
    expect(stepper.locator(".where")).to_have_text(re.compile("Step 2 of"))
    expect(stepper.locator(".token[aria-pressed=true]")).to_be_focused()


def test_rounds_can_be_leapt_and_stepped_back(page: Page, base_url: str) -> None:
    stepper = opened(page, base_url)
    title = stepper.locator(".title")
    for place in range(2, 7):
        click(stepper.locator(".leap"))
        expect(title).to_have_text(f"Round {place}: the drafts")
    click(stepper.locator(".back"))
    expect(title).to_have_text("Round 5: the target's own token")
    click(stepper.locator(".last"))
    expect(stepper.locator(".leap")).to_have_attribute("aria-disabled", "true")
