"""The law of a function that only takes floats, such as one in another process: scripted uniforms.

The protocol says which uniform decides what, so the right function cuts the uniforms into boxes, in each of which
nothing changes. The function in question is called just inside the lowest and just inside the highest corner of every
box. Where both answers are the same, the box has that answer, and the law follows; where they differ, the box is
named: there the function decides something at another place, or by another uniform.
"""
from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from solutions.joint_law import Law, Verifier, emitted_by
from solutions.symbolic import Interval, outcomes
from solutions.trees import Round, Tree, rounds

MARGIN = 2.0**-44  # how far inside: thousands of roundings in float64; take 2**-20 for code that works in float32

Point = tuple[float, ...]
"""One number in [0, 1) for every uniform."""


class Cell(NamedTuple):
    """A box of uniforms in which the right function returns `wanted`: two opposite corners of it, just inside."""

    low: Point
    high: Point
    probability: Any
    wanted: Any


class Undecided(Exception):
    """The function answers differently within one cell: `answers` are those at its low and at its high corner."""

    def __init__(self, cell: Cell, answers: tuple[Any, Any]) -> None:
        self.cell, self.answers = cell, answers
        super().__init__(f"uniforms {cell.low} give {answers[0]}, but {cell.high} give {answers[1]}")


def cells(function: Callable[[Any], Any], count: int, margin: float = MARGIN) -> Iterator[Cell]:
    """The boxes of the right function, which takes `count` uniforms, a sequence, and can be traced.

    A box that begins at 0 is tried at 0 itself; one that ends at 1, at the last float below it.
    """
    for outcome in outcomes(function, count):
        corners = tuple(zip(*(_ends(interval, margin) for interval in outcome.box), strict=True)) or ((), ())
        yield Cell(corners[0], corners[1], outcome.probability, outcome.value)


def scripted_law(function: Callable[[Point], tuple[Any, ...]], boxes: Iterable[Cell]) -> Law:
    """The law of what the function returns, in two calls a cell. Raises Undecided at the first cell that it splits."""
    law: defaultdict[tuple[Any, ...], Any] = defaultdict(int)
    for cell in boxes:
        answers = function(cell.low), function(cell.high)
        if answers[0] != answers[1]:
            raise Undecided(cell, answers)
        law[answers[0]] += cell.probability
    return dict(law)


class RoundCell(NamedTuple):
    """A round of verification, and a cell of its coins and final draw (the last entry of each corner)."""

    given: Round
    cell: Cell


def round_cells(reference: Verifier, tree: Tree, length: int, margin: float = MARGIN) -> Iterator[RoundCell]:
    """Every cell of every round of K drafts: coin k decides draft token k, the final draw decides the last token.

    reference: the right verifier, traceable. For K = 2 and V = 3 there are about 40, so a hidden check affords them.
    """
    for given in rounds(tree, length):
        for cell in cells(partial(emitted_by, reference, given), length + 1, margin):
            yield RoundCell(given, cell)


def scripted_round_law(verifier: Verifier, boxes: Iterable[RoundCell]) -> Law:
    """The law of the tokens that a round emits, like solutions.joint_law.emitted_law, of a verifier that takes floats.

    Complete it with solutions.joint_law.completed. Raises Undecided at the first cell that the verifier splits.
    """
    law: defaultdict[tuple[Any, ...], Any] = defaultdict(int)
    for given, cell in boxes:
        for emitted, probability in scripted_law(partial(emitted_by, verifier, given), [cell]).items():
            law[emitted] += given.probability * probability
    return dict(law)


def _ends(interval: Interval, margin: float) -> tuple[float, float]:
    low, high = float(interval[0]), float(interval[1])
    inside = min(margin, (high - low) / 4)
    first = low + inside if low > 0.0 else 0.0
    return first, high - inside if high < 1.0 else math.nextafter(1.0, 0.0)
