"""A model left in training mode: dropout makes every pass another model, so the target has another law each time."""
from __future__ import annotations

import functools

import numpy as np

from solutions.numerics.finding import Finding
from solutions.numerics.precision import SPREAD, Floats, distance
from solutions.target_distribution.solution import softmax

SIZE, HIDDEN = 1000, 256
PASSES = 128  # the mean's own noise is then small beside what dropout does: 0.050 at a rate of 0.1, in the limit 0.043


def left_on(measure: str, rate: float, seed: int) -> Finding:
    """A small network (256 hidden units, 1000 tokens) whose hidden units are dropped with that rate.

    measure: law, the total variation of what comes out over many passes from the law without dropout; pass, the same
    of one single pass, on average; kept, how often a draft token stays if the same network is draft and target.
    predicted: what it is without dropout.
    """
    still, passes = _laws(rate, seed)
    if measure == "law":
        return Finding(distance(passes.mean(axis=0), still), 0.0)
    if measure == "pass":
        return Finding(float(np.mean([distance(one, still) for one in passes])), 0.0)
    overlap = [1.0 - distance(one, other) for one, other in zip(passes[::2], passes[1::2], strict=True)]
    return Finding(float(np.mean(overlap)), 1.0)


@functools.lru_cache(maxsize=32)
def _laws(rate: float, seed: int) -> tuple[Floats, Floats]:
    """(V,) the law without dropout, and (PASSES, V) the laws of passes with it."""
    rng = np.random.default_rng([seed, 3])
    hidden = np.maximum(rng.normal(size=HIDDEN), 0.0)
    weights = rng.normal(size=(HIDDEN, SIZE)) * SPREAD / np.sqrt((hidden**2).sum())
    kept = rng.random((PASSES, HIDDEN)) >= rate
    dropped = hidden * kept / (1.0 - rate)  # what stays is scaled up, so that the mean is as without dropout
    return softmax(hidden @ weights), np.array([softmax(scores) for scores in dropped @ weights])
