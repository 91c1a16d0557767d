"""The lessons' own figures and quizzes in a real browser: every stepper by keyboard, the proof, links, a phone."""
from __future__ import annotations

import re

import pytest
from driver import click, settle, visit
from playwright.sync_api import Locator, Page, expect

from lessons.lesson_file import lessons

SHOW = {"en": "Show me", "zh": "直接看结果"}
SLUGS = [lesson.id.replace("_", "-") for lesson in lessons("en")]


def open_lesson(page: Page, base_url: str, slug: str, query: str = "", language: str = "en") -> None:
    """The lesson with every outcome shown."""
    visit(page, f"{base_url}/{slug}?lang={language}&{query}")
    show = page.get_by_role("button", name=SHOW[language])
    expect(show.first).to_be_visible()
    for left in range(show.count() - 1, -1, -1):
        click(show.first)
        expect(show).to_have_count(left)
    settle(page)


def wider(page: Page) -> int:
    """How many pixels the page is wider than the screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.parametrize("language", SHOW)
@pytest.mark.parametrize("slug", SLUGS)
def test_every_stepper_turns_by_keyboard_on_a_phone(phone: Page, base_url: str, slug: str, language: str) -> None:
    open_lesson(phone, base_url, slug, language=language)
    assert wider(phone) <= 0
    for stepper in phone.locator(".stepper").all():
        expect(stepper).to_be_visible()  # its style has come: what is hidden takes no focus
        stepper.focus()
        phone.keyboard.press("End")
        expect(stepper.locator(".next")).to_have_attribute("aria-disabled", "true")
        _labels_are_whole(stepper)
        phone.keyboard.press("ArrowLeft")
        expect(stepper.locator(".next")).to_have_attribute("aria-disabled", "false")
        _labels_are_whole(stepper)
        phone.keyboard.press("Home")
        expect(stepper.locator(".back")).to_have_attribute("aria-disabled", "true")
    expect(phone.locator(".katex-error")).to_have_count(0)


def _labels_are_whole(stepper: Locator) -> None:
    """No label reaches beyond its drawing, none is too small to read."""
    bad = stepper.locator("svg text").evaluate_all(
        """texts => texts.filter(text => {
            const box = text.getBoundingClientRect(), edge = text.ownerSVGElement.getBoundingClientRect();
            return box.left < edge.left - 2 || box.right > edge.right + 2 || box.height < 12;
        }).map(text => text.textContent)"""
    )
    assert bad == []


def test_a_link_opens_the_timeline_as_it_was(page: Page, base_url: str) -> None:
    open_lesson(page, base_url, "why-verify", "time.k=2&time.alpha=0&time.c=0.25")
    click(page.get_by_role("button", name="Last step"))
    expect(page.locator(".sentence")).to_contain_text("4 rounds: 4 tokens in 6")
    click(page.get_by_role("button", name="Link to this state"))
    address = page.locator("[data-testid=stPopoverBody] code").inner_text()
    assert "time.k=2&time.alpha=0.0&time.c=0.25&time.row=0.0&time.seed=8" in address and address.endswith("#time")


def test_a_kind_of_draft_sets_the_sliders_and_the_reader_stays_at_the_bill(page: Page, base_url: str) -> None:
    open_lesson(page, base_url, "why-verify")
    click(page.get_by_role("button", name="Last step"))
    expect(page.locator(".sentence")).to_contain_text("1.96 times the speed of plain decoding (faster)")
    click(page.get_by_role("button", name="Slow draft"))
    expect(page.locator(".sentence")).to_contain_text("(slower)")


def test_the_proof_is_filled_in_by_keyboard(page: Page, base_url: str) -> None:
    open_lesson(page, base_url, "why-exact")
    blank = page.get_by_role("radiogroup", name=re.compile("accepted"))
    blank.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("That holds only where")).to_be_visible()
    settle(page)
    for chosen in (2, 3):  # one radio to the next
        page.keyboard.press("ArrowDown")
        expect(blank.get_by_role("radio").nth(chosen - 1)).to_be_checked()
        settle(page)
    following = page.get_by_role("button", name="Next line")
    expect(following).to_be_visible()
    following.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Line 2 of 6")).to_be_visible()
    expect(page.get_by_text("Accepted so far: [0.400, 0.300]")).to_be_visible()


def test_a_quiz_answers_at_once(phone: Page, base_url: str) -> None:
    open_lesson(phone, base_url, "why-verify")
    question = phone.get_by_role("radiogroup", name=re.compile("K = 4 tokens"))
    click(question.locator("label", has=phone.get_by_role("radio")).nth(1))
    expect(phone.get_by_text("K + 1 rows: the last one stands")).to_be_visible()


@pytest.mark.parametrize("language", SHOW)
@pytest.mark.parametrize("story", ["mixed", "real"])
def test_no_label_of_the_charts_on_speed_is_cut_on_a_phone(
    phone: Page, base_url: str, language: str, story: str
) -> None:
    open_lesson(phone, base_url, "when-it-pays", f"alike.story={story}&batch.b=512", language=language)
    charts = phone.get_by_test_id("stPlotlyChart")
    expect(charts).to_have_count(7)
    for chart in charts.all():
        expect(chart.locator("text").first).to_be_attached()
        cut = chart.evaluate(
            """chart => {
                const edge = chart.getBoundingClientRect();
                return [...chart.querySelectorAll('text')].filter(text => {
                    const box = text.getBoundingClientRect();
                    return box.width && (box.left < edge.left - 1 || box.right > edge.right + 1);
                }).map(text => text.textContent);
            }"""
        )
        assert cut == []


def test_a_case_of_the_speed_up_surface_sets_its_sliders(page: Page, base_url: str) -> None:
    open_lesson(page, base_url, "when-it-pays")
    click(page.get_by_role("button", name="α 0.8, K 16, c 0.3"))
    expect(page.get_by_text("K = 16 emits 4.89 tokens in 5.8 passes: 0.84 times the speed").first).to_be_visible()
