"""Cuts the outputs out of a notebook's text before it is parsed, and measures the nesting on the way.

Outputs are the bulk of a notebook (pictures, training logs) and never part of an answer, so they never become objects.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from grader.reading.decode import unreadable

MAX_DEPTH = 100
MAX_TOKENS = 4_000_000  # strings and brackets
DROPPED = frozenset({'"outputs"', '"attachments"', '"widgets"'})  # widgets: the state of ipywidgets, in the metadata

# Possessive, so that hostile text can't make it backtrack; without a closing quote it ends once, with the text.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.S)
_VALUE = re.compile(r"\s*:\s*[\[{]")


@dataclass
class _Cutter:
    """One pass over the tokens; `kept` is the text without the dropped values, every newline still in place."""

    source: str
    depth: int = 0
    kept_to: int = 0
    dropping: int = 0  # the depth at which the value being dropped began, 0 for none
    pending: bool = False  # the next bracket opens a value to drop

    def cut(self) -> str:
        kept: list[str] = []
        for count, token in enumerate(_TOKEN.finditer(self.source)):
            if count > MAX_TOKENS:
                raise unreadable("too_many_parts", limit=MAX_TOKENS)
            self._take(token, kept)
        if self.depth > 0:
            raise self._truncated()
        kept.append(self.source[self.kept_to :])
        return "".join(kept)

    def _take(self, token: re.Match[str], kept: list[str]) -> None:
        first = token[0][0]
        if first in "[{":
            self._open(token.start(), kept)
        elif first in "]}":
            self._close(token.end(), kept)
        elif not self.dropping and token[0] in DROPPED:
            self.pending = _VALUE.match(self.source, token.end()) is not None

    def _open(self, at: int, kept: list[str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise unreadable("too_deep", line=self._line(at), limit=MAX_DEPTH)
        if self.pending:
            self.pending, self.dropping = False, self.depth
            kept.append(self.source[self.kept_to : at])
            self.kept_to = at

    def _close(self, end: int, kept: list[str]) -> None:
        if self.dropping == self.depth and self.dropping:
            kept.append("null" + "\n" * self.source.count("\n", self.kept_to, end))
            self.dropping, self.kept_to = 0, end
        self.depth -= 1

    def _line(self, at: int) -> int:
        return self.source.count("\n", 0, at) + 1

    def _truncated(self) -> Exception:
        size = len(self.source.encode(errors="replace"))
        return unreadable("truncated", line=self._line(len(self.source)), byte=size)


def without_outputs(source: str) -> str:
    """The JSON text with `null` for each dropped value; line numbers stay as they are.

    Raises Unreadable where the text ends inside a value, nests too deep or has too many parts.
    """
    return _Cutter(source).cut()
