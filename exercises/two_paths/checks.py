"""The visible checks of the exercise: the lesson's worked case, path by path and added up."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exercises.expect import Text, call

TARGET = [0.7, 0.3]
DRAFT = [0.4, 0.6]


def accept_path_of_the_worked_case(two_paths: Callable[..., Any]) -> None:
    accepted, _, _ = call(two_paths, TARGET, DRAFT, True).parts(3, _PATHS)
    accepted.close_to([0.4, 0.3], 1e-12, _ACCEPTED)


def reject_probability_of_the_worked_case(two_paths: Callable[..., Any]) -> None:
    _, reject_probability, _ = call(two_paths, TARGET, DRAFT, True).parts(3, _PATHS)
    reject_probability.close_to(0.3, 1e-12, _REJECTED)


def reject_path_of_the_worked_case(two_paths: Callable[..., Any]) -> None:
    _, _, resampled = call(two_paths, TARGET, DRAFT, True).parts(3, _PATHS)
    resampled.close_to([0.3, 0.0], 1e-12, _RESAMPLED)


def law_of_the_worked_case(two_paths: Callable[..., Any]) -> None:
    call(two_paths, TARGET, DRAFT).close_to([0.7, 0.3], 1e-12, _LAW)


_PATHS = Text(
    "with apart=True the function returns (accepted, reject_probability, resampled)",
    "apart=True 时，函数要返回 (accepted, reject_probability, resampled)",
)
_ACCEPTED = Text(
    "token 0 is proposed with 0.4 and always kept; token 1 is proposed with 0.6, and half of that is kept",
    "词元 0 以 0.4 的概率被提议，每次都留下；词元 1 以 0.6 的概率被提议，留下一半",
)
_REJECTED = Text(
    "0.7 of all proposals are kept, whatever the token; the others are rejected",
    "所有提议合起来有 0.7 被留下，不论是哪个词元；其余的都被拒绝",
)
_RESAMPLED = Text(
    "a step is rejected with probability 0.3, and the residual [1, 0] then gives token 0 every time",
    "一步以 0.3 的概率被拒绝，随后残差分布 [1, 0] 每次都给出词元 0",
)
_LAW = Text(
    "what comes out of the two paths together is the target, token by token",
    "两条路径合起来输出的，逐个词元都正好是目标分布",
)
