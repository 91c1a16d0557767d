"""The blanks of an answer that doesn't parse as a whole, taken from their lines.

A slip in a locked line, or a stray line under the function, costs nothing as long as the blanks themselves parse.
Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import re
from difflib import SequenceMatcher

from grader.reading.bodies import ALIKE, EXACT, laid
from grader.reading.frame import Frame, Stub, edited, filled_in
from grader.reading.pairing import BLANK, Slot, Token, tokens
from grader.reading.parsing import parse
from grader.reading.suites import dedented, is_empty, is_suite_blank

_MOST = 20_000  # pairs of lines compared; an answer of some hundred lines has fewer
_SIMILAR, _SHORT = 0.8, 4  # of two lines, and letters: shorter lines look alike by chance, a slip changes few


def salvage(stub: Stub, frame: Frame, source: str) -> list[str] | None:
    """The text of each blank, or None where a blank's line isn't found or what stands in it doesn't parse."""
    start = re.search(rf"^[ \t]*def[ \t]+{re.escape(frame.name)}\b", source, re.M)
    if start is None:
        return None
    statements = iter(_statements(stub, frame, source[start.start() :]))
    texts: list[str] = []
    for slot in frame.slots:
        suite = is_suite_blank(slot.statement)
        text = next(statements, None) if suite else _expression(stub, slot, source, start.start())
        if text is None or parse(text if suite else f"({text}\n)")[0] is None:
            return None
        texts.append(text)
    edits = [filled_in(stub, slot, text) for slot, text in zip(frame.slots, texts, strict=True)]
    return texts if parse(edited(stub.source, edits))[0] is not None else None


def _expression(stub: Stub, slot: Slot, source: str, start: int) -> str | None:
    found = list(_pattern(stub.source, slot).finditer(source, start))
    return found[0]["blank"].strip() if len(found) == 1 else None


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


def _statements(stub: Stub, frame: Frame, source: str) -> list[str | None]:
    """The text of each suite blank, found between the stub's lines; None for one that is empty."""
    suites = {slot.blank.lineno for slot in frame.slots if is_suite_blank(slot.statement)}
    if not suites:
        return []
    numbers = range(frame.function.lineno, (frame.function.end_lineno or 0) + 1)
    given = [(line.strip(), at in suites) for at, line in enumerate(stub.source.split("\n"), 1) if at in numbers]
    given = [(line, blank) for line, blank in given if line]
    own = _function_lines(source)
    if len(given) * len(own) > _MOST:
        return []
    likeness = [[0 if blank else _likeness(line, other.strip()) for other in own] for line, blank in given]
    places = laid([blank for _, blank in given], likeness, len(own))
    stretches = [place for (_, blank), place in zip(given, places, strict=True) if blank]
    texts = [dedented("\n".join(own[one.start : one.stop])) for one in stretches]
    return [None if is_empty(text) else text for text in texts]


def _function_lines(source: str) -> list[str]:
    """The lines up to the next one that is not indented further than the first."""
    lines = source.split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    header = next((at for at, line in enumerate(lines) if line.partition("#")[0].rstrip().endswith(":")), 0)
    below = enumerate(lines[header + 1 :], header + 1)
    end = next((at for at, line in below if line.strip() and len(line) - len(line.lstrip()) <= indent), len(lines))
    return lines[:end]


def _likeness(given: str, own: str) -> int:
    if given == own:
        return EXACT
    if min(len(given), len(own)) < _SHORT or abs(len(given) - len(own)) > _SHORT:
        return 0
    return ALIKE if SequenceMatcher(None, given, own, autojunk=False).ratio() > _SIMILAR else 0
