"""The draw's side: uniforms on a grid, running sums that are rounded, and samplers that look at the sum first."""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from solutions.numerics.finding import Finding
from solutions.numerics.precision import BITS, Floats, distance, scores
from solutions.target_distribution.solution import softmax

SUMS = ("float32", "sorted", "float64")
WEIGHTS = ("cast", "renormalised", "divided_last")
TOLERANCE = math.sqrt(np.finfo(np.float64).eps)  # of NumPy's choice, for weights in float64


def coarse_uniform(size: int, precision: str, seed: int) -> Finding:
    """An exact inverse CDF, read by a uniform of few bits: total variation of the drawn token.

    predicted: each border moves to the next point of the grid, which changes a token by a third of the grid's step on
    average: V / 6 * 2^-bits; None where there are fewer points than tokens, for then most borders share one. extra:
    the share of tokens that no uniform reaches.
    """
    law, points = softmax(scores(size, seed)), 2.0 ** BITS[precision]
    drawn = law_of_grid(law, BITS[precision])
    predicted = size / 6 / points if size <= points else None
    return Finding(distance(drawn, law), predicted, float((drawn == 0.0).mean()))


def law_of_grid(law: Floats, bits: int) -> Floats:
    """(V,) how likely each token is drawn where the uniform is one of the 2^bits multiples of 2^-bits below 1."""
    borders = np.ceil(np.cumsum(law) * 2.0**bits)
    borders[-1] = 2.0**bits  # the last token takes what rounding leaves over
    drawn: Floats = np.diff(borders, prepend=0.0) * 2.0**-bits
    return drawn


def rounded_sum(size: int, kind: str, seed: int) -> Finding:
    """Running sums of a float32 row, read by an exact uniform: total variation of the drawn token.

    kind: float32, the row as it comes; sorted, the same from the smallest on; float64, sums in double precision.
    predicted: for float32, an addition rounds to a step of 2^-24 (near 1; a third less over the whole row), a quarter
    of it on average: V / 12 * 2^-24. extra: the share of tokens that no uniform reaches.
    """
    values = scores(size, seed)
    if kind == "sorted":
        values = np.sort(values)
    row = softmax(values.astype(np.float32))
    sums = np.cumsum(row, dtype=np.float64 if kind == "float64" else np.float32).astype(np.float64)
    drawn = np.diff(sums, prepend=0.0) / sums[-1]
    predicted = size / 12 * 2.0**-24 if kind == "float32" else None
    return Finding(distance(drawn, softmax(values)), predicted, float((drawn == 0.0).mean()))


def stalled_sum(size: int, precision: str) -> Finding:
    """Running sums of equal weights of 1: the total variation of the category drawn from a fair draw.

    predicted: the sum stops at 2^bits, where adding 1 rounds back, so of V categories only so many get anything.
    extra: that sum. Source: PyTorch issue 43115, the same in float32 at 2^24 categories.
    """
    dtype = np.dtype(precision)
    sums = np.cumsum(np.ones(size, dtype), dtype=dtype).astype(np.float64)
    drawn = np.diff(sums, prepend=0.0) / sums[-1]
    predicted = max(0.0, 1.0 - 2.0 ** BITS[precision] / size)
    return Finding(distance(drawn, np.full(size, 1.0 / size)), predicted, float(sums[-1]))


def refused_rows(size: int, kind: str, seed: int) -> Finding:
    """The share of float32 rows that NumPy's `Generator.choice` refuses in float64, of as many as are cheap.

    kind: cast, to float64 as they are; renormalised, in float32 before the cast; divided_last, by their sum after it.
    predicted: the share whose sum is further from 1 than its tolerance. extra: the largest such distance.
    """
    rng = np.random.default_rng([seed, size, 2])
    count = rows_tried(size)
    refused, beyond, furthest, raised = 0, 0, 0.0, ""
    for _ in range(count):
        weights = _weights(rng.standard_normal(size, dtype=np.float32), kind)
        off = abs(float(weights.sum()) - 1.0)
        beyond, furthest = beyond + (off > TOLERANCE), max(furthest, off)
        try:
            rng.choice(size, p=weights)
        except ValueError as error:
            refused, raised = refused + 1, str(error)
    return Finding(refused / count, beyond / count, furthest, raised)


def rows_tried(size: int) -> int:
    """The rows of one run: fewer of the long ones, which take milliseconds each."""
    return 40 if size <= 1000 else 16 if size <= 32_000 else 8


def _weights(normal: NDArray[np.float32], kind: str) -> Floats:
    row = softmax(normal * np.float32(2.5))
    if kind == "renormalised":
        row = row / row.sum()
    weights = row.astype(np.float64)
    return weights / weights.sum() if kind == "divided_last" else weights
