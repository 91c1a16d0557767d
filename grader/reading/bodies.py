"""Lays a student's function over the stub's, statement by statement: what stands in each suite blank.

In each body the given statements are found again in their order, alike where they are not the same, and what lies
between them belongs to the blank. Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from grader.reading.pairing import same, targets
from grader.reading.suites import is_suite_blank

_LARGEST = 1_000_000  # pairs of statements compared in one body; no answer has nearly as many
EXACT, _NAMED, ALIKE, _KIND = 80, 60, 40, 10  # how much alike two statements are
_ADDED = -1  # a statement of the student's that is neither given nor in a blank

Body = Sequence[ast.stmt]


class Filling(NamedTuple):
    """The statements in a suite blank. `framed`: all given statements of its body stand as they were."""

    statements: tuple[ast.stmt, ...]
    framed: bool


class Overlay(NamedTuple):
    """By the id() of the stub's nodes: the student's statement for a given one, the filling of a suite blank."""

    statements: dict[int, ast.stmt]
    fillings: dict[int, Filling]


def overlay(stub: ast.FunctionDef, function: ast.FunctionDef) -> Overlay:
    """Docstrings are free: both functions are compared without."""
    found = Overlay({}, {})
    _align(_undocumented(stub), _undocumented(function), found)
    return found


def _undocumented(function: ast.FunctionDef) -> Body:
    return function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body


def _align(given: Body, own: Body, found: Overlay) -> None:
    if not any(map(_holds_suite_blank, given)):
        return
    places = _places(given, own)
    framed = bool(own) and sum(map(len, places)) == len(own) and all(
        is_suite_blank(node) or (place and same(node, own[place.start], outermost=True))
        for node, place in zip(given, places, strict=True)
    )  # fmt: skip
    for node, place in zip(given, places, strict=True):
        if is_suite_blank(node):
            found.fillings[id(node)] = Filling(tuple(own[place.start : place.stop]), framed)
        elif place:
            found.statements[id(node)] = own[place.start]
            _align_inner(node, own[place.start], found)


@lru_cache(maxsize=256)  # of the stub's statements, which are asked about once a nesting
def _holds_suite_blank(statement: ast.stmt) -> bool:
    return any(map(is_suite_blank, ast.walk(statement)))


def _align_inner(given: ast.stmt, own: ast.stmt, found: Overlay) -> None:
    """The bodies inside two compound statements."""
    for name in ("body", "orelse", "finalbody"):
        _align(getattr(given, name, []), getattr(own, name, []), found)
    for name in ("handlers", "cases"):
        for one, other in zip(getattr(given, name, []), getattr(own, name, []), strict=False):
            _align(one.body, other.body, found)


def _places(given: Body, own: Body) -> list[range]:
    """Where each given statement is among the student's: one place or none, or of a blank the stretch it holds."""
    if len(given) * len(own) > _LARGEST:
        return [range(0)] * len(given)
    blanks = [is_suite_blank(one) for one in given]
    likeness = [[_likeness(one, other) for other in own] for one in given]
    return laid(blanks, likeness, len(own))


def laid(blanks: Sequence[bool], likeness: Sequence[Sequence[int]], width: int) -> list[range]:
    """The best way to lay given items, some of them blanks, over `width` others in their order.

    likeness: of each given item with each of the others, 0 where it can't be that one. An item gets one place or none,
    a blank the stretch between its neighbours.
    """
    best = _best(blanks, likeness, width)
    places: list[range] = []
    at = 0
    for number, blank in enumerate(blanks):
        start, row, below = at, best[number], best[number + 1]
        if blank:
            while at < width and row[at] == row[at + 1]:
                at += 1
            places.append(range(start, at))
            continue
        while row[at] > below[at] and not _taken(likeness[number], row, below, at):
            at += 1
        found = _taken(likeness[number], row, below, at)
        places.append(range(at, at + found))
        at += found
    return places


def _taken(likeness: Sequence[int], row: Sequence[int], below: Sequence[int], at: int) -> bool:
    """Whether the best way puts the row's item at this place."""
    return at < len(likeness) and likeness[at] > 0 and row[at] == likeness[at] + below[at + 1]


def _best(blanks: Sequence[bool], likeness: Sequence[Sequence[int]], width: int) -> list[list[int]]:
    """[i][j]: how well the given items from i on can be laid over the others from j on."""
    rows = [[_ADDED * (width - at) for at in range(width + 1)]]
    for blank, alike in zip(reversed(blanks), reversed(likeness), strict=True):
        below, row = rows[-1], [0] * (width + 1)
        row[width] = below[width]
        for at in range(width - 1, -1, -1):
            if blank:
                row[at] = max(below[at], row[at + 1])
            else:
                matched = alike[at] + below[at + 1] if alike[at] else below[at]
                row[at] = max(matched, below[at], row[at + 1] + _ADDED)
        rows.append(row)
    return rows[::-1]


def _likeness(given: ast.stmt, own: ast.stmt) -> int:
    """How much alike two statements are, their bodies left out; 0 where one can't stand for the other."""
    if type(given) is not type(own):
        return 0
    if same(given, own, outermost=True):
        return EXACT
    if isinstance(given, (ast.FunctionDef, ast.ClassDef)):
        return _NAMED if given.name == getattr(own, "name", "") else 0
    mine, theirs = targets(given), targets(own)
    if mine:
        return ALIKE if len(mine) == len(theirs) and all(map(same, mine, theirs)) else 0
    if isinstance(given, ast.Expr):
        return 0
    return _KIND
