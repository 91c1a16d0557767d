"""The worksheet that Moodle exports for grading outside of it. A row is found by the number that ends its first cell.

Headers are in the language of whoever exported; known here are English and Chinese. The number needs no header.
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from grader.rosters.matching import Person
from grader.rosters.model import TOTAL, BadRoster, Parts, cell, shown

_GRADE = ("grade", "成绩", "分数")
_NAME = ("full name", "全名", "姓名")
_KEYS = ("id number", "email address", "username", "学号", "编号", "电子邮件地址", "用户名")
_MAXIMUM = ("maximum grade", "最高成绩", "最高分")

Cells = Sequence[Sequence[str]]


def read_moodle(cells: Cells, name: str, column: str | None) -> Parts:
    """What the worksheet says. Raises BadRoster."""
    headers = [header.strip().casefold() for header in cells[0]]
    names = tuple(at for at, header in enumerate(headers) if header in _NAME)
    people = _people(cells, name, names, [at for at, header in enumerate(headers) if header in _KEYS])
    wanted = _GRADE if column is None else (column.strip().casefold(),)
    grade = [at for at, header in enumerate(headers) if at and header in wanted]
    if len(grade) != 1:
        known = shown(cells[0], range(1, len(headers)))
        raise BadRoster("which_column" if column is None else "no_column", name=name, known=known, column=column)
    maxima = {cell(cells[place], at) for at, header in enumerate(headers) if header in _MAXIMUM for place in people}
    return Parts(people, {grade[0]: TOTAL}, {grade[0]: maxima.pop()} if len(maxima) == 1 else {}, names)


def _people(cells: Cells, name: str, names: tuple[int, ...], keys: Sequence[int]) -> Mapping[int, Person]:
    people: dict[int, Person] = {}
    for place, row in enumerate(cells):
        if not place or not any(one.strip() for one in row):
            continue
        number = re.search(r"([0-9]+)$", cell(row, 0))
        if number is None:
            raise BadRoster("not_moodle", name=name)
        shown_name = cell(row, names[0]) if names else ""
        people[place] = Person(number[1], shown_name, tuple(cell(row, at) for at in keys))
    return people
