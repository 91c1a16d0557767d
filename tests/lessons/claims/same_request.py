"""Every number of “Same request, same law”."""
from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lessons.figures.known_rules import function
from lessons.figures.rules import wrong_names
from solutions import mismatches
from solutions.cases import one_hot
from solutions.law import Rule, one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from solutions.target_distribution.solution import target_distribution
from tests.lessons.claims.kinds import Claim, Computed, Sourced, Written

SCORES, DRAFT = np.log([[8.0, 4.0, 3.0, 1.0]]), [0.4, 0.3, 0.2, 0.1]
WORKED, FOUR = ((0.7, 0.3), (0.4, 0.6)), ((0.45, 0.3, 0.2, 0.05), (0.2, 0.35, 0.1, 0.35))
MASKED = ((0.5, 0.3, 0.2, 0.0), (0.2, 0.2, 0.2, 0.4))


def row(scores: np.ndarray, processing: Callable[..., Any] = target_distribution, **params: Any) -> list[float]:
    return [float(mass) for mass in processing(scores, params, ([], [], []))[0]]


def forgotten() -> float:
    """What comes out where the rows are the raw softmax, from what a request with temperature 0.5 asks for."""
    raw = row(SCORES, function("target_distribution", "request_forgotten"), temperature=0.5)
    return total_variation(one_step_law(raw, DRAFT, rejection_rule).law, row(SCORES, temperature=0.5))


def rate(target: Sequence[float], draft: Sequence[float], rule: Rule = rejection_rule) -> float:
    return sum(one_step_law(target, draft, rule).accepted)


def surely(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
    """A sampled draft token that is judged as if the draft had been sure of it."""
    return rejection_rule(target, [float(other == token) for other in range(len(draft))], token)


def written(law: Sequence[float], digits: int = 3) -> str:
    return "$(" + ", ".join(f"{round(mass, digits):g}" for mass in law) + ")$"


@functools.cache
def greedy_green() -> tuple[str, ...]:
    """The known mistakes that break the law of FOUR and pass every test in which both rows are one token."""
    rules = {name: function("rejection_rule", name) for name in wrong_names()}
    certain = [one_hot(token, 4) for token in range(4)]
    return tuple(name for name, rule in rules.items() if breaks(*FOUR, rule, 0.01) and not any(
        breaks(one, other, rule, 1e-9) for one, other in itertools.product(certain, repeat=2)
    ))


def breaks(target: Sequence[float], draft: Sequence[float], rule: Rule, more_than: float) -> bool:
    ledger = one_step_law(target, draft, rule)
    return bool(ledger.problem) or total_variation(ledger.law, target) > more_than


def law_of(pair: tuple[Sequence[float], Sequence[float]], rule: Rule) -> str:
    return written(one_step_law(*pair, rule).law)


CLAIMS: dict[str, Claim] = {
    "raw_law": Written(lambda: written(row(SCORES), 4)),
    "cool_law": Written(lambda: written(row(SCORES, temperature=0.5))),
    "forgotten_distance": Computed(forgotten),
    "rate_neither": Computed(lambda: rate(row(SCORES), DRAFT)),
    "rate_target": Computed(lambda: rate(row(SCORES, top_k=2), DRAFT)),
    "rate_both": Computed(lambda: rate(row(SCORES, top_k=2), row(np.log([DRAFT]), top_k=2))),
    "rate_sure": Computed(lambda: rate(row(SCORES, top_k=2), [1.0, 0.0, 0.0, 0.0])),
    "rate_sure_before": Computed(lambda: rate(row(SCORES), [1.0, 0.0, 0.0, 0.0])),
    "nearly_greedy": Computed(lambda: row(SCORES, temperature=0.1)[0]),
    "tie_stays": Computed(lambda: row(np.log([[4.0, 4.0, 1.0]]), temperature=0.01)[1]),
    "known_mistakes": Computed(lambda: len(wrong_names())),
    "greedy_green": Computed(lambda: len(greedy_green())),
    "agree": Computed(lambda: rate(*FOUR, mismatches.match_or_own)),
    "overlap": Computed(lambda: rate(*FOUR)),
    "fresh_distance": Computed(
        lambda: total_variation(one_step_law(*WORKED, mismatches.match_or_fresh).law, WORKED[0])
    ),
    "greedy_scored": Written(lambda: law_of(((0.6, 0.4), (1.0, 0.0)), mismatches.scored((0.8, 0.2)))),
    "wrong_q_report": Sourced("transformers/issues/47932"),
    "removed_law": Written(lambda: law_of(MASKED, mismatches.removed_then_target([3]))),
    "padding_law": Written(lambda: law_of(MASKED, mismatches.never_drawn_then_residual)),
    "sure_distance": Computed(lambda: total_variation(one_step_law(*FOUR, surely).law, FOUR[0])),
    "sure_keeps": Computed(lambda: rate(*FOUR, surely)),
    "quiz_rate": Computed(lambda: rate((0.75, 0.25, 0.0, 0.0), (0.25,) * 4)),
}
