"""The law of every exhibit, by its id: what the target wants and what comes out, computed by the engine.

Wrong rules are the exercises' known mistakes wherever there is one; the others are in solutions.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from lessons.figures.bug_museum import requests, whole_texts
from lessons.figures.bug_museum.requests import row
from lessons.figures.bug_museum.seen import Seen, first_token, one_step
from lessons.figures.distributions import EXAMPLES, Pair
from lessons.figures.known_rules import function
from solutions import mismatches
from solutions.cases import one_hot
from solutions.numerics.rule import closed_on_grid
from solutions.shared_noise import shared_noise_ledger
from solutions.target_distribution.solution import target_distribution

FOUR = EXAMPLES["four"]
EDGE = Pair((0.5, 0.3, 0.2, 0.0), (0.2, 0.2, 0.2, 0.4))  # the last token must never come
GREEDY = Pair((0.6, 0.4), (0.8, 0.2))  # the example of the report
NOISE = Pair((0.2, 0.4, 0.4), (0.6, 0.3, 0.1))
ANOTHER_ROW = (0.1, 0.2, 0.3, 0.4)


def _known_rule(*names: str) -> Seen:
    return one_step(FOUR, function("rejection_rule", *names))


def greedy_scored() -> Seen:
    return one_step(GREEDY, mismatches.scored(GREEDY.draft), drawn_from=one_hot(0, 2))


def raw_scores() -> Seen:
    """The draft draws after top-k with k = 2, and reports what it had before."""
    scores = np.log(np.array([[0.2, 0.35, 0.1, 0.35]]))
    return one_step(FOUR, mismatches.scored(FOUR.draft), drawn_from=row(target_distribution, scores, {"top_k": 2}))


def pad_as_token() -> Seen:
    """Nothing was proposed; the place is filled with token 0, and that is judged with a row it was not drawn from."""
    wrong = one_step(EDGE, mismatches.scored(EDGE.draft), drawn_from=one_hot(0, 4))
    return Seen(EDGE.target, wrong.law, draft=EDGE.draft)


def pad_residual() -> Seen:
    return Seen(EDGE.target, one_step(EDGE, mismatches.never_drawn_then_residual).law, draft=EDGE.draft)


def shared_noise() -> Seen:
    exact = shared_noise_ledger(*([Fraction(str(mass)) for mass in row] for row in (NOISE.target, NOISE.draft)))
    rate = float(sum(exact.accepted))
    return Seen(NOISE.target, tuple(map(float, exact.law)), (rate, rate), draft=NOISE.draft)


LAWS: Mapping[str, Callable[[], Seen]] = {
    "greedy_scored": greedy_scored,
    "raw_scores": raw_scores,
    "draft_dropped": lambda: _known_rule("accepts_with_target", "rejected_token_zeroed"),
    "request_forgotten": requests.request_forgotten,
    "softmax_twice": requests.softmax_twice,
    "wrong_row": lambda: one_step(FOUR, mismatches.judged_against(ANOTHER_ROW)),
    "argmax_verifier": lambda: one_step(FOUR, mismatches.judged_against(one_hot(0, 4))),
    "constant_coin": lambda: _known_rule("always_accepts"),
    "closed_at_zero": lambda: one_step(EDGE, closed_on_grid(24)),
    "block_token_residual": whole_texts.block_token_residual,
    "shared_noise": shared_noise,
    "coin_reused": lambda: first_token("coin_reused", FOUR),
    "token_zeroed": lambda: _known_rule("rejected_token_zeroed"),
    "softmax_residual": lambda: _known_rule("softmax_of_residual"),
    "residual_floor": lambda: first_token("residual_floor", EDGE),
    "pad_as_token": pad_as_token,
    "pad_residual": pad_residual,
    "end_inside": whole_texts.end_inside,
    "bonus_unmasked": requests.bonus_unmasked,
    "penalties_forgotten": requests.penalties_forgotten,
    "last_token_counted": requests.last_token_counted,
    "stale_draft_row": lambda: one_step(FOUR, mismatches.scored(ANOTHER_ROW)),
    "stale_state": whole_texts.stale_state,
}


@functools.cache
def seen(name: str) -> Seen:
    return LAWS[name]()
