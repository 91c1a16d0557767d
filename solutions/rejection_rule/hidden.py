"""The hidden checks of the exercise, and the probes that tell its known mistakes apart.

Expected numbers of the fixed cases are worked by hand; random cases ask the solution or the exact output law.
The locked input checks are not graded: a spliced answer always has them, and an answer judged as it was written
must not lose points for lines that are not its blanks.
"""
from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from exercises.expect import Answer, Text, call, call_unchanged, is_close, listed
from solutions.cases import random_law, random_pairs, rejectable
from solutions.law import Rule, one_step_law
from solutions.rejection_rule.solution import rejection_rule as right_rule

Function = Callable[..., Any]

TARGET = [0.1, 0.35, 0.25, 0.3]
DRAFT = [0.3, 0.1, 0.4, 0.2]
ROUNDING = 1e-12  # right answers may be written in ways that round differently
RARE = 2.0**-100  # about 8e-31: far below any epsilon, and found in the tails of real vocabularies

_ASYMMETRIC = ([0.5, 0.1875, 0.25, 0.0625], [0.125, 0.5, 0.1875, 0.1875])
PROBES: tuple[tuple[Any, ...], ...] = (
    ([0.7, 0.3], [0.4, 0.6], 1),  # p - q sums to rounding dust here, and to exactly 0 in all the others
    (*_ASYMMETRIC, 0),
    (*_ASYMMETRIC, 1),
    (*_ASYMMETRIC, 2),
    ([0.625, 0.25, 0.125], [0.625, 0.25, 0.125], 1),
    ([0.375, 0.0, 0.625], [0.25, 0.75, 0.0], 1),
    ([0.25, 0.75, RARE], [0.75, 0.25, 4 * RARE], 2),
)


def accepts_each_of_four_tokens(function: Function) -> None:
    for token, want in enumerate((1 / 3, 1.0, 0.625, 1.0)):
        _accept(call(function, TARGET, DRAFT, token)).close_to(want, ROUNDING, _RATIO)


def residual_over_four_tokens(function: Function) -> None:
    for token in (0, 2):
        _residual(call(function, TARGET, DRAFT, token)).close_to([0.0, 5 / 7, 0.0, 2 / 7], ROUNDING, _EXCESS)


def equal_laws_reject_nothing(function: Function) -> None:
    for token in range(4):
        answer = call(function, TARGET, list(TARGET), token)
        _accept(answer).close_to(1.0, ROUNDING, _EQUAL)
        _residual(answer).equals(TARGET, _FALLBACK)


def impossible_token_is_never_accepted(function: Function) -> None:
    answer = call(function, [0.25, 0.0, 0.75], [0.25, 0.5, 0.25], 1)
    _accept(answer).equals(0.0, _IMPOSSIBLE)
    _residual(answer).equals([0.0, 0.0, 1.0], _IMPOSSIBLE)


def disjoint_supports(function: Function) -> None:
    target, draft = [0.375, 0.0, 0.625, 0.0], [0.0, 0.75, 0.0, 0.25]
    for token in (1, 3):
        answer = call(function, target, draft, token)
        _accept(answer).equals(0.0, _DISJOINT)
        _residual(answer).equals(target, _DISJOINT)


def token_the_draft_never_proposes(function: Function) -> None:
    answer = call(function, [0.25, 0.25, 0.5], [0.25, 0.75, 0.0], 1)
    _accept(answer).close_to(1 / 3, ROUNDING, _RATIO)
    _residual(answer).equals([0.0, 0.0, 1.0], _NEVER_PROPOSED)


def vocabulary_of_one(function: Function) -> None:
    answer = call(function, [1.0], [1.0], 0)
    _accept(answer).close_to(1.0, ROUNDING, _EQUAL)
    _residual(answer).equals([1.0], _FALLBACK)


def tiny_draft_probability(function: Function) -> None:
    answer = call(function, [0.25, 0.75, RARE], [0.75, 0.25, 4 * RARE], 2)
    _accept(answer).close_to(0.25, ROUNDING, _TINY)


def vocabulary_of_a_thousand(function: Function, rng: random.Random) -> None:
    target, draft = random_law(rng, 1000), random_law(rng, 1000)
    for token in rng.sample([token for token in range(1000) if draft[token] > 0], 3):
        answer = call(function, target, draft, token)
        accept, residual = right_rule(target, draft, token)
        _accept(answer).close_to(accept, 1e-9, _RATIO)
        _residual(answer).close_to(residual, 1e-9, _EXCESS)


def two_paths_rebuild_the_target(function: Function, rng: random.Random) -> None:
    for target, draft in random_pairs(rng, 8):
        said = {token: call(function, target, draft, token) for token in range(len(draft)) if draft[token] > 0.0}
        rule = {token: (_accept(answer).value, _residual(answer).value) for token, answer in said.items()}
        ledger = one_step_law(target, draft, _looked_up(rule))
        off = [abs(got - want) for got, want in zip(ledger.law, target, strict=True)]
        worst = said.get(off.index(max(off))) or next(iter(said.values()))
        exact = not ledger.problem and max(off) <= ROUNDING
        worst.holds(exact, f"accepted + resampled == {target}", _TWO_PATHS)


def residual_is_a_distribution(function: Function, rng: random.Random) -> None:
    for target, draft in random_pairs(rng, 12):
        residual = _residual(call(function, target, draft, draft.index(max(draft))))
        residual.holds(len(residual.value) == len(target), f"len(residual) == {len(target)}", _DISTRIBUTION)
        residual.holds(min(residual.value) >= -ROUNDING, "min(residual) >= 0", _DISTRIBUTION)
        residual.holds(abs(sum(residual.value) - 1.0) <= ROUNDING, "sum(residual) == 1 ± 1e-12", _DISTRIBUTION)


def rejectable_token_does_not_return(function: Function, rng: random.Random) -> None:
    for target, draft in random_pairs(rng, 12):
        for token in rejectable(target, draft):
            residual = _residual(call(function, target, draft, token))
            residual.holds(len(residual.value) == len(target), f"len(residual) == {len(target)}", _DISTRIBUTION)
            residual.holds(abs(residual.value[token]) <= ROUNDING, f"residual[{token}] == 0", _NO_RETURN)


def accept_is_a_probability(function: Function, rng: random.Random) -> None:
    for target, draft in random_pairs(rng, 8):
        for token in range(len(target)):
            if draft[token] > 0.0:
                accept = _accept(call(function, target, draft, token))
                accept.holds(0.0 <= accept.value <= 1.0, "0 <= accept_probability <= 1", _PROBABILITY)


def inputs_stay_unchanged(function: Function) -> None:
    for draft in (DRAFT, TARGET):
        answer = call_unchanged(function, TARGET, draft, 1, why=_UNCHANGED)
        _accept(answer)
        _residual(answer)


def _looked_up(answers: dict[int, tuple[float, list[float]]]) -> Rule:
    """The answers as a rule: the law then calls no student code, and a failing call fails as that call."""
    return lambda target, draft, token: answers[token]


def _accept(answer: Answer) -> Answer:
    """The first half of the answer: any finite number; the checks say which."""
    accept = answer.parts(2, _PAIR)[0]
    accept.holds(_is_finite(accept.value), "float", _PROBABILITY)
    return accept


def _residual(answer: Answer) -> Answer:
    """The second half of the answer: a list of finite numbers; the checks say which."""
    residual = answer.parts(2, _PAIR)[1]
    entries = listed(residual.value)
    residual.holds(bool(entries) and all(map(_is_finite, entries or ())), "list[float]", _DISTRIBUTION)
    return Answer(residual.called, entries)


def _is_finite(value: Any) -> bool:
    return is_close(value, 0.0, math.inf)


_PAIR = Text(
    "the function returns a pair: (accept_probability, residual)",
    "函数要返回一个二元组：(accept_probability, residual)",
)
_RATIO = Text(
    "a proposal stays in the share of cases that the target wants of what the draft proposes, and at most always",
    "一个提议留下的比例，是目标想要的占草稿提议的多少，最多是每次都留下",
)
_EXCESS = Text(
    "after a rejection each token is drawn in proportion to what the target has on it beyond the draft",
    "拒绝之后，每个词元按目标高出草稿的多少成比例地被抽出",
)
_EQUAL = Text(
    "the models agree on this token, so there is nothing to correct: every proposal stays",
    "两个模型对这个词元的看法一致，没有什么要纠正：每次提议都留下",
)
_FALLBACK = Text(
    "nothing is missing, so the residual mass is 0 on every token and the locked lines return the target; "
    "no rejection can lead there, because every token is accepted with probability 1",
    "什么也不缺，所以每个词元的残差质量都是 0，锁定的代码行返回目标分布；"
    "任何一次拒绝都走不到那里，因为每个词元的接受概率都是 1",
)
_IMPOSSIBLE = Text(
    "the target never produces this token, so it must not come out by either path",
    "目标模型绝不产生这个词元，所以它不能从任何一条路径输出",
)
_DISJOINT = Text(
    "the draft proposes only tokens that the target never produces: all are rejected, and the residual is the target",
    "草稿只提议目标绝不产生的词元：全部拒绝，残差就是目标分布",
)
_NEVER_PROPOSED = Text(
    "the draft never proposes the last token, so all of it has to come through the residual",
    "草稿从不提议最后一个词元，所以它的全部概率都要经由残差得到",
)
_TINY = Text(
    "only the ratio counts, and it is a quarter; adding anything to the draft probability changes it",
    "只有比值才算数，这里是四分之一；给草稿概率加上任何东西都会改变它",
)
_TWO_PATHS = Text(
    "over all draft tokens, accepted mass plus resampled mass must be the target's probability of each token",
    "对所有草稿词元求和，接受的质量加上重采样的质量，必须等于目标对每个词元的概率",
)
_DISTRIBUTION = Text(
    "tokens are drawn from the residual, so it is a list of V probabilities that sum to 1",
    "词元要从残差里抽取，所以它是 V 个概率组成的列表，总和为 1",
)
_NO_RETURN = Text(
    "a token that can be rejected has come out often enough by acceptance; it misses nothing",
    "可能被拒绝的词元，经由接受路径输出得已经足够，什么也不缺",
)
_PROBABILITY = Text(
    "the accept probability is a number from 0 to 1",
    "接受概率是 0 到 1 之间的一个数",
)
_UNCHANGED = Text(
    "the caller still needs its lists as they were",
    "调用者之后还要用这些列表，不能改动",
)
