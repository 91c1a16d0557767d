"""Verification rounds as cases for hidden checks: their arguments, and the cells into which the uniforms fall."""
from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from exercises.expect import Answer, Text, call_text, call_unchanged, listed
from solutions import round_reasons as reasons
from solutions.cases import random_law
from solutions.rejection_rule.solution import rejection_rule
from solutions.scripted import Cell
from solutions.trees import Round

INSIDE = 1e-9  # of the width of a cell: beyond any rounding
LAST = 1.0 - 2.0**-53  # the largest uniform
RARE = 2.0**-100  # about 8e-31: far below any epsilon, and found in the tails of real vocabularies
TIE = 1.0 - 2.0**-30  # a coin just below 1, and yet far enough for logarithms
ALMOST = 1.0 - 2.0**-22  # times a law: smaller everywhere, so that nothing is missing anywhere


def round_of(tokens: Sequence[int], target: Sequence[Any], draft: Sequence[Any]) -> Round:
    """A round of these draft tokens, K + 1 target rows and K draft rows."""
    target_rows = np.array(target, dtype=np.float64)
    draft_rows = np.array(draft, dtype=np.float64).reshape(len(tokens), target_rows.shape[1])
    return Round(np.array(tokens, dtype=np.int64), target_rows, draft_rows, 1.0)


def arguments(given: Round, coins: Sequence[float], final_draw: float) -> tuple[Any, ...]:
    """The arguments of one call; the arrays are copies, for the call may change them."""
    arrays = (given.draft_tokens, given.target_rows, given.draft_rows, np.array(coins, dtype=np.float64))
    return (*(array.copy() for array in arrays), final_draw)


def emits(
    function: Callable[..., Any], given: Round, coins: Sequence[float], final_draw: float, want: list[int], why: Text
) -> None:
    """The call must return these tokens. The text of the call is only made where it doesn't: that takes far longer."""
    value = function(*arguments(given, coins, final_draw))
    if type(value) is list and all(type(token) is int for token in value) and value == want:
        return
    called(function, value, given, coins, final_draw).tokens(want, why)


def called(
    function: Callable[..., Any], value: Any, given: Round, coins: Sequence[float], final_draw: float
) -> Answer:
    """The answer of a call that has been made, with its text."""
    return Answer(call_text(function, arguments(given, coins, final_draw)), value)


def emitted(
    function: Callable[..., Any], value: Any, given: Round, coins: Sequence[float], final_draw: float
) -> list[int]:
    """What a call returned, as 1 to K + 1 token ids below V. Fails where it's something else."""
    size, vocabulary = given.draft_rows.shape
    tokens = listed(value)
    if not tokens or len(tokens) > size + 1 or not all(_is_token(token, vocabulary) for token in tokens):
        expected = f"1 <= len(tokens) <= {size + 1}, 0 <= token < {vocabulary}"
        called(function, value, given, coins, final_draw).fail(expected, reasons.TOKENS)
    return [*map(int, tokens or ())]


def _is_token(value: Any, vocabulary: int) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and bool(0 <= value < vocabulary)


def keeps_its_inputs(function: Callable[..., Any], given: Round, coins: Sequence[float], final_draw: float) -> None:
    """The call must return a list, what is in it doesn't matter here, and change none of its arguments."""
    answer = call_unchanged(function, *arguments(given, coins, final_draw), why=reasons.UNCHANGED)
    if listed(answer.value) is None:  # who computes nothing changes nothing
        answer.fail("list", reasons.TOKENS)


def emits_in_every_cell(function: Callable[..., Any], given: Round, why: Text, kept: int | None = None) -> None:
    """The tokens of every cell, near both of its ends; `kept`: only where that many draft tokens stay."""
    for cell in cells(given):
        if kept is None or len(cell.wanted) == kept + 1:
            for *coins, final_draw in (cell.low, cell.high):
                emits(function, given, coins, final_draw, cell.wanted, why)


def cells(given: Round, inside: float = INSIDE) -> Iterator[Cell]:
    """The cells of the coins and the final draw, as the rejection rule cuts them. The probabilities sum to 1.

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
                yield Cell(_inside(box, inside), _inside(box, 1.0 - inside), share, [*tokens[:kept], token])


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
    return round_of(tokens, target, draft)


FOUR = round_of(  # four tokens at three positions; the ratios of the draft tokens are 1/3, 5/8 and 1/2
    [0, 2, 3],
    [[0.1, 0.35, 0.25, 0.3], [0.3, 0.2, 0.25, 0.25], [0.45, 0.3, 0.05, 0.2], [0.15, 0.3, 0.35, 0.2]],
    [[0.3, 0.1, 0.4, 0.2], [0.2, 0.1, 0.4, 0.3], [0.2, 0.1, 0.3, 0.4]],
)
EIGHTHS = round_of(  # all sums, differences and quotients of the rows are exact
    [1, 2],
    [[0.0, 0.125, 0.375, 0.5, 0.0], [0.0, 0.375, 0.125, 0.25, 0.25], [0.0, 0.25, 0.5, 0.25, 0.0]],
    [[0.125, 0.5, 0.25, 0.125, 0.0], [0.125, 0.125, 0.5, 0.125, 0.125]],
)
