"""axe looks at every page: figures open, notes unfolded, light and wide, then dark and narrow as a phone.

Which findings count: serious and critical ones, by axe's own scale.
"""
from __future__ import annotations

from collections.abc import Iterable

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from driver import click, fresh_page, show_outcomes, slugs, visit
from playwright.sync_api import Browser, Page, expect
from test_exercise import RESIDUAL, open_exercise, type_into

LOOKS = {"light": 1280, "dark": 390}
PARTS = 3  # tests over which the pages are spread
RUN = "() => axe.run({resultTypes: ['violations']}).then(found => found.violations)"
UNFOLD = "() => document.querySelectorAll('details:not([open]) > summary').forEach(title => title.click())"


def findings(page: Page, look: str) -> list[str]:
    page.emulate_media(color_scheme=look)  # type: ignore[arg-type]
    page.set_viewport_size({"width": LOOKS[look], "height": 900})
    page.wait_for_timeout(500)  # charts take their new width, and what scrolls is known
    return [
        f"{look}: {rule['impact']} {rule['id']}: {node['html'][:200]} {node['failureSummary']}"
        for rule in page.evaluate(RUN)
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def look_at(page: Page, looks: Iterable[str] = LOOKS) -> list[str]:
    show_outcomes(page)
    page.evaluate(UNFOLD)
    page.evaluate(AXE_SCRIPT)
    return [finding for look in looks for finding in findings(page, look)]


@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_serious_on_any_page(chromium: Browser, base_url: str, part: int) -> None:
    """Every page of the menu, by turns in English and Chinese; exercises, which look alike, in one look each."""
    every = slugs(chromium, base_url)
    assert len(every) > 10
    found: dict[str, list[str]] = {}
    for page in fresh_page(chromium):  # one for all: a fresh one would load Streamlit's own scripts for each page
        for number, slug in list(enumerate(every))[part::PARTS]:
            visit(page, f"{base_url}/{slug}?lang={('en', 'zh')[number // PARTS % 2]}")
            looks = list(LOOKS)[number // PARTS % 2 :][:1] if slug.startswith("exercise-") else LOOKS
            found[slug or "start"] = look_at(page, looks)
    assert {slug: told for slug, told in found.items() if told} == {}


def test_axe_finds_nothing_serious_in_answers_and_results(page: Page, base_url: str) -> None:
    visit(page, f"{base_url}/rejection-rule?lang=en")
    for question in page.get_by_role("radiogroup", name="u = 0").all():
        click(question.locator("label").first)
    expect(page.get_by_text("Not quite").first).to_be_visible()
    assert look_at(page) == []
    page.set_viewport_size({"width": 1280, "height": 2400})
    open_exercise(page, base_url)
    type_into(page, 1, "1.0")
    type_into(page, 2, RESIDUAL)
    click(page.get_by_role("button", name="Check", exact=True))
    expect(page.locator(".st-key-headline")).to_be_visible()
    assert look_at(page) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_option_that_is_a_formula_has_a_name(page: Page, base_url: str, language: str) -> None:
    visit(page, f"{base_url}/why-exact?lang={language}")
    show_outcomes(page)
    expect(page.get_by_role("radio", name="min(p(y),q(y))", exact=True)).to_have_count(1)
    expect(page.get_by_role("radio", name="p(y)⋅q(y)", exact=True)).to_have_count(1)
