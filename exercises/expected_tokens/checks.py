"""The visible checks of the exercise: one round, in numbers that can be worked by hand."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from exercises.expect import Text, call

Function = Callable[..., Any]


def mean_of_the_worked_round(expected_tokens: Function) -> None:
    call(expected_tokens, 0.8, 4).close_to(3.3616, 1e-12, _MEAN)


def limits_of_the_worked_round(expected_tokens: Function) -> None:
    call(expected_tokens, 1.0, 4).close_to(5.0, 1e-12, _CERTAIN)
    call(expected_tokens, 0.8, math.inf).close_to(5.0, 1e-12, _ENDLESS)


def speedup_of_the_worked_round(expected_tokens: Function, speedup: Function) -> None:
    call(speedup, 0.8, 4, 0.1).close_to(3.3616 / 1.4, 1e-12, _SPEEDUP)


def best_length_of_the_worked_round(expected_tokens: Function, best_draft_length: Function) -> None:
    call(best_draft_length, 0.8, 0.1).equals(6, _BEST)


def break_even_of_the_worked_round(expected_tokens: Function, break_even: Function) -> None:
    call(break_even, 1, 0.1).close_to(0.1, 1e-12, _ONE_DRAFT)
    call(break_even, 2, 0.5).close_to((math.sqrt(5.0) - 1.0) / 2.0, 1e-12, _TWO_DRAFTS)


_MEAN = Text(
    "one token always comes out, and one more for each draft token up to which all were accepted: "
    "1 + 0.8 + 0.64 + 0.512 + 0.4096",
    "总有一个词元输出；每个“到它为止全部被接受”的草稿词元再多一个：1 + 0.8 + 0.64 + 0.512 + 0.4096",
)
_CERTAIN = Text(
    "all 4 draft tokens are accepted every time, and the bonus token comes on top",
    "4 个草稿词元每次都被接受，另外还有奖励词元",
)
_ENDLESS = Text(
    "the draft never runs out, so the sum 1 + 0.8 + 0.64 + … goes on for ever",
    "草稿永远用不完，所以 1 + 0.8 + 0.64 + … 一直加下去",
)
_SPEEDUP = Text(
    "3.3616 tokens come out of a round that costs one pass of the target and 4 draft tokens at 0.1 each",
    "一轮输出 3.3616 个词元，代价是目标模型的一趟，加上 4 个各花 0.1 的草稿词元",
)
_BEST = Text(
    "the speedup is 2.4595 for 5 draft tokens, 2.4696 for 6 and 2.4477 for 7",
    "5 个草稿词元时加速比是 2.4595，6 个时 2.4696，7 个时 2.4477",
)
_ONE_DRAFT = Text(
    "with one draft token the speedup (1 + alpha) / (1 + c) is 1 where alpha equals c",
    "只有一个草稿词元时，加速比 (1 + alpha) / (1 + c) 在 alpha 等于 c 时为 1",
)
_TWO_DRAFTS = Text(
    "1 + alpha + alpha² must make up for 2 draft tokens at 0.5 each: alpha² + alpha = 1",
    "1 + alpha + alpha² 要抵得上 2 个各花 0.5 的草稿词元：alpha² + alpha = 1",
)
