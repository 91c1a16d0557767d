"""The synthetic pair of models of the lab: logits N(0, 2), and a draft that is the target with noise on its logits."""
from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solutions.batch.batch import Batch
from solutions.batch.logits_numpy import softmax
from solutions.lab.choice import Choice

Floats = NDArray[np.floating[Any]]

SPREAD = 2.0  # standard deviation of the target's logits
NOISIEST = 64.0
PIECE = 2**20  # entries of temporaries


class Made(NamedTuple):
    """A batch in float32, and of its laws: the mean acceptance rate, and how likely each draft token is to stay.

    alpha: the mean of sum min(target, draft). keeps: (sum K_b,) min(1, target / draft) at the draft token.
    """

    batch: Batch
    alpha: float
    keeps: NDArray[np.float64]


def make(choice: Choice, seed: int) -> Made:
    """One batch of the choice; its rows are logits where the choice says so. Uniforms are fresh ones in [0, 1)."""
    rng, lengths = np.random.default_rng(seed), lengths_of(choice)
    drafts, bonus = int(lengths.sum()), (lengths + 1).cumsum() - 1
    target = rng.standard_normal((drafts + choice.requests, choice.size), np.float32)
    target *= np.float32(SPREAD)
    draft = np.delete(target, bonus, axis=0)
    noise = np.float32(noise_for(choice.alpha, choice.size))
    tokens, keeps, shared = np.empty(drafts, np.int64), np.empty(drafts), 0.0
    above = np.delete(np.arange(len(target)), bonus)  # the target row at each draft token
    step = max(1, PIECE // choice.size)
    for low in range(0, drafts, step):
        here = slice(low, low + step)
        draft[here] += noise * rng.standard_normal(draft[here].shape, np.float32)
        law, wanted = softmax(draft[here]), softmax(target[above[here]])
        tokens[here] = _drawn(law, rng)
        drawn = tokens[here, None]
        ratio = np.take_along_axis(wanted, drawn, 1) / np.take_along_axis(law, drawn, 1)
        keeps[here] = np.minimum(1.0, ratio[:, 0])
        shared += float(np.minimum(law, wanted).sum(dtype=float))
        if not choice.logits:
            draft[here] = law
    if not choice.logits:
        for low in range(0, len(target), step):
            target[low : low + step] = softmax(target[low : low + step])
    batch = Batch(tokens, target, draft, lengths, rng.random(drafts), rng.random(choice.requests))
    return Made(batch, shared / drafts, keeps)


def lengths_of(choice: Choice) -> NDArray[np.int64]:
    """(B,) K each, or anything from 0 to K, one request at least K; the same in every batch: shapes are compiled."""
    lengths = np.full(choice.requests, choice.drafts, np.int64)
    if choice.ragged:
        lengths[1:] = np.random.default_rng(choice.requests).integers(0, choice.drafts + 1, choice.requests - 1)
    return lengths


@functools.cache
def noise_for(alpha: float, size: int) -> float:
    """The standard deviation of the noise at which sum min(target, draft) is alpha, by halving on some rows."""
    rng = np.random.default_rng(0)
    rows = max(1, 2**16 // size), size
    target, noise = SPREAD * rng.standard_normal(rows), rng.standard_normal(rows)
    law, low, high = softmax(target), 0.0, NOISIEST
    for _ in range(40):
        middle = (low + high) / 2
        shared = np.minimum(law, softmax(target + middle * noise)).sum(axis=1).mean()
        low, high = (middle, high) if shared > alpha else (low, middle)
    return low


def _drawn(law: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """A token from each row; what rounding leaves of a row's end goes to its last token."""
    running = (row.cumsum(dtype=float) for row in law)
    found = [row.searchsorted(row[-1] * rng.random(), "right") for row in running]
    tokens: NDArray[np.int64] = np.minimum(np.array(found, np.int64), law.shape[1] - 1)
    return tokens
