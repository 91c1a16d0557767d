"""Rows of the size of a vocabulary, and the precisions that they are kept in."""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solutions.target_distribution.solution import softmax

Floats = NDArray[np.float64]
SPREAD = 2.5  # standard deviation of the scores: the likeliest of 32 000 tokens then gets about 0.02
BITS: Mapping[str, int] = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
"""Significant bits; uniforms made in a precision lie on a grid of 2^-bits."""


class Pair(NamedTuple):
    """Target and draft, (V,) each, in float64."""

    target: Floats
    draft: Floats


@functools.lru_cache(maxsize=8)
def scores(size: int, seed: int) -> Floats:
    """(V,) normal scores."""
    found: Floats = np.random.default_rng([seed, size]).normal(0.0, SPREAD, size)
    found.setflags(write=False)
    return found


@functools.lru_cache(maxsize=16)
def pair(size: int, noise: float, seed: int) -> Pair:
    """The softmax of scores, and of the same with normal noise of that standard deviation: target and draft."""
    target = scores(size, seed)
    draft = target + noise * np.random.default_rng([seed, size, 1]).normal(size=size)
    return Pair(softmax(target), softmax(draft))


def rounded(numbers: NDArray[Any], precision: str) -> Floats:
    """The numbers as that precision keeps them, given back in float64."""
    return _ROUNDING[precision](numbers).astype(np.float64)


def bfloat16(numbers: NDArray[Any]) -> NDArray[np.float32]:
    """The nearest numbers with 8 significant bits, ties to even, in float32. Finite numbers only."""
    bits = np.array(numbers, dtype=np.float32).view(np.uint32)
    bits += np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    bits &= np.uint32(0xFFFF0000)
    return bits.view(np.float32)


_ROUNDING: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "bfloat16": bfloat16,
    "float16": lambda numbers: numbers.astype(np.float16),
    "float32": lambda numbers: numbers.astype(np.float32),
    "float64": lambda numbers: numbers.astype(np.float64),
}


def distance(one: Floats, other: Floats) -> float:
    """Total variation, for rows too long for the exact sum of `solutions.law`."""
    return float(0.5 * np.abs(one - other).sum())
