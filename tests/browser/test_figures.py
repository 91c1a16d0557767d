"""The lesson's figures in a real browser: stepping, keyboard, links, colours, a phone."""
from __future__ import annotations

import re

import pytest
from driver import click, settle, visit
from playwright.sync_api import Locator, Page, expect

WAIT_MS = 20_000
LESSON = "/rejection-rule"
DOG = "dart.target=0.7,0.3&dart.draft=0.4,0.6&dart.token=1&dart.u=0.7"

AT_THE_TOP = "id => Math.abs(document.getElementById(id)?.getBoundingClientRect().top) < 150"
GROW = """() => {
    const drawn = document.createElement('div');
    drawn.style.height = '2000px';
    document.querySelector('[data-testid=stMainBlockContainer]').prepend(drawn);
}"""


def open_figures(page: Page, base_url: str, query: str = "", show: str = "Show me", language: str = "en") -> None:
    """The lesson with every outcome shown."""
    visit(page, f"{base_url}{LESSON}?lang={language}&{query}")
    for _ in range(3):
        before = page.get_by_role("button", name=show).count()
        click(page.get_by_role("button", name=show).first)
        expect(page.get_by_role("button", name=show)).to_have_count(before - 1)
    settle(page)
    expect(page.locator(".stepper")).to_be_visible()


def drawing(page: Page) -> Locator:
    return page.locator(".stepper [role=img]")


def test_stepping_and_back_send_nothing_to_the_server(page: Page, base_url: str) -> None:
    sent: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    open_figures(page, base_url, DOG)
    page.wait_for_timeout(500)
    sent.clear()
    for step in range(2, 7):
        click(page.get_by_role("button", name="Next step"))
        expect(page.locator(".where")).to_have_text(f"Step {step} of 6")
    expect(drawing(page)).to_have_attribute("aria-label", re.compile("cat comes out, resampled"))
    click(page.get_by_role("button", name="Back"))
    expect(page.locator(".sentence")).to_contain_text("residual")
    assert sent == []


def test_the_arrow_keys_step_too(page: Page, base_url: str) -> None:
    open_figures(page, base_url, DOG)
    page.locator(".stepper").focus()
    where = page.locator(".where")
    keys = ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 6), ("ArrowRight", 6), ("Home", 1)
    for key, step in keys:
        page.keyboard.press(key)
        expect(where).to_have_text(f"Step {step} of 6")
    expect(page.get_by_role("button", name="Back")).to_have_attribute("aria-disabled", "true")


def test_the_sentence_is_announced(page: Page, base_url: str) -> None:
    open_figures(page, base_url, DOG)
    expect(page.locator(".stepper [aria-live=polite]")).to_contain_text("The target is [0.700, 0.300]")


def test_a_new_draw_starts_at_its_token_and_a_rerun_keeps_the_place(page: Page, base_url: str) -> None:
    open_figures(page, base_url)
    click(page.get_by_role("button", name="New draw"))
    expect(page.locator(".where")).to_have_text(re.compile("Step 2 of"))
    click(page.get_by_role("button", name="Last step"))
    place = page.locator(".where").inner_text()
    click(page.get_by_role("button", name="Worked case").first)  # it is shown already: a rerun without a change
    settle(page)
    expect(page.locator(".where")).to_have_text(place)


def test_the_link_opens_the_same_figure_again(page: Page, base_url: str) -> None:
    open_figures(page, base_url, "paths.rule=residual_is_target")
    expect(page.get_by_text("the law becomes [0.610, 0.390]")).to_be_visible()
    click(page.get_by_role("button", name="Link to this state").nth(1))
    address = page.locator("[data-testid=stPopoverBody] code").inner_text()
    assert address.startswith(f"{base_url}{LESSON}?lang=en&paths.target=0.7,0.3") and address.endswith("#paths")
    page.goto(address)
    page.wait_for_function(AT_THE_TOP, arg="paths", timeout=WAIT_MS)


def test_a_linked_figure_stays_in_view_while_the_page_above_it_grows(page: Page, base_url: str) -> None:
    visit(page, f"{base_url}{LESSON}?lang=en#paths")
    for _ in range(3):  # as a slow machine draws the parts above one by one
        page.evaluate(GROW)
        page.wait_for_function(AT_THE_TOP, arg="paths", timeout=WAIT_MS)
    page.keyboard.press("ArrowUp")  # from here on it's the reader's own place
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    page.evaluate(GROW)
    page.wait_for_timeout(300)
    expect(page.locator("#paths")).not_to_be_in_viewport()


def test_changing_the_page_s_colours_changes_the_figures_without_a_rerun(page: Page, base_url: str) -> None:
    open_figures(page, base_url, "paths.rule=residual_is_target")
    label = page.locator("[data-testid=stPlotlyChart] .ytick text").first
    mark = page.locator(".stepper .edge.target").first
    page.emulate_media(color_scheme="light")
    expect(label).to_have_css("fill", "rgb(28, 33, 38)")
    expect(mark).to_have_css("stroke", "rgb(0, 114, 178)")
    page.emulate_media(color_scheme="dark")
    expect(label).to_have_css("fill", "rgb(232, 236, 239)")
    expect(mark).to_have_css("stroke", "rgb(86, 180, 233)")


@pytest.mark.parametrize(("language", "show"), [("en", "Show me"), ("zh", "直接看结果")])
def test_a_phone_shows_every_label_in_full(phone: Page, base_url: str, language: str, show: str) -> None:
    rows = "target=0,0,0.1,0.1,0.1,0.1,0.1,0.5&{figure}.draft=0.2,0.2,0.1,0.1,0.1,0.1,0.1,0.1"
    query = "&".join(f"{figure}." + rows.format(figure=figure) for figure in ("dart", "paths", "conv"))
    open_figures(phone, base_url, query, show, language)
    assert not phone.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    cut = phone.evaluate(
        """() => [...document.querySelectorAll('[data-testid="stPlotlyChart"]')].flatMap(chart => {
            const edge = chart.getBoundingClientRect();
            return [...chart.querySelectorAll('text')].filter(text => {
                const box = text.getBoundingClientRect();
                return box.width && (box.left < edge.left - 1 || box.right > edge.right + 1);
            }).map(text => text.textContent);
        })"""
    )
    assert cut == []
    size = phone.locator(".stepper svg text").first.evaluate("e => e.getBoundingClientRect().height")
    assert size >= 12, f"a label is {size} pixels high"
