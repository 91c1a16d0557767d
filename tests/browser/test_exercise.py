"""The exercise page in Chromium: the real editor, checking, submitting, coming back."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from driver import click, fresh_page, settle, visit
from playwright.sync_api import Browser, Locator, Page, expect

from grader.catalogue import load
from grader.known_mistakes import solution_blanks

EXERCISE = "/exercise-rejection-rule"
ACCEPT = "min(1.0, target_probs[draft_token] / qx)"
INVERTED = "min(1.0, qx / target_probs[draft_token])"
RESIDUAL = "max(p - q, 0.0)"
PASTE = """(editor, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    editor.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
}"""


@pytest.fixture
def exercise(page: Page, base_url: str) -> Page:
    """High enough for the whole code: the editor draws only the lines near the screen."""
    page.set_viewport_size({"width": 1100, "height": 2400})
    open_exercise(page, base_url)
    return page


def open_exercise(page: Page, base_url: str, language: str = "en") -> None:
    visit(page, f"{base_url}{EXERCISE}?lang={language}")
    show_editor(page)


def show_editor(page: Page) -> None:
    """Wait for it, and scroll to its end on a small screen."""
    expect(code(page)).to_be_visible()
    page.get_by_text("Ctrl+Enter").scroll_into_view_if_needed()


def reload(page: Page) -> None:
    page.reload()
    show_editor(page)


def code(page: Page) -> Locator:
    return page.locator(".cm-content")


def blank(page: Page, number: int) -> Locator:
    """The box of blank `number`, empty or filled; a blank of several lines has one box a line."""
    return page.locator(f"[data-blank={('accept', 'residual')[number - 1]}]")


def type_into(page: Page, number: int, text: str) -> None:
    """Click a blank, select what is in it, and type as a keyboard does."""
    click(blank(page, number))
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def caret_line(page: Page) -> Locator:
    return page.locator(".cm-activeLine")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def saved(page: Page) -> None:
    """What was typed has reached the server: the chip has left `not started`, and the page is idle again."""
    expect(page.get_by_text("◐ in progress")).to_be_visible()
    page.wait_for_timeout(1000)
    settle(page)


def test_a_wrong_rule_is_named_and_the_right_one_is_mastered_after_a_reload(exercise: Page) -> None:
    type_into(exercise, 1, INVERTED)
    type_into(exercise, 2, RESIDUAL)
    exercise.keyboard.press("ControlOrMeta+Enter")
    named = exercise.get_by_text("You keep the token with probability min(1, draft/target)")
    expect(named).to_be_visible()
    type_into(exercise, 1, ACCEPT)
    click(button(exercise, "Submit"))
    expect(exercise.get_by_text("You have mastered this exercise")).to_be_visible()
    reload(exercise)
    expect(blank(exercise, 1)).to_have_text(ACCEPT)
    expect(blank(exercise, 2)).to_have_text(RESIDUAL)
    expect(exercise.get_by_text("● mastered")).to_be_visible()


def test_locked_text_can_t_be_changed(exercise: Page) -> None:
    type_into(exercise, 2, RESIDUAL)
    before = code(exercise).inner_text()
    exercise.keyboard.press("ControlOrMeta+a")
    exercise.keyboard.press("ControlOrMeta+a")
    for key in ("Delete", "Backspace", "x", "Enter", "ControlOrMeta+x"):
        exercise.keyboard.press(key)
    expect(exercise.get_by_text("This line is given and can't be changed.")).to_be_visible()
    click(exercise.get_by_text("total_mass = sum(residual_mass)"))
    exercise.keyboard.type("hack")
    assert code(exercise).inner_text() == before


def test_the_edges_of_a_blank_hold(exercise: Page) -> None:
    """Backspace at its start and Delete at its end would take locked text."""
    type_into(exercise, 1, "ab")
    for _ in range(4):
        exercise.keyboard.press("Backspace")
    exercise.keyboard.press("Delete")
    expect(blank(exercise, 1)).to_have_text("Accept probability")
    expect(caret_line(exercise)).to_contain_text("accept_probability = ")
    exercise.keyboard.type("q")
    expect(blank(exercise, 1)).to_have_text("q")


def test_tab_and_alt_arrow_move_between_blanks(exercise: Page) -> None:
    click(blank(exercise, 1))
    exercise.keyboard.press("Tab")
    expect(caret_line(exercise)).to_contain_text("residual_mass = [")
    exercise.keyboard.press("Shift+Tab")
    expect(caret_line(exercise)).to_contain_text("accept_probability = ")
    exercise.keyboard.press("Alt+ArrowUp")
    expect(caret_line(exercise)).to_contain_text("residual_mass = [")
    exercise.keyboard.press("Alt+ArrowDown")
    expect(caret_line(exercise)).to_contain_text("accept_probability = ")
    expect(exercise.locator(".cm-announced")).to_have_text("Blank 1 of 2: Accept probability")


@pytest.mark.parametrize("keys", [("Tab", "Tab"), ("Escape", "Tab"), ("Shift+Tab",)])
def test_the_keyboard_is_not_trapped(exercise: Page, keys: tuple[str, ...]) -> None:
    """From the first blank: past the last one, after Escape, or backwards, Tab leaves the editor."""
    click(blank(exercise, 1))
    expect(code(exercise)).to_be_focused()
    for key in keys:
        exercise.keyboard.press(key)
    expect(code(exercise)).not_to_be_focused()


def test_undo_and_redo_stay_inside_the_blank(exercise: Page) -> None:
    type_into(exercise, 1, "p")
    exercise.wait_for_timeout(700)  # the editor joins quick typing into one step
    exercise.keyboard.type("*2")
    exercise.keyboard.press("ControlOrMeta+z")
    expect(blank(exercise, 1)).to_have_text("p")
    exercise.keyboard.press("ControlOrMeta+z")
    exercise.keyboard.press("ControlOrMeta+z")
    expect(blank(exercise, 1)).to_have_text("Accept probability")
    exercise.keyboard.press("ControlOrMeta+Shift+Z")
    exercise.keyboard.press("ControlOrMeta+Shift+Z")
    expect(blank(exercise, 1)).to_have_text("p*2")


def test_chinese_text_and_several_lines_fit_into_a_blank(exercise: Page) -> None:
    click(blank(exercise, 1))
    exercise.keyboard.insert_text("min(1.0,  # 接受概率")
    exercise.keyboard.press("Enter")
    exercise.keyboard.insert_text("target_probs[draft_token] / qx)")
    type_into(exercise, 2, RESIDUAL)
    saved(exercise)
    reload(exercise)
    expect(blank(exercise, 1).first).to_have_text("min(1.0,  # 接受概率")
    expect(blank(exercise, 1).last).to_contain_text("target_probs[draft_token] / qx)")
    click(button(exercise, "Check"))
    expect(exercise.get_by_text("All visible checks pass")).to_be_visible()


def test_typed_code_survives_a_page_change_and_a_reload_without_any_button(exercise: Page) -> None:
    type_into(exercise, 1, ACCEPT)
    saved(exercise)
    menu = exercise.get_by_test_id("stSidebar")
    click(menu.get_by_role("link", name="Start"))
    expect(exercise.get_by_role("heading", name="Your map")).to_be_visible()
    exercise.go_back()
    show_editor(exercise)
    expect(blank(exercise, 1)).to_have_text(ACCEPT)
    reload(exercise)
    expect(blank(exercise, 1)).to_have_text(ACCEPT)


def test_a_rerun_keeps_text_cursor_and_undo(exercise: Page) -> None:
    type_into(exercise, 1, "p")
    saved(exercise)
    exercise.keyboard.type("q")
    expect(blank(exercise, 1)).to_have_text("pq")
    exercise.keyboard.press("ControlOrMeta+z")
    exercise.keyboard.press("ControlOrMeta+z")
    expect(blank(exercise, 1)).to_have_text("Accept probability")


def test_a_fresh_result_comes_into_view_and_the_caret_stays(page: Page, base_url: str) -> None:
    """The window is no higher than usual: code and result don't fit in together."""
    open_exercise(page, base_url)
    type_into(page, 1, INVERTED)
    type_into(page, 2, RESIDUAL)
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.get_by_text("visible checks passed")).to_be_in_viewport()
    page.keyboard.type("x")
    expect(blank(page, 2)).to_have_text(f"{RESIDUAL}x")


def test_start_over_asks_and_puts_the_editor_back(exercise: Page) -> None:
    type_into(exercise, 1, ACCEPT)
    saved(exercise)
    click(button(exercise, "Start over"))
    expect(blank(exercise, 1)).to_have_text(ACCEPT)
    click(button(exercise, "Put the blanks back"))
    expect(blank(exercise, 1)).to_have_text("Accept probability")


def test_plain_mode_holds_the_same_code_both_ways(exercise: Page) -> None:
    type_into(exercise, 1, INVERTED)
    type_into(exercise, 2, RESIDUAL)
    saved(exercise)
    plain = exercise.get_by_role("switch", name="Plain mode").or_(exercise.get_by_role("checkbox", name="Plain mode"))
    plain.locator("xpath=ancestor-or-self::label").click(delay=60)
    field = exercise.get_by_label("Blank 1: Accept probability")
    expect(field).to_have_value(INVERTED)
    field.fill(ACCEPT)
    click(button(exercise, "Check"))
    expect(exercise.get_by_text("All visible checks pass")).to_be_visible()
    plain.locator("xpath=ancestor-or-self::label").click(delay=60)
    expect(blank(exercise, 1)).to_have_text(ACCEPT)


def test_typed_code_and_notebook_can_be_taken_along(exercise: Page) -> None:
    type_into(exercise, 1, ACCEPT)
    saved(exercise)
    click(exercise.get_by_text("Work on it elsewhere"))
    exercise.wait_for_timeout(700)  # it opens with an animation, which would move the button under the mouse
    python = downloaded(exercise, "Your code as .py")
    assert f"accept_probability = {ACCEPT}\n" in python and python.count("______") == 1
    notebook = json.loads(downloaded(exercise, "Notebook (.ipynb)"))
    assert notebook["nbformat"] == 4 and "______" in json.dumps(notebook["cells"])


def downloaded(page: Page, name: str) -> str:
    with page.expect_download() as download:
        click(button(page, name))
    return Path(download.value.path()).read_text("utf-8")


def test_the_editor_tells_a_screen_reader_what_it_is(exercise: Page) -> None:
    editor = exercise.get_by_role("textbox", name="Code of the exercise The rejection rule, with 2 blanks")
    expect(editor).to_be_visible()
    expect(editor).to_have_accessible_description(re.compile("Tab leaves the editor"))


def test_my_own_wrong_rule_bends_the_figure(exercise: Page) -> None:
    type_into(exercise, 1, INVERTED)
    type_into(exercise, 2, RESIDUAL)
    saved(exercise)
    exercise.get_by_text("Draw the figure with my rule").click(delay=60)
    expect(exercise.get_by_text(re.compile(r"\[0\.400, 0\.600\]")).first).to_be_visible()


def test_the_editor_fits_a_phone_in_the_dark(chromium: Browser, base_url: str) -> None:
    for page in fresh_page(chromium, width=390, color_scheme="dark"):
        open_exercise(page, base_url, "zh")
        type_into(page, 1, ACCEPT)
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, "the page scrolls sideways at 390 px"
        scroller = page.locator(".cm-scroller")
        assert scroller.evaluate("element => element.scrollWidth <= element.clientWidth"), "a line does not wrap"
        text, ground = page.locator(".cm-editor").evaluate(
            "element => [getComputedStyle(element).color, getComputedStyle(element).backgroundColor]"
        )
        assert brightness(text) > 180 > 80 > brightness(ground), (text, ground)


def brightness(colour: str) -> float:
    red, green, blue = (float(part) for part in re.findall(r"[\d.]+", colour)[:3])
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_without_the_bundle_the_page_still_works_in_plain_mode(page: Page, base_url: str) -> None:
    page.route("**/assets/editor.js*", lambda route: route.abort())
    visit(page, f"{base_url}{EXERCISE}?lang=en")
    expect(page.get_by_text("The code editor did not load")).to_be_visible()
    page.get_by_text("Plain mode", exact=True).click(delay=60)
    expect(page.get_by_label("Blank 1: Accept probability")).to_be_visible()


def test_the_first_key_does_not_take_a_text_that_is_to_be_repaired(page: Page, base_url: str) -> None:
    page.set_viewport_size({"width": 1100, "height": 2400})
    visit(page, f"{base_url}/exercise-bug-hunt-kernel?lang=en")
    show_editor(page)
    code(page).focus()
    page.keyboard.type("# mine: ")
    expect(caret_line(page)).to_have_text("    # mine: def draw(weights: np.ndarray) -> int:")
    expect(code(page)).to_contain_text("recovered = draw(residual)")


def test_a_blank_of_several_lines_is_filled_checked_and_kept(page: Page, base_url: str) -> None:
    exercise = load("bug_hunt_kernel")
    page.set_viewport_size({"width": 1100, "height": 2400})
    visit(page, f"{base_url}/exercise-bug-hunt-kernel?lang=en")
    show_editor(page)
    code(page).focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text("return [0]")
    saved(page)
    reload(page)
    expect(code(page)).to_contain_text("return [0]")
    code(page).focus()  # which selects what is there: one line
    code(page).evaluate(PASTE, solution_blanks(exercise)["body"])
    click(button(page, "Check"))
    expect(page.get_by_text("All visible checks pass")).to_be_visible()
