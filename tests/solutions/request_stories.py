"""The calls that the messages of target_distribution's known mistakes speak of: each mistake's own."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import Any

import numpy as np

from solutions.target_distribution.rounds import Round, scores_of

HALF = log(2.0)
WORKED = [8, 4, 3, 1]


def story(*rows: Sequence[float], history: Any = ([], [], []), **params: Any) -> Round:
    return Round(scores_of(*rows), params, history)


DRAFTS = story(WORKED, WORKED, WORKED, history=([], [], [0, 0]), frequency_penalty=HALF)
EQUAL_FREQUENCY = story([8, 8, 8, 8], history=([3], [0, 0, 1], []), frequency_penalty=HALF)
EQUAL_PRESENCE = story([8, 8, 8, 8], history=([3], [0, 0, 1], []), presence_penalty=HALF)
REPEATED = story([16, 0.5, 3, 1], history=([1], [0, 0], []), repetition_penalty=2.0)
MASKED = story(WORKED, WORKED, history=([], [], [1]), allowed_tokens=[[1, 2], [0, 3]], top_k=2)
WARM = story(WORKED, temperature=0.5)
TOP_P = story(WORKED, top_p=0.7)
UNSORTED = story([1, 4, 3, 8], top_p=0.7)

STORIES: dict[str, Round] = {
    "own_position": DRAFTS,
    "later_drafts": DRAFTS,
    "drafts_forgotten": DRAFTS,
    "last_draft_only": DRAFTS,
    "prompt_as_output": EQUAL_PRESENCE,
    "request_forgotten": WARM,
    "penalties_forgotten": DRAFTS,
    "penalties_after_temperature": story(WORKED, history=([], [0], []), frequency_penalty=HALF, temperature=0.5),
    "bias_after_penalties": story(
        [4, 2, 1, 0.5], history=([], [2], []), logit_bias={2: log(4.0)}, repetition_penalty=2.0
    ),
    "bias_after_temperature": story([4, 2, 1, 1], history=([], [2], []), logit_bias={2: HALF}, temperature=0.5),
    "mask_after_cuts": MASKED,
    "mask_after_softmax": MASKED,
    "mask_of_first_row": MASKED,
    "bonus_row_unmasked": MASKED,
    "cuts_before_temperature": story(WORKED, temperature=0.5, top_p=0.7),
    "top_p_before_top_k": story([10, 5, 4, 1], top_k=2, top_p=0.6),
    "min_p_last": story([10, 5, 4, 1], min_p=0.45, top_p=0.6),
    "zero_by_epsilon": story([4, 4, 1, 1], temperature=0.0),
    "temperature_of_probabilities": WARM,
    "greedy_on_raw_scores": story(WORKED, history=([], [0], []), temperature=0.0, presence_penalty=1.0),
    "repetition_swapped": REPEATED,
    "repetition_always_divides": REPEATED,
    "repetition_without_prompt": REPEATED,
    "repetition_per_count": REPEATED,
    "repetition_last": story([16, 4, 1, 1], history=([], [0], []), repetition_penalty=2.0, frequency_penalty=HALF),
    "presence_per_count": EQUAL_PRESENCE,
    "frequency_once": EQUAL_FREQUENCY,
    "min_p_against_one": story(WORKED, min_p=0.3),
    "top_k_strict": story(WORKED, top_k=2),
    "top_k_minus_one": story([1, 5, 3, 1.5], top_k=-1),
    "crossing_token_dropped": TOP_P,
    "top_p_in_vocabulary_order": UNSORTED,
    "top_p_mask_left_sorted": UNSORTED,
    "top_p_as_threshold": TOP_P,
    "exp_without_shift": Round(np.array([[-744.0, -745.0]]), {}, ([], [], [])),
    "divided_by_largest": story(WORKED),
}


def numbers_of(function: Callable[..., Any], told: Round) -> Iterator[float]:
    """What the function gives, what it is given, and what a cut adds up: masses in order, and their running sums."""
    with np.errstate(invalid="ignore"):  # a mistake may leave no token
        yield from function(*told).ravel()
    yield from np.exp(told.logits).ravel()
    yield from (value for value in told.params.values() if isinstance(value, float))
    for temperature in {1.0, told.params.get("temperature") or 1.0}:
        weights = np.sort(np.exp((told.logits[0] - told.logits[0].max()) / temperature))[::-1]
        yield from (*(weights / weights.sum()), *np.cumsum(weights / weights.sum()))
