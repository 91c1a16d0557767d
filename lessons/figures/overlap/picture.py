"""The drawings of the overlap figure, as SVG. Positions only; every number comes from build.py."""
from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from grader.language import Words
from lessons.figures.distributions import Pair
from lessons.figures.frame import number, token_name
from lessons.figures.stepper import rendered

HEIGHT = 150  # of the largest column
SUM_LENGTH = 250  # of a bar of mass one
WITH_NUMBERS = 4  # tokens, at most: more leave no room for numbers in the table's cells
IN_FULL = 6  # tokens, at most, whose columns have room for three decimals


def columns(pair: Pair, shared: Sequence[float], words: Words, *, rest: bool) -> str:
    """One column a token: what target and draft share, and with `rest` what either has above it; both sums below."""
    highest = max(*pair.target, *pair.draft)
    return _render(
        "columns", words, pair=pair, shared=shared, rest=rest, total=math.fsum(shared),
        width=min(64, 336 // len(shared) - 6), step=336 / len(shared),
        brief=number if len(shared) <= IN_FULL else lambda mass: f"{mass:.2f}".removeprefix("0"),
        height=lambda mass: round(HEIGHT * mass / highest, 1), along=lambda mass: round(SUM_LENGTH * mass, 1),
    )


def joint(
    table: Sequence[Sequence[float]], pair: Pair, words: Words, kind: str, caps: Sequence[float] | None = None
) -> str:
    """A table of draft token against token that comes out. A square's area is the mass; `caps` bound the diagonal."""
    size = len(table)
    cell = min(96, 262 // size)
    largest = max(mass for row in table for mass in row)
    numbered = size <= WITH_NUMBERS
    side = min(cell - 8, 52) if numbered else cell - 8
    return _render(
        "joint", words, table=table, pair=pair, kind=kind, caps=caps, cell=cell, numbered=numbered,
        staggered=size > IN_FULL, row_height=side + 26 if numbered else cell, side_limit=side,
        side=lambda mass: round(side * math.sqrt(mass / largest), 1),
    )


def _render(template: str, words: Words, **values: object) -> str:
    return rendered(
        Path(__file__).parent, template, words,
        **values, number=number, name=lambda token: token_name(token, words.language)
    )
