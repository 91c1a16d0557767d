"""The code editor: a stub whose locked lines are read-only and whose blanks are edited in place.

A Streamlit component (components v2) around CodeMirror 6. Its source is in src/, built by build.mjs into
lessons/pages/assets/editor.js, which the app serves as a static file: a rerun sends about 2 KB, not the editor.
"""
from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from grader.language import Words
from grader.reading.suites import lifted, placed
from grader.store.export import LETTERS

ASSETS = Path(__file__).resolve().parent.parent / "assets"
WAIT = 700  # milliseconds without a key press after which what was typed goes to the server

_HTML = """<div class="editor">
<div class="code"></div>
<p class="help" id="help"></p>
<p class="notice" role="status"></p>
</div>"""

_CSS = (Path(__file__).parent / "editor.css").read_text("utf-8")

# The page's own address is the base: a relative import would be resolved against the loader's blob.
_LOADER = """export default async component => {{
  const editor = await import(new URL("assets/editor.js?v={version}", document.baseURI)).catch(() => null)
  if (editor) return editor.default(component)
  component.parentElement.querySelector(".notice").textContent = component.data.failed
}}
"""


@dataclass(frozen=True)
class Typed:
    """What the editor holds: the text of each blank by its id, and whether Ctrl+Enter asked for a check."""

    blanks: dict[str, str]
    check: bool


def code_editor(
    stub: Sequence[str],
    blanks: Mapping[str, str],
    labels: Mapping[str, str],
    columns: Sequence[int | None],
    *,
    key: str,
    revision: int,
    label: str,
    words: Words,
) -> Typed:
    """Show the editor and return what is typed in it.

    `stub` is the locked text around the blanks, one piece more than there are `labels` (blank id to what the blank
    is for, in order). `columns` has for each blank the column where its statements stand, None for an expression;
    statements are given and returned dedented. `blanks` is what to show when the editor appears or `revision` changes;
    at any other time the editor keeps its own text, so that a rerun never undoes typing.
    """
    data = {
        "segments": segments(stub, blanks, labels, columns),
        "rev": revision,
        "label": label,
        "help": words("editor.help" if all(column is None for column in columns) else "editor.help_lines"),
        "refused": words("editor.refused"),
        "position": words("editor.position"),
        "failed": words("editor.failed"),
        "wait": WAIT,
    }
    result = _component()(
        key=key, data=data, default={"typed": None}, on_typed_change=_nothing, on_check_change=_nothing
    )
    asked = _current(result.check, revision)
    typed = asked or _current(result.typed, revision)
    places = dict(zip(labels, columns, strict=True))
    return Typed(dict(blanks) if typed is None else _dedented(typed, places), check=asked is not None)


def segments(
    stub: Sequence[str], blanks: Mapping[str, str], labels: Mapping[str, str], columns: Sequence[int | None]
) -> list[dict[str, Any]]:
    """The stub as the editor takes it: locked text and blanks in turn, those of statements with their column."""
    if len(stub) != len(labels) + 1:
        raise ValueError(f"the stub has {len(stub) - 1} blanks, {len(labels)} labels were given; one label a blank")
    pieces: list[dict[str, Any]] = [{"text": stub[0]}]
    for (name, label), column, after in zip(labels.items(), columns, stub[1:], strict=True):
        text = blanks.get(name, "")
        held = {"text": text} if column is None else {"text": placed(text, column), "column": column}
        pieces += [{"id": name, "label": label} | held, {"text": after}]
    return pieces


def _dedented(typed: Mapping[str, str], columns: Mapping[str, int | None]) -> dict[str, str]:
    """Cut first: the browser's word on the length is not trusted, and moving lines takes time."""
    cut = {name: (text[:LETTERS], columns.get(name)) for name, text in typed.items()}
    return {name: text if at is None else lifted(text, at) for name, (text, at) in cut.items()}


@functools.cache
def version() -> str:
    """A short hash of the bundle: a new build is a new address, so no browser keeps the old one."""
    return hashlib.sha256((ASSETS / "editor.js").read_bytes()).hexdigest()[:12]


def _component() -> Callable[..., Any]:
    """Registered on each run: Streamlit keeps components by name, and a test starts a new registry."""
    component: Callable[..., Any] = st.components.v2.component(
        "course_editor", html=_HTML, css=_CSS, js=_LOADER.format(version=version())
    )
    return component


def _current(typed: Any, revision: int) -> dict[str, str] | None:
    """The blanks, unless they were typed before the text was last replaced. The browser's word is not trusted."""
    if not isinstance(typed, dict) or typed.get("rev") != revision or not isinstance(typed.get("blanks"), dict):
        return None
    return {str(name): str(text) for name, text in typed["blanks"].items()}


def _nothing() -> None:
    """Streamlit wants a callback for each state that may change; the value is read from the result."""
