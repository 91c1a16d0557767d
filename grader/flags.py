"""What was noticed about an answer that a person may want to look at, put into plain sentences.

Three sources: the judge's own side of the pipe (a foul reply, a process gone after its answer), the text of the program
(`grader.reading.audit`), and the isolated process itself (`grader.sandbox.inside.watch`), which a hostile program can
silence. A flag never changes a verdict or a mark, and only the instructor sees it.
"""
from __future__ import annotations

from collections.abc import Iterable

from exercises.expect import Text
from grader.plain import printable
from grader.wording import both

MOST = 20
SHOWN = 80  # characters of a name


def flags(seen: Iterable[tuple[str, str]]) -> tuple[Text, ...]:
    """One sentence for each thing noticed, each once."""
    return tuple(flag(code, name) for code, name in list(dict.fromkeys(seen))[:MOST])


def flag(code: str, name: str = "") -> Text:
    """The sentence for one observation; `name` may be of a student's making."""
    return both(f"flag.{code}", name=printable(name)[:SHOWN])
