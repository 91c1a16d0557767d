"""The blanks of an answer that doesn't parse as a whole, taken from their lines.

A slip in a locked line, or a stray line under the function, costs nothing as long as the blanks themselves parse.
Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import re

from grader.reading.frame import Frame, Stub, edited, filled_in
from grader.reading.pairing import BLANK, Slot, Token, tokens
from grader.reading.parsing import parse
from grader.reading.suites import is_suite_blank


def salvage(stub: Stub, frame: Frame, source: str) -> list[str] | None:
    """The text of each blank, or None where a blank's line isn't found or what stands in it doesn't parse."""
    start = re.search(rf"^[ \t]*def[ \t]+{re.escape(frame.name)}\b", source, re.M)
    if start is None or any(is_suite_blank(slot.statement) for slot in frame.slots):
        return None
    texts: list[str] = []
    for slot in frame.slots:
        found = list(_pattern(stub.source, slot).finditer(source, start.start()))
        if len(found) != 1 or not _parses(found[0]["blank"]):
            return None
        texts.append(found[0]["blank"].strip())
    edits = [filled_in(stub, slot, text) for slot, text in zip(frame.slots, texts, strict=True)]
    return texts if parse(edited(stub.source, edits))[0] is not None else None


def _pattern(stub: str, slot: Slot) -> re.Pattern[str]:
    """The blank's line as an expression: its tokens with any white space between, and a group for the blank."""
    inside = [token for token in tokens(stub) if _within(token, slot)]
    place = (slot.blank.lineno, slot.blank.col_offset)
    parts = [
        "(?P<blank>[^\n]+?)" if token.start == place else "[^\n]+?" if token.text == BLANK else re.escape(token.text)
        for token in inside
    ]
    return re.compile(r"^[ \t]*" + r"[ \t]*".join(parts) + r"[ \t]*(?:#[^\n]*)?$", re.M)


def _within(token: Token, slot: Slot) -> bool:
    statement = slot.statement
    return bool(token.text.strip()) and statement.lineno <= token.start[0] <= (statement.end_lineno or 0)


def _parses(text: str) -> bool:
    return parse(f"({text.strip()}\n)")[0] is not None
