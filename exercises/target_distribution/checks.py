"""The visible checks of the exercise: each stage on one case, then two calls of the whole."""
from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np

from exercises.expect import Text, call

Function = Callable[..., Any]

SCORES = np.log([8.0, 4.0, 3.0, 1.0])  # the law [8, 4, 3, 1] / 16


def best(count: int) -> np.ndarray:
    """SCORES with only its first tokens left."""
    return np.where(np.arange(4) < count, SCORES, -np.inf)


def softmax_of_the_worked_case(target_distribution: Function, softmax: Function) -> None:
    call(softmax, SCORES).close_to([0.5, 0.25, 0.1875, 0.0625], 1e-12, _SOFTMAX)


def penalties_of_the_worked_case(target_distribution: Function, penalised: Function) -> None:
    settings = {"repetition_penalty": 2.0, "frequency_penalty": 0.25, "presence_penalty": 0.5}
    call(penalised, np.array([2.0, 1.0, -1.0, 0.5]), [2], [0, 0], settings).close_to(
        [0.0, 1.0, -2.0, 0.5], 1e-12, _PENALTIES
    )


def min_p_of_the_worked_case(target_distribution: Function, cut_min_p: Function) -> None:
    call(cut_min_p, SCORES, 0.3).close_to(best(3), 1e-12, _MIN_P)


def top_k_of_the_worked_case(target_distribution: Function, cut_top_k: Function) -> None:
    call(cut_top_k, SCORES, 2).close_to(best(2), 1e-12, _TOP_K)


def top_p_of_the_worked_case(target_distribution: Function, cut_top_p: Function) -> None:
    call(cut_top_p, SCORES, 0.7).close_to(best(2), 1e-12, _TOP_P)


def temperature_of_the_worked_case(target_distribution: Function) -> None:
    answer = call(target_distribution, SCORES[None], {"temperature": 0.5}, ([], [], []))
    answer.close_to([[64 / 90, 16 / 90, 9 / 90, 1 / 90]], 1e-12, _TEMPERATURE)


def history_of_the_worked_case(target_distribution: Function) -> None:
    params = {"frequency_penalty": log(2.0)}
    answer = call(target_distribution, np.array([SCORES, SCORES, SCORES]), params, ([], [], [0, 0]))
    want = [[8 / 16, 4 / 16, 3 / 16, 1 / 16], [4 / 12, 4 / 12, 3 / 12, 1 / 12], [2 / 10, 4 / 10, 3 / 10, 1 / 10]]
    answer.close_to(want, 1e-12, _HISTORY)


_SOFTMAX = Text(
    "the scores are ln 8, ln 4, ln 3 and ln 1, so the weights are 8, 4, 3 and 1",
    "得分是 ln 8、ln 4、ln 3、ln 1，所以权重是 8、4、3、1",
)
_PENALTIES = Text(
    "token 0 was emitted twice: 2.0 / 2 - 2 * 0.25 - 0.5 = 0; token 2 is only in the prompt, and negative: -1.0 * 2; "
    "tokens 1 and 3 are new",
    "词元 0 输出过两次：2.0 / 2 - 2 * 0.25 - 0.5 = 0；词元 2 只在提示词里，得分为负：-1.0 * 2；词元 1 和 3 没有出现过",
)
_MIN_P = Text(
    "the likeliest token has 0.5, so a token needs at least 0.3 * 0.5 = 0.15; token 3 has 0.0625",
    "最可能的词元概率是 0.5，所以至少要有 0.3 * 0.5 = 0.15；词元 3 只有 0.0625",
)
_TOP_K = Text("the two largest scores stay", "留下得分最高的两个")
_TOP_P = Text(
    "token 0 alone has 0.5, less than 0.7; with token 1 it is 0.75, so token 1 crosses the line and stays",
    "词元 0 单独只有 0.5，不到 0.7；加上词元 1 是 0.75，词元 1 正好越过这条线，要留下",
)
_TEMPERATURE = Text(
    "dividing by 0.5 doubles each score, which squares the weights: 64, 16, 9 and 1",
    "除以 0.5 使每个得分加倍，权重也就平方：64、16、9、1",
)
_HISTORY = Text(
    "each time that token 0 lies before a position, its weight there is halved: never in row 0, once in row 1, twice "
    "in row 2",
    "词元 0 在某个位置之前每出现一次，它在那里的权重就减半：第 0 行没有，第 1 行一次，第 2 行两次",
)
