"""The figures of the chapters on many tokens and on batches, in a real browser."""
from __future__ import annotations

import re

from driver import click, settle
from playwright.sync_api import Page, expect
from test_lessons import open_lesson


def test_another_rule_leaves_the_reader_at_the_step(page: Page, base_url: str) -> None:
    open_lesson(page, base_url, "many-tokens", "tree.rule=replaced_in_place")
    tree = page.locator(".stepper").nth(1)
    tree.focus()
    page.keyboard.press("End")
    expect(tree.locator(".sentence")).to_contain_text("the total variation distance is 0.120")
    click(page.get_by_role("combobox", name=re.compile("Rule")))
    click(page.get_by_role("option", name="the right rule"))
    settle(page)
    expect(tree.locator(".title")).to_have_text("Three tokens")
    expect(tree.locator(".sentence")).to_contain_text("exactly the target's")


def test_equal_rows_hide_the_mistake(page: Page, base_url: str) -> None:
    open_lesson(page, base_url, "batch-of-requests", "ragged.lengths=3,0,1&ragged.rows=named&ragged.seed=1")
    stepper = page.locator(".stepper")
    stepper.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(stepper.locator(".sentence")).to_contain_text("Numbers that are wrong: 2")
    click(page.get_by_role("combobox", name=re.compile("Target rows")))
    click(page.get_by_role("option", name="all rows are equal"))
    settle(page)
    expect(stepper.locator(".sentence")).to_contain_text("can't see this")
