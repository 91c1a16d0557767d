"""What the chapter on speed claims: the formula, its counterexamples, the roofline, and what others measured."""
from __future__ import annotations

import math
from collections.abc import Callable

from lessons.models.traces import Measured, measured, traces
from solutions.acceptance import Kind, mean_tokens, survival
from solutions.expected_tokens.solution import best_draft_length, expected_tokens, speedup
from solutions.roofline import (
    CACHE_BYTES,
    MANY,
    Drafting,
    Server,
    full_batch,
    gain,
    largest_paying_batch,
    tokens_a_second,
)
from tests.lessons.claims.kinds import Claim, Computed, Sourced

ALPHA, K, C = 0.8, 4, 0.05
STUDY = "2601.11580"


def border(drafts: int) -> Computed:
    return Computed(lambda: largest_paying_batch(Server(), Drafting(ALPHA, drafts, C)))


def gain_at(batch: int) -> Computed:
    return Computed(lambda: gain(Server(), batch, Drafting(ALPHA, K, C)))


def speed(alpha: float, drafts: int, cost: float) -> Computed:
    return Computed(lambda: speedup(alpha, drafts, cost))


def tokens(alpha: float, drafts: float) -> Computed:
    return Computed(lambda: expected_tokens(alpha, drafts))


def pair(number: Callable[[Measured], float]) -> Computed:
    """Of the course's own pair: the 4-gram draft at temperature 1."""
    return Computed(lambda: number(measured(4, 1.0, K)))


CLAIMS: dict[str, Claim] = {
    "tokens_1": tokens(ALPHA, 1),
    "tokens_4": tokens(ALPHA, 4),
    "tokens_16": tokens(ALPHA, 16),
    "tokens_endless": tokens(ALPHA, math.inf),
    "last_token": Computed(lambda: expected_tokens(ALPHA, 16) - expected_tokens(ALPHA, 15)),
    "cheap": speed(0.4, 1, 0.05),
    "dear": speed(0.4, 4, 0.2),
    "dear_one": speed(0.4, 1, 0.2),
    "long": speed(0.8, 16, 0.3),
    "runs": Computed(lambda: mean_tokens(survival([Kind(0.5, [1.0] * 4), Kind(0.5, [0.0] * 4)]))),
    "runs_formula": tokens(0.5, 4),
    "decay": Computed(lambda: mean_tokens(survival([Kind(1.0, [0.8, 0.6, 0.45, 0.35])]))),
    "decay_formula": tokens(0.8, 4),
    "pair_texts": Computed(lambda: traces().shape[2]),
    "pair_length": Computed(lambda: traces().shape[3]),
    "pair_tokens": pair(lambda seen: seen.tokens_per_pass),
    "pair_alpha": pair(lambda seen: seen.alpha),
    "pair_formula": pair(lambda seen: seen.formula),
    "pair_gap": pair(lambda seen: seen.gap),
    "greedy_tokens": Computed(lambda: measured(4, 0.0, K).tokens_per_pass),
    "greedy_alpha": Computed(lambda: measured(4, 0.0, K).alpha),
    "greedy_formula": Computed(lambda: measured(4, 0.0, K).formula),
    "greedy_gap": Computed(lambda: measured(4, 0.0, K).gap),
    "greedy_5_tokens": Computed(lambda: measured(5, 0.0, K).tokens_per_pass),
    "greedy_5_alpha": Computed(lambda: measured(5, 0.0, K).alpha),
    "greedy_5_formula": Computed(lambda: measured(5, 0.0, K).formula),
    "greedy_5_gap": Computed(lambda: -measured(5, 0.0, K).gap),
    "pair_first": pair(lambda seen: seen.accepted[0]),
    "pair_fourth": pair(lambda seen: seen.accepted[3]),
    "full_plain": Computed(lambda: full_batch(Server())),
    "full_round": Computed(lambda: math.ceil(full_batch(Server(), K + 1))),
    "gain_1": gain_at(1),
    "most": border(K),
    "gain_512": gain_at(512),
    "ceiling_plain": Computed(lambda: tokens_a_second(Server(), MANY) / 1e3),
    "ceiling_drafted": Computed(lambda: tokens_a_second(Server(), MANY, Drafting(ALPHA, K, C)) / 1e3),
    "most_one": border(1),
    "cache_token": Computed(lambda: CACHE_BYTES / 1e3),
    "cache": Computed(lambda: 8000 * CACHE_BYTES / 1e9),
    "eagle_70b": Sourced(STUDY, 1.96),
    "eagle_8b": Sourced(STUDY, 1.21),
    "target_share": Sourced(STUDY, 0.95),
    "sampler_share": Sourced(STUDY, 0.017),
    "best_length": Computed(lambda: best_draft_length(ALPHA, C)),
    "best_speed": speed(ALPHA, 8, C),
    "too_long": speed(ALPHA, 16, C),
    "quiz_four": speed(0.3, 4, 0.1),
    "quiz_one": speed(0.3, 1, 0.1),
}
