"""A roster as it was read, and what is wrong with one that can't be used."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exercises.expect import Text
from grader.plain import printable
from grader.rosters.matching import Person
from grader.wording import both

FORMATS = ("canvas", "moodle")
TOTAL = ""  # in place of an exercise's id: the points of all exercises together


class BadRoster(Exception):
    """The roster doesn't do; `reason` says why."""

    def __init__(self, key: str, **slots: object) -> None:
        self.reason: Text = both(f"roster.{key}", **slots)
        super().__init__(self.reason.en)


class Parts(NamedTuple):
    """What a platform's CSV says. Rows and columns are counted from 0, the row of headers included.

    people: by row. columns: the exercise id (or TOTAL) whose points a column takes. maxima: the points possible as the
    roster has them, by column. names: the columns that only show a name.
    """

    people: Mapping[int, Person]
    columns: Mapping[int, str]
    maxima: Mapping[int, str]
    names: tuple[int, ...]


@dataclass(frozen=True)
class Roster:
    """A platform's exported CSV."""

    format: str
    cells: tuple[tuple[str, ...], ...]
    parts: Parts
    delimiter: str
    line_end: str
    has_mark: bool  # begins with a byte order mark

    @property
    def file(self) -> str:
        return f"{self.format}.csv"


def cell(row: Sequence[str], column: int) -> str:
    """The cell without the space around it; "" in a row that is too short."""
    return row[column].strip() if column < len(row) else ""


def shown(headers: Sequence[str], columns: Sequence[int]) -> str:
    """The headers, as a message lists them."""
    return ", ".join(f"“{printable(headers[column])}”" for column in columns)
