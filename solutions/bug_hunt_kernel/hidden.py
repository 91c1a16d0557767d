"""The hidden checks of the exercise, one or two for each planted fault, and the probes that tell the mistakes apart.

The check of a fault passes where the other faults are still in: what it hands in doesn't touch them.
"""
from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from solutions import round_reasons as reasons
from solutions.rounds import (
    ALMOST,
    EIGHTHS,
    FOUR,
    LAST,
    RARE,
    TIE,
    arguments,
    cells,
    emits,
    emits_in_every_cell,
    keeps_its_inputs,
    random_round,
    round_of,
)

Function = Callable[..., Any]

_ROW = [0.0, 0.25, 0.5, 0.25]
_LOW = [ALMOST * mass for mass in _ROW]
_THREE = round_of(  # the ratios of the draft tokens are 1/4, 1/2 and 1; all is exact
    [0, 2, 1],
    [[0.125, 0.375, 0.25, 0.25], [0.5, 0.0, 0.25, 0.25], [0.25, 0.25, 0.5, 0.0], [0.125, 0.25, 0.125, 0.5]],
    [[0.5, 0.125, 0.25, 0.125], [0.25, 0.125, 0.5, 0.125], [0.25, 0.25, 0.25, 0.25]],
)
_RARE_THEN_REJECTED = round_of([2, 0], [[0.25, 0.75, RARE], [0.0, 1.0, 0.0], _ROW[1:]], [[0.75, 0.25, RARE], _ROW[1:]])
_IMPOSSIBLE = round_of([1], [[0.5, 0.0, 0.5], _ROW[1:]], [[0.25, 0.5, 0.25]])
_EQUAL = round_of([1], [[0.25, 0.25, 0.5], _ROW[1:]], [[0.25, 0.5, 0.25]])
_NEITHER = round_of([1], [[0.5, 0.0, 0.5], _ROW[1:]], [[0.75, 0.0, 0.25]])
_ROUNDED = round_of([1], [_LOW, [0.5, 0.0, 0.0, 0.5]], [_ROW])
_ROUNDED_SECOND = round_of([1, 2], [[0.0, 0.75, 0.125, 0.125], _LOW, [1.0, 0.0, 0.0, 0.0]], [_ROW, _ROW])
_WITHOUT_DRAFTS = round_of([], [_ROW], [])

PROBES: tuple[tuple[Any, ...], ...] = (
    arguments(_RARE_THEN_REJECTED, [0.5, 0.5], 0.1),
    arguments(_IMPOSSIBLE, [0.0], 0.3),
    arguments(_EQUAL, [0.5], 0.3),
    arguments(_ROUNDED, [TIE], 0.9),
    arguments(_ROUNDED, [TIE], 0.3),
    arguments(_THREE, [0.0, 0.0, 0.5], 0.9),
    arguments(_THREE, [0.125, 0.25, 0.5], 0.2),
    arguments(_THREE, [0.125, 0.75, 0.5], 0.9),
    arguments(_WITHOUT_DRAFTS, [], 0.5),
)


def rare_tokens(function: Function) -> None:
    """Both are followed by a rejection or are one themselves, so that no bonus is due."""
    for mass in (1e-13, RARE):
        rest = 1.0 - mass
        target = [[0.25, rest - 0.25, mass], [0.0, 1.0, 0.0], [0.25, 0.5, 0.25]]
        even = round_of([2, 0], target, [[0.5, rest - 0.5, mass], [0.5, 0.25, 0.25]])
        for coin in (0.25, 0.5, 0.9, TIE):
            emits(function, even, [coin, 0.5], 0.5, [2, 1], reasons.TINY)
        quarter = round_of([2, 0], target, [[0.75, rest - 0.75, 4 * mass], [0.5, 0.25, 0.25]])
        emits(function, quarter, [0.2, 0.5], 0.5, [2, 1], reasons.TINY)
        emits(function, quarter, [0.3, 0.5], 0.5, [1], reasons.TINY)


def coin_of_zero(function: Function) -> None:
    for draw, token in ((0.3, 0), (0.9, 2)):
        emits(function, _IMPOSSIBLE, [0.0], draw, [token], reasons.STRICT)
    emits(function, _NEITHER, [0.0], 0.9, [2], reasons.STRICT)


def coin_equal_to_the_ratio(function: Function) -> None:
    """A sure token at coin 0 stays, and a coin that is the ratio itself rejects. Both rounds end in a rejection."""
    sure = round_of([2, 1], [[0.25, 0.25, 0.5], *_IMPOSSIBLE.target_rows.tolist()], [_ROW[1:], [0.25, 0.5, 0.25]])
    emits(function, sure, [0.0, 0.7], 0.9, [2, 2], reasons.STRICT)
    emits(function, _EQUAL, [0.5], 0.3, [2], reasons.EQUALITY)


def nothing_missing(function: Function) -> None:
    for draw, token in ((0.001, 1), (0.24, 1), (0.26, 2), (0.74, 2), (0.76, 3), (0.999, 3)):
        emits(function, _ROUNDED, [TIE], draw, [token], reasons.ROUNDED_AWAY)
        emits(function, _ROUNDED_SECOND, [0.5, TIE], draw, [1, token], reasons.ROUNDED_AWAY)


def bonus_token(function: Function) -> None:
    for draw, token in ((0.0, 0), (0.12, 0), (0.2, 1), (0.45, 2), (0.6, 3), (LAST, 3)):
        emits(function, _THREE, [0.125, 0.25, 0.5], draw, [0, 2, 1, token], reasons.BONUS)


def no_draft_tokens(function: Function) -> None:
    for row in (_ROW, [1.0], [0.5, 0.0, 0.5]):
        emits_in_every_cell(function, round_of([], [row], []), reasons.NO_DRAFTS)


def ordinary_rounds(function: Function, rng: random.Random) -> None:
    """Every outcome that ends in a rejection: what was handed out had it right."""
    for given in (FOUR, random_round(rng, 1, 5), random_round(rng, 2, 4), random_round(rng, 3, 3)):
        for cell in cells(given, inside=1e-6):  # an epsilon moves the ends of the cells by less
            if len(cell.wanted) <= len(given.draft_tokens):
                for *coins, final_draw in (cell.low, cell.high):
                    emits(function, given, coins, final_draw, cell.wanted, reasons.ELSEWHERE)
    for later, coin in ((0.2, 0.7), (0.7, 0.2)):
        emits(function, FOUR, [0.7, coin, later], 0.3, [1], reasons.ELSEWHERE)


def ends_of_the_final_draw(function: Function) -> None:
    """The smallest and the largest draw after a rejection, and one that is a cumulative sum to the last bit."""
    for coins, draws in (([0.9, 0.0], {0.0: [2], LAST: [3]}), ([0.0, 0.9], {0.0: [1, 1], LAST: [1, 4]})):
        for draw, want in draws.items():
            emits(function, EIGHTHS, coins, draw, want, reasons.FIRST_GREATER)
    half = round_of([1], [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    emits(function, half, [0.5], 0.5, [2], reasons.FIRST_GREATER)


def inputs_stay_unchanged(function: Function) -> None:
    for given, coins in ((_THREE, [0.1] * 3), (_THREE, [0.1, 0.9, 0.1]), (_ROUNDED, [TIE]), (_WITHOUT_DRAFTS, [])):
        keeps_its_inputs(function, given, coins, 0.4)
