"""The points into the rows they belong to."""
from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exercises.expect import Text
from grader.plain import printable
from grader.reports.gradebook import FORMULA_STARTS, number
from grader.reports.rows import Row
from grader.rosters.matching import Match, Person, matches
from grader.rosters.model import TOTAL, Roster
from grader.wording import both

MARK = "\ufeff"


@dataclass(frozen=True)
class Filled:
    """The file to import, and who isn't in it."""

    text: str
    count: int  # rows with points
    unmatched: tuple[tuple[str, Text], ...]  # learner and reason
    without: tuple[str, ...]  # people of the roster without a submission
    warnings: tuple[Text, ...]

    def as_json(self, roster: Roster, language: str) -> dict[str, Any]:
        """The part of summary.json."""
        return {
            "file": roster.file,
            "filled": self.count,
            "unmatched": [{"learner": who, "reason": why.within(language)} for who, why in self.unmatched],
            "without_a_submission": list(self.without),
            "warnings": [warning.within(language) for warning in self.warnings],
        }


def fill(roster: Roster, rows: Sequence[Row], points: Mapping[str, float]) -> Filled:
    """The roster with the points of `rows`. points: what each exercise of the course gives."""
    places = list(roster.parts.people)
    found = matches([row.learner for row in rows], list(roster.parts.people.values()))
    by_place = {places[match.row]: row for row in rows if (match := found[row.learner]).row is not None}
    cells = [list(row) for row in roster.cells]
    count = sum(_fill_row(cells[place], roster, row) for place, row in by_place.items())
    for place, person in roster.parts.people.items():
        _neutralise(cells[place], roster, person)
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=roster.delimiter, lineterminator=roster.line_end).writerows(cells)
    return Filled(
        text=(MARK if roster.has_mark else "") + text.getvalue(),
        count=count,
        unmatched=tuple(sorted(_unmatched(found), key=lambda pair: pair[0])),
        without=tuple(person.name for place, person in roster.parts.people.items() if place not in by_place),
        warnings=(*_other_maxima(roster, rows, points), *_without_column(roster, rows)),
    )


def _fill_row(cells: list[str], roster: Roster, row: Row) -> bool:
    filled = False
    for column, exercise_id in roster.parts.columns.items():
        mark = row.marks.get(exercise_id)
        points = row.total if exercise_id == TOTAL else mark.points if mark else None
        if points is not None:
            cells += [""] * (column + 1 - len(cells))
            cells[column] = number(points)
            filled = True
    return filled


def _neutralise(cells: list[str], roster: Roster, person: Person) -> None:
    """A name that a spreadsheet would run becomes text; only where the platform doesn't look the person up by it."""
    for column in roster.parts.names:
        if person.number and column < len(cells) and cells[column].lstrip().startswith(FORMULA_STARTS):
            cells[column] = f"'{cells[column]}"


def _unmatched(found: Mapping[str, Match]) -> list[tuple[str, Text]]:
    return [(learner, match.reason) for learner, match in found.items() if match.reason is not None]


def _other_maxima(roster: Roster, rows: Sequence[Row], points: Mapping[str, float]) -> list[Text]:
    handed_in = [key for key in points if any(key in row.marks for row in rows)]
    warnings = []
    for column, theirs in roster.parts.maxima.items():
        wanted = roster.parts.columns[column]
        ours = sum(points[key] for key in handed_in or points) if wanted == TOTAL else points[wanted]
        if _as_number(theirs) not in (None, ours):
            header = printable(roster.cells[0][column])
            warnings.append(both("roster.other_maximum", column=header, theirs=theirs, ours=number(ours)))
    return warnings


def _without_column(roster: Roster, rows: Sequence[Row]) -> list[Text]:
    taken = set(roster.parts.columns.values())
    handed_in = sorted({exercise_id for row in rows for exercise_id in row.marks})
    return [both("roster.left_out", name=one) for one in handed_in if TOTAL not in taken and one not in taken]


def _as_number(text: str) -> float | None:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
