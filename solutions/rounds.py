"""Verification rounds as cases for hidden checks: their arguments, and the cells into which the uniforms fall."""
from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from exercises.expect import Answer, Text, call_text
from solutions.cases import random_law
from solutions.rejection_rule.solution import rejection_rule

INSIDE = 1e-9  # of the width of a cell: beyond any rounding
LAST = 1.0 - 2.0**-53  # the largest uniform
RARE = 2.0**-100  # about 8e-31: far below any epsilon, and found in the tails of real vocabularies
TIE = 1.0 - 2.0**-30  # a coin just below 1, and yet far enough for logarithms
ALMOST = 1.0 - 2.0**-22  # times a law: smaller everywhere, so that nothing is missing anywhere


class Round(NamedTuple):
    """What a round is given, but for the uniforms: shapes (K,), (K + 1, V), (K, V)."""

    draft_tokens: np.ndarray
    target_rows: np.ndarray
    draft_rows: np.ndarray

    @classmethod
    def of(cls, tokens: Sequence[int], target: Sequence[Any], draft: Sequence[Any]) -> Round:
        """Of these draft tokens, K + 1 target rows and K draft rows."""
        rows = np.array(draft, dtype=np.float64).reshape(len(draft), len(target[0]))
        return cls(np.array(tokens, dtype=np.int64), np.array(target, dtype=np.float64), rows)

    def arguments(self, coins: Sequence[float], final_draw: float) -> tuple[Any, ...]:
        """The arguments of one call; the arrays are copies, for the call may change them."""
        return (*(part.copy() for part in self), np.array(coins, dtype=np.float64), final_draw)


class Cell(NamedTuple):
    """Uniforms that all lead to the same tokens: K coins and a final draw near either end, and their share of all."""

    ends: tuple[tuple[float, ...], ...]
    tokens: list[int]
    share: float


def emits(
    function: Callable[..., Any], given: Round, coins: Sequence[float], final_draw: float, want: list[int], why: Text
) -> None:
    """The call must return these tokens. The text of the call is only made where it doesn't: that takes far longer."""
    arguments = given.arguments(coins, final_draw)
    value = function(*arguments)
    if type(value) is list and all(type(token) is int for token in value) and value == want:
        return
    text = call_text(function.__name__, given.arguments(coins, final_draw))
    Answer(text, value).tokens(want, why)


def emits_in_every_cell(function: Callable[..., Any], given: Round, why: Text, kept: int | None = None) -> None:
    """The tokens of every cell, near both of its ends; `kept`: only where that many draft tokens stay."""
    for cell in cells(given):
        if kept is None or len(cell.tokens) == kept + 1:
            for *coins, final_draw in cell.ends:
                emits(function, given, coins, final_draw, cell.tokens, why)


def cells(given: Round, inside: float = INSIDE) -> Iterator[Cell]:
    """The cube of the K + 1 uniforms, cut where the rule's outcome changes. The shares sum to 1.

    inside: how far from the ends of a cell its uniforms lie, in widths of the cell.
    Each draft token must have positive draft probability.
    """
    tokens, targets = given.draft_tokens.tolist(), given.target_rows.tolist()
    steps = [rejection_rule(*case) for case in zip(targets[:-1], given.draft_rows.tolist(), tokens, strict=True)]
    for kept in range(len(tokens) + 1):
        passed = [(0.0, accept) for accept, _ in steps[:kept]]
        failed = [(accept, 1.0) for accept, _ in steps[kept : kept + 1]]
        unused = [(0.0, 1.0) for _ in steps[kept + 1 :]]
        law = steps[kept][1] if failed else targets[-1]
        for token, interval in enumerate(_intervals(law)):
            box = [*passed, *failed, *unused, interval]
            share = math.prod(high - low for low, high in box)
            if share > 1e-12:  # less is rounding
                yield Cell((_inside(box, inside), _inside(box, 1.0 - inside)), [*tokens[:kept], token], share)


def _inside(box: list[tuple[float, float]], at: float) -> tuple[float, ...]:
    return tuple(low + at * (high - low) for low, high in box)


def _intervals(law: Sequence[float]) -> Iterator[tuple[float, float]]:
    reach = 0.0
    for mass in law:
        yield reach, min(reach + mass, 1.0)
        reach += mass


def random_round(rng: random.Random, size: int, vocabulary: int) -> Round:
    """K = `size` draft tokens, each drawn from its row."""
    target = [random_law(rng, vocabulary) for _ in range(size + 1)]
    draft = [random_law(rng, vocabulary) for _ in range(size)]
    tokens = [rng.choices(range(vocabulary), row)[0] for row in draft]
    return Round.of(tokens, target, draft)


FOUR = Round.of(  # four tokens at three positions; the ratios of the draft tokens are 1/3, 5/8 and 1/2
    [0, 2, 3],
    [[0.1, 0.35, 0.25, 0.3], [0.3, 0.2, 0.25, 0.25], [0.45, 0.3, 0.05, 0.2], [0.15, 0.3, 0.35, 0.2]],
    [[0.3, 0.1, 0.4, 0.2], [0.2, 0.1, 0.4, 0.3], [0.2, 0.1, 0.3, 0.4]],
)
EIGHTHS = Round.of(  # all sums, differences and quotients of the rows are exact
    [1, 2],
    [[0.0, 0.125, 0.375, 0.5, 0.0], [0.0, 0.375, 0.125, 0.25, 0.25], [0.0, 0.25, 0.5, 0.25, 0.0]],
    [[0.125, 0.5, 0.25, 0.125, 0.0], [0.125, 0.125, 0.5, 0.125, 0.125]],
)
