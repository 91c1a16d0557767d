"""The route through vLLM in a real browser: its menu, its graph and its links; the pairs to match."""
from __future__ import annotations

import re

from driver import click, settle
from playwright.sync_api import Locator, Page, expect
from test_lessons import open_lesson


def route(page: Page, base_url: str, query: str = "") -> Locator:
    open_lesson(page, base_url, "inside-vllm", query)
    stepper = page.locator(".stepper").first
    expect(stepper).to_be_visible()
    return stepper


def test_stations_are_chosen_in_the_menu_in_the_graph_and_by_keyboard(page: Page, base_url: str) -> None:
    stepper = route(page, base_url)
    menu, title, links = stepper.locator("select"), stepper.locator(".title"), stepper.locator(".links a")
    expect(menu.locator("option")).to_have_count(14)
    menu.select_option(index=9)
    expect(title).to_contain_text("10. Commit on the GPU")
    expect(stepper.locator("[data-step].here")).to_contain_text("post_update")
    expect(links.first).to_have_attribute("href", re.compile(r"/input_batch\.py#L541$"))
    expect(links.first).to_have_attribute("rel", "noopener")
    stepper.locator("[data-step='7']").click()
    expect(title).to_contain_text("8. Judge")
    expect(menu).to_have_value("8. Judge")
    expect(links.nth(2)).to_have_attribute("href", "?lang=en&route.station=rule#route")
    menu.focus()
    page.keyboard.press("ArrowDown")  # the menu's own key: one station, not two
    expect(title).to_contain_text("9. Count what was rejected")
    stepper.focus()
    page.keyboard.press("ArrowRight")
    expect(title).to_contain_text("10. Commit on the GPU")


def test_a_link_opens_its_station(page: Page, base_url: str) -> None:
    stepper = route(page, base_url, "route.station=correct")
    expect(stepper.locator(".title")).to_contain_text("13. Correct the count")


def test_the_slots_have_neither_menu_nor_links(page: Page, base_url: str) -> None:
    route(page, base_url)
    slots = page.locator(".stepper").nth(1)
    expect(slots.locator("select")).to_be_hidden()
    expect(slots.locator(".links")).to_be_hidden()


def test_pairs_are_matched_with_the_keyboard_on_a_phone(phone: Page, base_url: str) -> None:
    open_lesson(phone, base_url, "inside-vllm")
    menu = phone.get_by_role("combobox", name="Scheduler (CPU)")
    menu.focus()
    phone.keyboard.type("ahead")
    phone.keyboard.press("Enter")
    settle(phone)
    expect(phone.get_by_text("counts every planned token before the GPU runs")).to_be_visible()
    expect(phone.get_by_text("1 of 7 matched.")).to_be_visible()


def test_an_exhibit_is_answered_on_a_phone(phone: Page, base_url: str) -> None:
    open_lesson(phone, base_url, "bug-museum", "museum.exhibit=11")
    click(phone.get_by_text("The draft token and its replacement are drawn with the same noise"))
    expect(phone.get_by_role("link", name="vllm#54282")).to_have_attribute("href", re.compile("pull/54282$"))
    click(phone.get_by_role("button", name="Next exhibit"))
    expect(phone.get_by_text("Exhibit 12.")).to_be_visible()
