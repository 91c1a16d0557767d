"""Stubs with blanks for statements, for the tests of the reader: in the middle, a free body, two functions."""
from __future__ import annotations

from typing import Any

from grader.reading.answer import find_answer
from tests.grader.reading.cases import cell

MIDDLE = '''import math

LIMIT = 3


def checked(values):
    """Locked."""
    if not values:
        raise ValueError("no values")
    return list(values)


def total(values):
    """The sum of the squares."""
    values = checked(values)
    result = 0.0
    for value in values:
        ______
    if result > LIMIT:
        result = float(result)
    return result
'''
FREE = '''def free(x):
    """Doc."""
    ______
'''
TWO = '''import math


def area(r):
    """Circle."""
    square = ______
    return math.pi * square


def volume(r, h):
    """Cylinder."""
    ______
'''
START = "count = 0\nfor item in items:\n    count += 2\nreturn count"
HUNT = '''def hunt(items):
    """Counts."""
    ______
'''


def middle(suite: str = "        result += value * value") -> str:
    return MIDDLE.replace("        ______", suite)


def find_in(stub: str, name: str, *sources: str | dict[str, Any], starts: tuple[str, ...] = ()) -> dict[str, Any]:
    cells = [one if isinstance(one, dict) else cell(one) for one in sources]
    return find_answer(stub, name, [one | {"index": at} for at, one in enumerate(cells)], (), starts)


def call(result: dict[str, Any], name: str, *arguments: Any) -> Any:
    """What the program's function gives. Only for the right answers of these tests."""
    assert result["status"] == "ok", result
    space: dict[str, Any] = {}
    exec(result["source"], space)
    return space[name](*arguments)
