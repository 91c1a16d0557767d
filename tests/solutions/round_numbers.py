"""What the messages of the exercise speculative_step quote: the round of the visible checks, with their uniforms."""
from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from exercises.speculative_step.checks import DRAFT_ROWS, DRAFT_TOKENS, TARGET_ROWS

Function = Callable[..., Any]
UNIFORMS = (([0.4, 0.3], 0.82), ([0.4, 0.5], 0.72), ([0.7, 0.1], 0.72))


def emitted_by(function: Function) -> list[list[int]]:
    """What comes out of the visible round with each of the visible checks' uniforms."""
    return [_emitted(function, coins, final_draw) for coins, final_draw in UNIFORMS]


def _emitted(function: Function, coins: list[float], final_draw: float) -> list[int]:
    emitted: list[int] = function(*copy.deepcopy((DRAFT_TOKENS, TARGET_ROWS, DRAFT_ROWS, np.array(coins), final_draw)))
    return emitted


def numbers_of_a_round(function: Function) -> set[float]:
    """The round's probabilities, ratios, missing masses, running sums and uniforms."""
    missing = np.maximum(TARGET_ROWS[:-1] - DRAFT_ROWS, 0.0)
    places = np.arange(len(DRAFT_TOKENS))
    ratios = TARGET_ROWS[places, DRAFT_TOKENS] / DRAFT_ROWS[places, DRAFT_TOKENS]
    arrays = (TARGET_ROWS, DRAFT_ROWS, ratios, missing, np.cumsum(TARGET_ROWS, axis=1), np.cumsum(missing, axis=1))
    uniforms = itertools.chain.from_iterable((*coins, final_draw) for coins, final_draw in UNIFORMS)
    return {float(number) for array in arrays for number in array.ravel()} | set(uniforms)
