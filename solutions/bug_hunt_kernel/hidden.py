"""The hidden checks of the exercise, one or two for each planted fault, and the probes that tell the mistakes apart.

The check of a fault passes where the other faults are still in: what it hands in doesn't touch them.
"""
from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from exercises.expect import Text, call_unchanged
from solutions.rounds import (
    ALMOST,
    EIGHTHS,
    FOUR,
    LAST,
    RARE,
    TIE,
    Round,
    cells,
    emits,
    emits_in_every_cell,
    random_round,
)

Function = Callable[..., Any]

_ROW = [0.0, 0.25, 0.5, 0.25]
_LOW = [ALMOST * mass for mass in _ROW]
_THREE = Round.of(  # the ratios of the draft tokens are 1/4, 1/2 and 1; all is exact
    [0, 2, 1],
    [[0.125, 0.375, 0.25, 0.25], [0.5, 0.0, 0.25, 0.25], [0.25, 0.25, 0.5, 0.0], [0.125, 0.25, 0.125, 0.5]],
    [[0.5, 0.125, 0.25, 0.125], [0.25, 0.125, 0.5, 0.125], [0.25, 0.25, 0.25, 0.25]],
)
_RARE_THEN_REJECTED = Round.of([2, 0], [[0.25, 0.75, RARE], [0.0, 1.0, 0.0], _ROW[1:]], [[0.75, 0.25, RARE], _ROW[1:]])
_RARE_REJECTED = Round.of([2], [[0.25, 0.75, RARE], _ROW[1:]], [[0.75, 0.25, 4 * RARE]])
_IMPOSSIBLE = Round.of([1], [[0.5, 0.0, 0.5], _ROW[1:]], [[0.25, 0.5, 0.25]])
_EQUAL = Round.of([1], [[0.25, 0.25, 0.5], _ROW[1:]], [[0.25, 0.5, 0.25]])
_NEITHER = Round.of([1], [[0.5, 0.0, 0.5], _ROW[1:]], [[0.75, 0.0, 0.25]])
_ROUNDED = Round.of([1], [_LOW, [0.5, 0.0, 0.0, 0.5]], [_ROW])
_ROUNDED_SECOND = Round.of([1, 2], [[0.0, 0.75, 0.125, 0.125], _LOW, [1.0, 0.0, 0.0, 0.0]], [_ROW, _ROW])
_NO_DRAFTS = Round.of([], [_ROW], [])

PROBES: tuple[tuple[Any, ...], ...] = (
    _RARE_THEN_REJECTED.arguments([0.5, 0.5], 0.1),
    _IMPOSSIBLE.arguments([0.0], 0.3),
    _EQUAL.arguments([0.5], 0.3),
    _ROUNDED.arguments([TIE], 0.9),
    _ROUNDED.arguments([TIE], 0.3),
    _THREE.arguments([0.0, 0.0, 0.5], 0.9),
    _THREE.arguments([0.125, 0.25, 0.5], 0.2),
    _THREE.arguments([0.125, 0.75, 0.5], 0.9),
    _NO_DRAFTS.arguments([], 0.5),
)


def rare_tokens(function: Function) -> None:
    """Both are followed by a rejection or are one themselves, so that no bonus is due."""
    for mass in (1e-13, RARE):
        rest = 1.0 - mass
        target = [[0.25, rest - 0.25, mass], [0.0, 1.0, 0.0], [0.25, 0.5, 0.25]]
        even = Round.of([2, 0], target, [[0.5, rest - 0.5, mass], [0.5, 0.25, 0.25]])
        for coin in (0.25, 0.5, 0.9, TIE):
            emits(function, even, [coin, 0.5], 0.5, [2, 1], _RATIO)
        quarter = Round.of([2, 0], target, [[0.75, rest - 0.75, 4 * mass], [0.5, 0.25, 0.25]])
        emits(function, quarter, [0.2, 0.5], 0.5, [2, 1], _RATIO)
        emits(function, quarter, [0.3, 0.5], 0.5, [1], _RATIO)


def coin_of_zero(function: Function) -> None:
    for draw, token in ((0.3, 0), (0.9, 2)):
        emits(function, _IMPOSSIBLE, [0.0], draw, [token], _STRICT)
    emits(function, _NEITHER, [0.0], 0.9, [2], _STRICT)


def coin_equal_to_the_ratio(function: Function) -> None:
    """A sure token at coin 0 stays, and a coin that is the ratio itself rejects. Both rounds end in a rejection."""
    sure = Round.of([2, 1], [[0.25, 0.25, 0.5], *_IMPOSSIBLE.target_rows.tolist()], [_ROW[1:], [0.25, 0.5, 0.25]])
    emits(function, sure, [0.0, 0.7], 0.9, [2, 2], _STRICT)
    emits(function, _EQUAL, [0.5], 0.3, [2], _EQUALITY)


def nothing_missing(function: Function) -> None:
    for draw, token in ((0.001, 1), (0.24, 1), (0.26, 2), (0.74, 2), (0.76, 3), (0.999, 3)):
        emits(function, _ROUNDED, [TIE], draw, [token], _ROUNDED_AWAY)
        emits(function, _ROUNDED_SECOND, [0.5, TIE], draw, [1, token], _ROUNDED_AWAY)


def bonus_token(function: Function) -> None:
    for draw, token in ((0.0, 0), (0.12, 0), (0.2, 1), (0.45, 2), (0.6, 3), (LAST, 3)):
        emits(function, _THREE, [0.125, 0.25, 0.5], draw, [0, 2, 1, token], _BONUS)


def no_draft_tokens(function: Function) -> None:
    for row in (_ROW, [1.0], [0.5, 0.0, 0.5]):
        emits_in_every_cell(function, Round.of([], [row], []), _EMPTY)


def ordinary_rounds(function: Function, rng: random.Random) -> None:
    """Every outcome that ends in a rejection: what was handed out had it right."""
    for given in (FOUR, random_round(rng, 1, 5), random_round(rng, 2, 4), random_round(rng, 3, 3)):
        for cell in cells(given, inside=1e-6):  # an epsilon moves the ends of the cells by less
            if len(cell.tokens) <= len(given.draft_tokens):
                for *coins, final_draw in cell.ends:
                    emits(function, given, coins, final_draw, cell.tokens, _ELSEWHERE)
    for later, coin in ((0.2, 0.7), (0.7, 0.2)):
        emits(function, FOUR, [0.7, coin, later], 0.3, [1], _ELSEWHERE)


def ends_of_the_final_draw(function: Function) -> None:
    """The smallest and the largest draw after a rejection, and one that is a cumulative sum to the last bit."""
    for coins, draws in (([0.9, 0.0], {0.0: [2], LAST: [3]}), ([0.0, 0.9], {0.0: [1, 1], LAST: [1, 4]})):
        for draw, want in draws.items():
            emits(function, EIGHTHS, coins, draw, want, _FIRST_GREATER)
    half = Round.of([1], [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    emits(function, half, [0.5], 0.5, [2], _FIRST_GREATER)


def inputs_stay_unchanged(function: Function) -> None:
    for given, coins in ((_THREE, [0.1, 0.1, 0.1]), (_THREE, [0.1, 0.9, 0.1]), (_ROUNDED, [TIE]), (_NO_DRAFTS, [])):
        call_unchanged(function, *given.arguments(coins, 0.4), why=_UNCHANGED)


_RATIO = Text(
    "only the ratio of the two probabilities counts, however rare the token: equal ones always stay, a quarter stays "
    "below 0.25",
    "不论词元多么罕见，只看两个概率之比：相等时总是留下；目标是草稿的四分之一时，硬币小于 0.25 才留下",
)
_STRICT = Text(
    "a coin of 0 keeps every token that the target can produce, and none that it can't",
    "硬币为 0 时，目标可能产生的词元都留下，不可能产生的都不留",
)
_EQUALITY = Text(
    "the coin equals the ratio; of the coins in [0, 1) exactly the share below the ratio must keep the token, so an "
    "equal one rejects",
    "硬币恰好等于比值；[0, 1) 里的硬币应当恰好有比值那么大的一部分让词元留下，所以相等时要拒绝",
)
_ROUNDED_AWAY = Text(
    "the token is rejected although nothing is missing anywhere: rounding can do that. Then the target row stands in "
    "for the residual",
    "词元被拒绝了，可哪里都不缺质量：舍入误差会造成这种情况。这时用目标的这一行代替残差",
)
_BONUS = Text(
    "all draft tokens stay, so one more token is drawn from the last target row",
    "草稿词元全部留下，所以再从目标的最后一行抽一个词元",
)
_EMPTY = Text(
    "with K = 0 nothing is judged, and one token is drawn from the only target row",
    "K = 0 时没有要判断的词元，从唯一的目标行里抽一个词元",
)
_ELSEWHERE = Text(
    "this round has none of the planted faults in its way: the code that was handed out gets it right",
    "这一轮碰不到任何埋下的错误：最初给你的代码在这里是对的",
)
_FIRST_GREATER = Text(
    "the token is the first whose cumulative sum is greater than final_draw; a sum that is equal is not greater, and a "
    "token without mass is never drawn",
    "要取累积和第一次大于 final_draw 的词元；相等不算大于，没有质量的词元绝不能被抽到",
)
_UNCHANGED = Text(
    "the caller still needs its arrays as they were",
    "调用者之后还要用这些数组，不能改动",
)
