"""The editor by itself in Chromium: a blank that takes several lines, at column 8, and an expression after it."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from lessons.pages.editor import _HTML

SEGMENTS = [
    {"text": "def total(values):\n    for value in values:\n        "},
    {"id": "add", "label": "Add up", "text": "", "column": 8},
    {"text": "\n    return "},
    {"id": "out", "label": "Result", "text": ""},
    {"text": "\n"},
]
START = """async ([html, segments, base]) => {
  document.body.innerHTML = html
  const {default: show} = await import(base + "/assets/editor.js")
  window.typed = null
  const data = {segments, rev: 1, label: "code", help: "", refused: "locked", position: "{label}", failed: "", wait: 10}
  show({parentElement: document.body, data, setStateValue: (_, value) => { window.typed = value.blanks },
        setTriggerValue: () => {}})
}"""


@pytest.fixture
def editor(page: Page, base_url: str) -> Iterator[Page]:
    """A bare page of the same origin with nothing but the editor."""
    page.goto(f"{base_url}/assets/course.css")
    page.evaluate(START, [_HTML, SEGMENTS, base_url])
    page.locator("[data-blank=add]").click()
    yield page


def text(page: Page, blank: str = "add") -> str:
    page.wait_for_timeout(60)
    typed: str = page.evaluate("name => window.typed?.[name] ?? ''", blank)
    return typed


def write(page: Page, *parts: str) -> None:
    """Text as it is typed, and the names of keys in angle brackets."""
    for part in parts:
        if part.startswith("<"):
            page.keyboard.press(part.strip("<>"))
        else:
            page.keyboard.insert_text(part)


def test_enter_keeps_the_indentation_and_goes_deeper_after_a_colon(editor: Page) -> None:
    write(editor, "if value:", "<Enter>", "a = 1", "<Enter>", "b = 2", "<Enter>", "<Shift+Tab>", "c = 3")
    assert text(editor) == "if value:\n            a = 1\n            b = 2\n        c = 3"


def test_tab_indents_further_lines_and_never_beyond_the_given_column(editor: Page) -> None:
    write(editor, "a = 1", "<Enter>", "b = 2", "<Tab>")
    assert text(editor) == "a = 1\n            b = 2"
    write(editor, "<Shift+Tab>", "<Shift+Tab>", "<Shift+Tab>")
    assert text(editor) == "a = 1\n        b = 2"
    write(editor, "<Enter>", "c = 3", "<Shift+ArrowUp>", "<Tab>")
    assert text(editor) == "a = 1\n            b = 2\n            c = 3"


def test_backspace_goes_back_to_the_line_above(editor: Page) -> None:
    write(editor, "a = 1", "<Enter>", "<Enter>", "<Backspace>", "<Backspace>")
    assert text(editor) == "a = 1"
    write(editor, "<Home>", "<Home>", "<Backspace>")
    assert text(editor) == "a = 1"
    assert "for value in values:" in editor.locator(".cm-content").inner_text()


def test_tab_and_alt_arrows_between_the_blanks(editor: Page) -> None:
    line = editor.locator(".cm-activeLine")
    write(editor, "<Tab>")
    expect(line).to_contain_text("return")
    write(editor, "<Alt+ArrowUp>", "a = 1", "<Enter>", "b = 2", "<Tab>", "<Alt+ArrowDown>")
    expect(line).to_contain_text("return")
    write(editor, "<Shift+Tab>", "<Tab>")  # back to the blank's first line: on again
    expect(line).to_contain_text("return")
    assert text(editor) == "a = 1\n            b = 2"


def test_escape_then_tab_leaves_a_blank_of_several_lines(editor: Page) -> None:
    write(editor, "a = 1", "<Enter>", "b = 2", "<Escape>", "<Tab>")
    expect(editor.locator(".cm-content")).not_to_be_focused()


@pytest.mark.parametrize(
    ("pasted", "wanted"),
    [
        ("if x:\n    y()\nz()\n", "if x:\n            y()\n        z()"),
        ("    if x:\n        y()\n    z()", "if x:\n            y()\n        z()"),
        ("a = 1\n    b = 2\n    c = 3", "a = 1\n        b = 2\n        c = 3"),
        ("if x:\n        y()\n    z()", "if x:\n            y()\n        z()"),
        ("if x:\r\n\ty()", "if x:\n            y()"),
    ],
)
def test_pasted_lines_move_together(editor: Page, pasted: str, wanted: str) -> None:
    editor.locator(".cm-content").evaluate(
        """(node, text) => {
            const data = new DataTransfer()
            data.setData("text/plain", text)
            node.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}))
        }""",
        pasted,
    )
    assert text(editor) == wanted


def test_each_line_has_a_box_from_its_column_on(editor: Page) -> None:
    write(editor, "if value:", "<Enter>", "a = 1", "<Enter>", "<Enter>", "b = 2")
    expect(editor.locator("[data-blank=add]")).to_have_text(["if value:", "    a = 1", "    ", "    b = 2"])
