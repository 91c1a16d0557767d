"""Batches for tests of the engine, and the right tokens of each request by exact fractions.

Dyadic batches have probabilities and uniforms that are multiples of a power of two: no step of the engine rounds on
them, so the tokens must be those of the fractions, ties included.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st

from solutions.batch import fast_numpy, fast_torch, verify_batch
from solutions.batch.batch import Batch

BELOW_ONE = float(np.nextafter(1.0, 0.0))
PARTS = 64  # dyadic probabilities are multiples of 1/64

Emitted = list[list[int]]


def _by_requests(few: int) -> Callable[[Batch], tuple[Any, Any]]:
    def verify(batch: Batch) -> tuple[Any, Any]:
        kept, fast_numpy.FEW = fast_numpy.FEW, few
        try:
            return verify_batch(*batch)
        finally:
            fast_numpy.FEW = kept

    return verify


def _tensors(batch: Batch) -> Batch:
    return Batch(*map(torch.from_numpy, batch))


ENGINES: dict[str, Callable[[Batch], tuple[Any, Any]]] = {
    "numpy, together": _by_requests(0),
    "numpy, one by one": _by_requests(10**9),
    "torch, eager": lambda batch: fast_torch.verify(_tensors(batch)),
    "torch, on a CPU": lambda batch: verify_batch(*_tensors(batch)),
}


def emitted(answer: tuple[Any, Any]) -> Emitted:
    """The tokens of each request; what is beyond its count must be -1."""
    tokens, counts = (np.asarray(part) for part in answer)
    assert tokens.dtype == counts.dtype == np.int64
    assert ((tokens == -1) == (np.arange(tokens.shape[1]) >= counts[:, None])).all()
    return [row[:count].tolist() for row, count in zip(tokens, counts, strict=True)]


def exactly(batch: Batch) -> Emitted:
    """The right tokens of each request, in fractions."""
    return [exactly_one(*request) for request in requests(batch)]


def requests(batch: Batch) -> list[tuple[Any, ...]]:
    """(draft_tokens, target_rows, draft_rows, coins, final_draw) of each request."""
    found, start = [], 0
    for request, length in enumerate(batch.lengths.tolist()):
        drafts, targets = slice(start, start + length), slice(start + request, start + request + length + 1)
        parts = batch.draft_tokens[drafts], batch.target_rows[targets], batch.draft_rows[drafts], batch.coins[drafts]
        found.append((*parts, float(batch.final_draws[request])))
        start += length
    return found


def exactly_one(drafts: Any, targets: Any, proposals: Any, coins: Any, final_draw: float) -> list[int]:
    for place, token in enumerate(drafts.tolist()):
        target, draft = fractions_of(targets[place]), fractions_of(proposals[place])
        if not Fraction(coins[place]) * draft[token] < target[token]:
            missing = [max(wanted - offered, Fraction(0)) for wanted, offered in zip(target, draft, strict=True)]
            return [*drafts[:place].tolist(), drawn(missing if any(missing) else target, final_draw)]
    return [*drafts.tolist(), drawn(fractions_of(targets[len(drafts)]), final_draw)]


def drawn(masses: Sequence[Fraction], uniform: float) -> int:
    reached = Fraction(uniform) * sum(masses)
    return next(token for token, running in enumerate(accumulate(masses)) if running > reached)


def fractions_of(row: Any) -> list[Fraction]:
    return [Fraction(mass) for mass in row.tolist()]


def batch_of(
    lengths: Sequence[int], drafts: Any, targets: Any, proposals: Any, coins: Any, final_draws: Any, dtype: Any = float
) -> Batch:
    size = len(targets[0])
    return Batch(
        np.array(drafts, np.int64).reshape(-1),
        np.array(targets, dtype).reshape(-1, size),
        np.array(proposals, dtype).reshape(-1, size),
        np.array(lengths, np.int64),
        np.array(coins, float).reshape(-1),
        np.array(final_draws, float).reshape(-1),
    )


def random_batch(rng: np.random.Generator, lengths: Sequence[int], size: int, dtype: Any = float) -> Batch:
    """Softmax rows; the draft's differ a little. A tenth of the entries are zero, the same in both."""
    drafts = sum(lengths)
    gone = rng.random(size) < 0.1 * (size > 2)
    logits = np.where(gone, -np.inf, rng.normal(0.0, 2.0, (drafts + len(lengths), size)))
    bonus = np.cumsum([length + 1 for length in lengths]) - 1
    near = np.delete(logits, bonus, axis=0) + rng.normal(0.0, 0.7, (drafts, size))
    targets, proposals = softmax(logits), softmax(near)
    tokens = np.array([rng.choice(size, p=row) for row in proposals], np.int64)
    return batch_of(lengths, tokens, targets, proposals, rng.random(drafts), rng.random(len(lengths)), dtype)


def softmax(logits: Any) -> Any:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True, initial=0.0))
    return weights / weights.sum(axis=1, keepdims=True)


def dyadic_laws(size: int) -> st.SearchStrategy[list[float]]:
    cuts = st.lists(st.integers(0, PARTS), min_size=size - 1, max_size=size - 1).map(sorted)
    return cuts.map(lambda inner: [(b - a) / PARTS for a, b in zip([0, *inner], [*inner, PARTS], strict=True)])


uniforms = st.one_of(st.integers(0, PARTS**2 - 1).map(lambda part: part / PARTS**2), st.sampled_from([0.0, BELOW_ONE]))


@st.composite
def dyadic_batches(draw: Any, most: int = 4) -> Batch:
    """1 to 4 requests of 0 to `most` drafts over 1 to 6 tokens; any token can be a draft token, a proposal or not."""
    size = draw(st.integers(1, 6))
    lengths = draw(st.lists(st.integers(0, most), min_size=1, max_size=4))
    drafts = sum(lengths)

    def several(count: int, one: st.SearchStrategy[Any]) -> Any:
        return draw(st.lists(one, min_size=count, max_size=count))

    return batch_of(
        lengths,
        several(drafts, st.integers(0, size - 1)),
        several(drafts + len(lengths), dyadic_laws(size)),
        several(drafts, dyadic_laws(size)),
        several(drafts, uniforms),
        several(len(lengths), uniforms),
    )
