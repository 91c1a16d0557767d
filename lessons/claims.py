"""Claims: `{claim: name}` behind a number or a sentence of a lesson names what a test must find true there.

Readers don't see the marker. What each name stands for is in tests/lessons/claims, one module a lesson.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

_MARKER = re.compile(r" ?\{claim: (?P<name>[a-z0-9_]+)\}")


def unmarked(text: str) -> str:
    """The text as readers see it."""
    return _MARKER.sub("", text)


def claims(text: str) -> Iterator[tuple[str, str]]:
    """The name of each claim, and the text that stands before its marker, without the markers in it."""
    for found in _MARKER.finditer(text):
        yield found["name"], unmarked(text[: found.start()])
