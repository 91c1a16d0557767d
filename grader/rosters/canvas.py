"""The gradebook that Canvas exports.

Source: lib/gradebook_importer.rb of Canvas. A row is found by its ID, then by the SIS ids, then by name; rows of points
possible and posting policies are no people; columns that Canvas computes are ignored.
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from grader.catalogue import load
from grader.rosters.matching import Person
from grader.rosters.model import TOTAL, BadRoster, Parts, cell, shown

_READ_ONLY = re.compile(r"(Current|Final|Override) (Score|Points|Grade|Status)")
_KEYS = ("SIS User ID", "SIS Login ID", "Integration ID")
_NOTES = "Notes"  # a column of Canvas's own, between the people's and the assignments'

Cells = Sequence[Sequence[str]]


def read_canvas(cells: Cells, name: str, exercises: Sequence[str], column: str | None) -> Parts:
    """What the gradebook says. Raises BadRoster."""
    headers = [header.strip() for header in cells[0]]
    names = (0, 1) if headers[:3] == ["LastName", "FirstName", "ID"] else (0,)
    if (len(names) == 1 and headers[:2] != ["Student", "ID"]) or "Section" not in headers:
        raise BadRoster("not_canvas", name=name)
    possible = next((row for row in cells[1:] if "Points Possible" in cell(row, 0)), ())
    open_ = _assignments(headers, possible)
    columns = _columns(headers, open_, name, exercises, column)
    return Parts(_people(cells, headers, names), columns, {at: cell(possible, at) for at in columns}, names)


def _people(cells: Cells, headers: Sequence[str], names: tuple[int, ...]) -> Mapping[int, Person]:
    keys = [at for at, header in enumerate(headers) if header in _KEYS]
    return {
        place: Person(
            number=cell(row, len(names)),
            name=" ".join(cell(row, at) for at in reversed(names)).strip(),
            keys=tuple(cell(row, at) for at in keys),
        )
        for place, row in enumerate(cells)
        if place and not _is_no_person(row)
    }


def _assignments(headers: Sequence[str], possible: Sequence[str]) -> list[int]:
    return [
        at
        for at in range(headers.index("Section") + 1, len(headers))
        if headers[at] not in ("", _NOTES)
        and not _READ_ONLY.search(headers[at])
        and "read only" not in cell(possible, at)
    ]


def _is_no_person(row: Sequence[str]) -> bool:
    """Canvas's rows of points possible and of posting policies, and empty lines."""
    return "Points Possible" in cell(row, 0) or all(
        re.fullmatch(r"\s*(Muted|Manual Posting.*)?\s*", one, re.IGNORECASE) for one in row
    )


def _columns(
    headers: Sequence[str], open_: Sequence[int], name: str, exercises: Sequence[str], column: str | None
) -> dict[int, str]:
    """Whose points each column takes. Canvas adds its assignment's number: `The rule (417)`."""
    if not open_:
        raise BadRoster("nothing_to_fill", name=name)
    plain = {at: re.sub(r"\s*\(\d+\)$", "", headers[at]).casefold() for at in open_}
    if column is not None:
        wanted = [at for at in open_ if column == headers[at]] or [at for at in open_ if column.casefold() == plain[at]]
        if len(wanted) != 1:
            raise BadRoster("no_column", name=name, column=column, known=shown(headers, open_))
        return {wanted[0]: TOTAL}
    found: dict[int, str] = {}
    for exercise_id in exercises:
        title = load(exercise_id).title
        called = {exercise_id.casefold(), title.en.casefold(), title.zh.casefold()}
        own = [at for at in open_ if plain[at] in called]
        if len(own) == 1:
            found[own[0]] = exercise_id
    if not found and len(open_) == 1:
        return {open_[0]: TOTAL}
    if not found:
        raise BadRoster("which_column", name=name, known=shown(headers, open_))
    return found
