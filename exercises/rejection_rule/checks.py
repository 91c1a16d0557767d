"""The visible checks of the exercise: the lesson's worked case, computed by hand there."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exercises.expect import Text, call

TARGET = [0.7, 0.3]
DRAFT = [0.4, 0.6]


def accepts_half_of_token_1(rejection_rule: Callable[..., Any]) -> None:
    accept, _ = call(rejection_rule, TARGET, DRAFT, 1).parts(2, _PAIR)
    accept.close_to(0.5, 1e-12, _HALF)


def accepts_all_of_token_0(rejection_rule: Callable[..., Any]) -> None:
    accept, _ = call(rejection_rule, TARGET, DRAFT, 0).parts(2, _PAIR)
    accept.equals(1.0, _ALL)


def residual_is_all_on_token_0(rejection_rule: Callable[..., Any]) -> None:
    _, residual = call(rejection_rule, TARGET, DRAFT, 1).parts(2, _PAIR)
    residual.equals([1.0, 0.0], _MISSING)


_PAIR = Text(
    "the function returns a pair: (accept_probability, residual)",
    "函数要返回一个二元组：(accept_probability, residual)",
)
_HALF = Text(
    "the draft proposes token 1 with probability 0.6, the target wants it with 0.3: half of the proposals may stay",
    "草稿以 0.6 的概率提议词元 1，目标只要 0.3：只能留下一半的提议",
)
_ALL = Text(
    "the draft proposes token 0 with probability 0.4, less than the 0.7 the target wants: every proposal stays",
    "草稿以 0.4 的概率提议词元 0，少于目标想要的 0.7：每次提议都留下",
)
_MISSING = Text(
    "accepted proposals give token 0 a mass of 0.4 and token 1 all its 0.3; the target still misses 0.3 on token 0 "
    "and nothing on token 1",
    "接受路径给了词元 0 质量 0.4，给足了词元 1 的 0.3；目标还缺的 0.3 全在词元 0 上，词元 1 不缺",
)
