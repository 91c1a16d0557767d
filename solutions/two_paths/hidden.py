"""The hidden checks of the exercise, and the probes that tell its known mistakes apart.

Expected numbers of the fixed cases are worked by hand; random cases ask the exact law of the rejection rule. The law
alone shows little, since many wrong paths add up to the target; so the checks ask for the paths one by one. The locked
input checks are not graded.
"""
from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from exercises.expect import Answer, Text, call, call_unchanged, is_close, listed
from solutions.cases import random_law, random_pairs
from solutions.law import Ledger, one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule

Function = Callable[..., Any]

TARGET = [0.1, 0.35, 0.25, 0.3]
DRAFT = [0.3, 0.1, 0.4, 0.2]
ROUNDING = 1e-12  # right answers may be written in ways that round differently

PROBES: tuple[tuple[Any, ...], ...] = (  # all sums and differences are exact here
    ([0.75, 0.25], [0.25, 0.75], True),
    ([0.5, 0.1875, 0.25, 0.0625], [0.125, 0.5, 0.1875, 0.1875], True),
    ([0.625, 0.25, 0.125], [0.625, 0.25, 0.125], True),
    ([0.375, 0.0, 0.625], [0.25, 0.75, 0.0], True),
)


class Paths(NamedTuple):
    """The parts of an answer with apart=True; each is what its field's name says, of the right kind."""

    accepted: Answer
    reject_probability: Answer
    resampled: Answer


def accepted_mass_of_four_tokens(function: Function) -> None:
    _paths(function, TARGET, DRAFT).accepted.close_to([0.1, 0.1, 0.25, 0.2], ROUNDING, _ACCEPTED)


def reject_probability_of_four_tokens(function: Function) -> None:
    _paths(function, TARGET, DRAFT).reject_probability.close_to(0.35, ROUNDING, _REJECTED)


def resampled_mass_of_four_tokens(function: Function) -> None:
    _paths(function, TARGET, DRAFT).resampled.close_to([0.0, 0.25, 0.0, 0.1], ROUNDING, _RESAMPLED)


def equal_laws_use_one_path(function: Function) -> None:
    paths = _paths(function, TARGET, list(TARGET))
    paths.accepted.close_to(TARGET, ROUNDING, _EQUAL)
    paths.reject_probability.close_to(0.0, ROUNDING, _EQUAL)
    paths.resampled.close_to([0.0] * 4, ROUNDING, _FALLBACK)


def impossible_token_has_no_path(function: Function) -> None:
    paths = _paths(function, [0.25, 0.0, 0.75], [0.25, 0.5, 0.25])
    paths.accepted.close_to([0.25, 0.0, 0.25], ROUNDING, _IMPOSSIBLE)
    paths.resampled.close_to([0.0, 0.0, 0.5], ROUNDING, _IMPOSSIBLE)


def disjoint_supports_use_the_other_path(function: Function) -> None:
    target = [0.375, 0.0, 0.625, 0.0]
    paths = _paths(function, target, [0.0, 0.75, 0.0, 0.25])
    paths.accepted.close_to([0.0] * 4, ROUNDING, _DISJOINT)
    paths.reject_probability.close_to(1.0, ROUNDING, _DISJOINT)
    paths.resampled.close_to(target, ROUNDING, _DISJOINT)


def token_the_draft_never_proposes(function: Function) -> None:
    paths = _paths(function, [0.25, 0.25, 0.5], [0.25, 0.75, 0.0])
    paths.accepted.close_to([0.25, 0.25, 0.0], ROUNDING, _NEVER_PROPOSED)
    paths.resampled.close_to([0.0, 0.0, 0.5], ROUNDING, _NEVER_PROPOSED)


def vocabulary_of_one(function: Function) -> None:
    paths = _paths(function, [1.0], [1.0])
    paths.accepted.close_to([1.0], ROUNDING, _EQUAL)
    paths.reject_probability.close_to(0.0, ROUNDING, _EQUAL)
    paths.resampled.close_to([0.0], ROUNDING, _FALLBACK)


def vocabulary_of_a_thousand(function: Function, rng: random.Random) -> None:
    _agrees_with_the_rule(function, random_law(rng, 1000), random_law(rng, 1000))


def paths_add_up_to_the_target(function: Function, rng: random.Random) -> None:
    for target, draft in random_pairs(rng, 8):
        paths = _paths(function, target, draft)
        pairs = zip(paths.accepted.value, paths.resampled.value, strict=True)
        Answer(f"{paths.accepted.called} + resampled", [kept + drawn for kept, drawn in pairs]).close_to(
            target, ROUNDING, _SUM
        )
        call(function, target, draft).close_to(target, ROUNDING, _SUM)


def paths_agree_with_the_step_itself(function: Function, rng: random.Random) -> None:
    for target, draft in random_pairs(rng, 8):
        _agrees_with_the_rule(function, target, draft)


def reject_path_carries_what_was_rejected(function: Function, rng: random.Random) -> None:
    for target, draft in random_pairs(rng, 12):
        paths = _paths(function, target, draft)
        rejected = paths.reject_probability.value
        exact = abs(sum(paths.resampled.value) - rejected) <= ROUNDING and 0.0 <= rejected <= 1.0
        paths.resampled.holds(exact, f"sum(resampled) == reject_probability == {rejected}", _CARRIED)


def inputs_stay_unchanged(function: Function) -> None:
    for draft in (DRAFT, TARGET):
        law = call_unchanged(function, TARGET, draft, why=_UNCHANGED)
        law.close_to(TARGET, ROUNDING, _SUM)


def _agrees_with_the_rule(function: Function, target: list[float], draft: list[float]) -> None:
    """The mass of each path, as the rejection rule sends it for every draft token."""
    paths = _paths(function, target, draft)
    ledger = _ledger(tuple(target), tuple(draft))
    paths.accepted.close_to(ledger.accepted, ROUNDING, _ACCEPTED)
    paths.reject_probability.close_to(total_variation(target, draft), ROUNDING, _REJECTED)
    paths.resampled.close_to(ledger.resampled, ROUNDING, _RESAMPLED)


@functools.lru_cache(maxsize=32)
def _ledger(target: tuple[float, ...], draft: tuple[float, ...]) -> Ledger:
    """Kept for the next answer with the same seed: a thousand tokens make a million paths."""
    return one_step_law(target, draft, rejection_rule)


def _paths(function: Function, target: list[float], draft: list[float]) -> Paths:
    """The paths one by one: V finite numbers, a finite number, V finite numbers; the checks say which."""
    accepted, rejected, resampled = call(function, target, draft, True).parts(3, _APART)
    rejected.holds(_is_finite(rejected.value), "float", _APART)
    return Paths(_masses(accepted, len(target)), rejected, _masses(resampled, len(target)))


def _masses(answer: Answer, size: int) -> Answer:
    entries = listed(answer.value)
    right_kind = entries is not None and len(entries) == size and all(map(_is_finite, entries))
    answer.holds(right_kind, f"list[float], len == {size}", _APART)
    return Answer(answer.called, entries)


def _is_finite(value: Any) -> bool:
    return is_close(value, 0.0, math.inf)


_APART = Text(
    "with apart=True the function returns (accepted, reject_probability, resampled): V masses, a number, V masses",
    "apart=True 时，函数要返回 (accepted, reject_probability, resampled)：V 个质量、一个数、V 个质量",
)
_ACCEPTED = Text(
    "a token comes out by acceptance as often as the draft proposes it, but no more often than the target wants it",
    "一个词元经由接受输出的概率，是草稿提议它的概率，但不超过目标想要的概率",
)
_REJECTED = Text(
    "a step ends in a rejection whenever its proposal isn't kept: count the mass of all tokens that isn't accepted",
    "一步的提议没有留下，就是被拒绝：把所有词元没有被接受的质量都算进去",
)
_RESAMPLED = Text(
    "a token comes out after a rejection with the probability of a rejection times its share of the residual",
    "一个词元在拒绝之后输出的概率，是发生拒绝的概率乘以它在残差分布里的份额",
)
_EQUAL = Text(
    "the models agree on every token, so every proposal is kept and nothing is rejected",
    "两个模型对每个词元都一致，所以每次提议都留下，什么也不拒绝",
)
_FALLBACK = Text(
    "nothing is rejected, so the reject path has no mass: what the fallback holds is weighted with 0",
    "什么也没有被拒绝，所以拒绝路径没有质量：后备分支里不论是什么，权重都是 0",
)
_IMPOSSIBLE = Text(
    "the target never produces token 1, so neither path may bring it; its proposals are all rejected",
    "目标绝不产生词元 1，所以哪条路径都不能输出它；提议了也全部被拒绝",
)
_DISJOINT = Text(
    "the draft proposes only tokens that the target never produces, so every step goes through a rejection",
    "草稿只提议目标绝不产生的词元，所以每一步都要经过拒绝",
)
_NEVER_PROPOSED = Text(
    "the draft never proposes token 2, so it can't be accepted; all of it comes by the reject path",
    "草稿从不提议词元 2，所以它不可能被接受，全部要由拒绝路径输出",
)
_SUM = Text(
    "accepted mass plus resampled mass is the target's probability of each token",
    "对每个词元，接受的质量加上重采样的质量，等于目标对它的概率",
)
_CARRIED = Text(
    "after every rejection exactly one token is drawn, so the resampled masses sum to the probability of a rejection, "
    "a number from 0 to 1",
    "每次拒绝之后恰好抽出一个词元，所以重采样质量的总和等于发生拒绝的概率，它是 0 到 1 之间的数",
)
_UNCHANGED = Text(
    "the caller still needs its lists as they were",
    "调用者之后还要用这些列表，不能改动",
)
