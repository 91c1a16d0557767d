"""The visible checks of the exercise: one round by hand with three sets of uniforms, and two models that agree."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from exercises.expect import Text, call

DRAFT_TOKENS = np.array([1, 0])
TARGET_ROWS = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1]])
DRAFT_ROWS = np.array([[0.3, 0.6, 0.1], [0.6, 0.2, 0.2]])
UNIFORM_ROWS = np.full((3, 10), 0.1)


def both_accepted_and_a_bonus(speculative_step: Callable[..., Any]) -> None:
    _round(speculative_step, [0.4, 0.3], 0.82, [1, 0, 1], _BONUS)


def second_one_rejected(speculative_step: Callable[..., Any]) -> None:
    _round(speculative_step, [0.4, 0.5], 0.72, [1, 1], _SECOND)


def first_one_rejected(speculative_step: Callable[..., Any]) -> None:
    _round(speculative_step, [0.7, 0.1], 0.72, [2], _FIRST)


def models_that_agree(
    speculative_step: Callable[..., Any], speculative_step_verification: Callable[..., Any]
) -> None:
    for seed in range(5):
        answer = call(speculative_step_verification, [1, 2, 3], UNIFORM_ROWS, UNIFORM_ROWS, seed)
        answer.tokens([1, 2, 3], _AGREE)


def _round(function: Callable[..., Any], coins: list[float], final_draw: float, want: list[int], why: Text) -> None:
    call(function, DRAFT_TOKENS, TARGET_ROWS, DRAFT_ROWS, np.array(coins), final_draw).tokens(want, why)


_BONUS = Text(
    "token 1 stays (0.4 is below 0.3/0.6) and token 0 too (0.3 is below 0.2/0.6); so the last target row gives one "
    "more token: its sums are 0.5, 0.9, 1.0, and the first one above 0.82 is that of token 1",
    "词元 1 留下（0.4 小于 0.3/0.6），词元 0 也留下（0.3 小于 0.2/0.6）；于是目标的最后一行再给一个词元："
    "它的累积和是 0.5、0.9、1.0，第一个大于 0.82 的属于词元 1",
)
_SECOND = Text(
    "token 1 stays, token 0 is rejected (0.5 is not below 0.2/0.6); its row still misses 0.3 on token 1 and 0.1 on "
    "token 2, so the sums are 0, 0.75, 1, and the first one above 0.72 is that of token 1",
    "词元 1 留下，词元 0 被拒绝（0.5 不小于 0.2/0.6）；这一行还缺词元 1 的 0.3 和词元 2 的 0.1，"
    "所以累积和是 0、0.75、1，第一个大于 0.72 的属于词元 1",
)
_FIRST = Text(
    "token 1 is rejected (0.7 is not below 0.3/0.6), so what follows it is void, whatever its coin; missing are 0.2 on "
    "token 0 and 0.1 on token 2, and the first sum above 0.72 is that of token 2",
    "词元 1 被拒绝（0.7 不小于 0.3/0.6），它后面的都作废，不管硬币是多少；还缺词元 0 的 0.2 和词元 2 的 0.1，"
    "第一个大于 0.72 的累积和属于词元 2",
)
_AGREE = Text(
    "where target and draft are equal, every draft token stays, whatever the random numbers",
    "目标与草稿相等时，不论随机数是多少，每个草稿词元都留下",
)
