"""The hidden checks of the exercise, one for each planted fault, and those of `verify_batch` for what must stay right.

The check of a fault is made so that the other three can't be seen by it: a student who repairs one passes one more.
"""
from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from exercises.expect import Text, call_unchanged
from solutions.batch_cases import (
    Batch,
    Round,
    batch_of,
    expect_emitted,
    expect_row_by_row,
    probe,
    random_rounds,
    underflowed,
)
from solutions.cases import one_hot
from solutions.verify_batch.hidden import a_tie_is_a_rejection as a_tie_is_a_rejection
from solutions.verify_batch.hidden import exact_law_of_a_whole_grid as exact_law_of_a_whole_grid
from solutions.verify_batch.hidden import final_draws_at_the_edges as final_draws_at_the_edges
from solutions.verify_batch.hidden import half_precision_rows as half_precision_rows
from solutions.verify_batch.hidden import no_draft_tokens_at_all as no_draft_tokens_at_all
from solutions.verify_batch.hidden import results_are_int64_tensors as results_are_int64_tensors
from solutions.verify_batch.hidden import same_tokens_as_row_by_row as same_tokens_as_row_by_row

Function = Callable[..., Any]

LAW = [0.0, 0.5, 0.25, 0.25]


def _rejected_rounds() -> list[Round]:
    """Different lengths, each with a rejection somewhere and one coin all over: only the rows can be wrong."""
    stays, goes = one_hot(0, 6), one_hot(1, 6)
    rounds = []
    for length, place, token in ((3, 1, 2), (1, 0, 3), (2, 1, 4), (1, 0, 5)):
        target = [stays] * (length + 1)
        target[place] = one_hot(token, 6)
        draft = [stays if other != place else goes for other in range(length)]
        rounds.append(Round([law.index(1.0) for law in draft], target, draft, [0.5] * length, 0.5))
    return rounds


def _coin_rounds() -> list[Round]:
    """Two draft tokens each, the second one rejected or the first: only the coins can be wrong."""
    target, draft = [0.25, 0.5, 0.25], [0.5, 0.25, 0.25]
    coins = ([0.25, 0.75], [0.75, 0.25], [0.125, 0.625])
    return [Round([0, 0], [target] * 3, [draft] * 2, pair, 0.5) for pair in coins]


def _bonus_rounds() -> list[Round]:
    """Everything accepted, at equal lengths: only the bonus rows can be wrong."""
    laws = [one_hot(token, 6) for token in range(6)]
    return [
        Round([token] * 2, [laws[token], laws[token], laws[token + 3]], [laws[token]] * 2, [0.5] * 2, 0.5)
        for token in range(3)
    ]


def _underflowed_rounds() -> list[Round]:
    """Rejections without residual mass, and one with, at equal lengths."""
    return [
        underflowed(LAW, 0.25),
        Round([1], [[0.25, 0.25, 0.5, 0.0], LAW], [one_hot(1, 4)], [0.5], 0.625),
        underflowed(LAW, 0.875),
    ]


def _mixed() -> Batch:
    return batch_of(random_rounds(random.Random(8), (0, 4, 3, 3, 0, 2, 1, 0)))


def _underflowed_in_float32() -> Batch:
    """Where the rows are converted, and so copied, before anything is written into them."""
    return batch_of([underflowed(LAW, draw, 2.0**-25) for draw in (0.25, 0.875)], "float32")


MADE = (
    lambda: batch_of(_rejected_rounds()),
    lambda: batch_of(_coin_rounds()),
    lambda: batch_of(_bonus_rounds()),
    lambda: batch_of(_underflowed_rounds()),
    _mixed,
    _underflowed_in_float32,
)
PROBES = tuple(probe("bug_hunt_batch", make) for make in MADE)


def rows_where_lengths_differ(function: Function) -> None:
    expect_emitted(function, _rejected_rounds(), [[0, 2], [3], [0, 4], [5]], _RAGGED)


def coins_of_each_position(function: Function) -> None:
    expect_emitted(function, _coin_rounds(), [[0, 1], [1], [0, 1]], _COINS)


def bonus_rows(function: Function) -> None:
    expect_emitted(function, _bonus_rounds(), [[0, 0, 3], [1, 1, 4], [2, 2, 5]], _BONUS)


def rows_stay_as_they_were(function: Function) -> None:
    rounds = _underflowed_rounds()
    call_unchanged(function, *batch_of(rounds), why=_UNCHANGED)
    expect_row_by_row(function, rounds, _FALLBACK)


_RAGGED = Text(
    "the requests have 3, 1, 2 and 1 draft tokens, and each is rejected at a row of its own, which names the token: a "
    "request's target rows begin after all rows of the requests before it",
    "各请求的草稿词元有 3、1、2、1 个，每个请求都在自己的某一行被拒绝，这一行决定了词元：一个请求的目标行，"
    "从前面各请求的全部行之后开始",
)
_COINS = Text(
    "each request has two draft tokens with coins of their own; the first one that is not below 1/2 rejects",
    "每个请求有两个草稿词元，各有自己的硬币；第一枚不小于 1/2 的硬币会拒绝",
)
_BONUS = Text(
    "everything is accepted, and each bonus row gives all its mass to a token that no row before it has",
    "全部接受；每个奖励行把全部质量放在一个前面各行都没有的词元上",
)
_UNCHANGED = Text(
    "the caller reads these rows again, for log probabilities say; nothing may be written into them",
    "调用者之后还要读这些行，例如计算对数概率；不能往里面写任何东西",
)
_FALLBACK = Text(
    "a residual without mass falls back to the target row as it came in",
    "没有质量的残差，要用传入时的目标行代替",
)
