"""Two ways to verify as tutorials have it, in NumPy, for the lab and the benchmark to race the engine against.

They are right on ordinary batches, and not at the edges: where rounding leaves a residual without mass, the loop raises
and the textbook's batch emits token 0.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from solutions.batch.batch import Batch

Choose = Callable[[Any, float], int]
"""(a law, the uniform to use) -> a token."""

_rng = np.random.default_rng(2)


def by_numpy(law: Any, _uniform: float) -> int:
    """NumPy's own choice, with a uniform of its own: what the loop is timed with."""
    return int(_rng.choice(len(law), p=law))


def by_uniform(law: Any, uniform: float) -> int:
    """What NumPy's choice gives where `uniform` is the number that it draws: what the loop is checked with."""
    running = np.cumsum(law, dtype=float)
    return int((running / running[-1]).searchsorted(uniform, "right"))


def naive_loop(batch: Batch, choose: Choose = by_numpy) -> tuple[Any, Any]:
    """A loop over requests and tokens. Returns (tokens, counts) as `solutions.batch.verify_batch` does."""
    emitted = [_one(*request, choose) for request in requests(batch)]
    tokens = np.full((len(emitted), int(batch.lengths.max()) + 1), -1)
    for row, one in zip(tokens, emitted, strict=True):
        row[: len(one)] = one
    return tokens, np.array([len(one) for one in emitted])


def _one(tokens: Any, target: Any, draft: Any, coins: Any, final_draw: float, choose: Choose) -> list[int]:
    kept: list[int] = []
    for place, token in enumerate(tokens):
        if coins[place] < min(1.0, target[place, token] / draft[place, token]):
            kept.append(int(token))
            continue
        residual = np.maximum(target[place] - draft[place], 0)
        return [*kept, choose(residual / residual.sum(), final_draw)]
    return [*kept, choose(target[-1], final_draw)]


def requests(batch: Batch) -> Iterator[tuple[Any, Any, Any, Any, float]]:
    """(draft_tokens, target_rows, draft_rows, coins, final_draw) of each request."""
    start = 0
    for request, length in enumerate(batch.lengths.tolist()):
        here, rows = slice(start, start + length), slice(start + request, start + request + length + 1)
        parts = batch.draft_tokens[here], batch.target_rows[rows], batch.draft_rows[here], batch.coins[here]
        yield (*parts, float(batch.final_draws[request]))
        start += length


def textbook_batch(batch: Batch) -> tuple[Any, Any]:
    """No loop, but the residual rows of all draft tokens, and a running sum over whole rows."""
    lengths = batch.lengths
    every, most = np.arange(len(lengths)), int(lengths.max())
    starts, owner = lengths.cumsum() - lengths, every.repeat(lengths)
    flat = np.arange(len(owner))
    place = flat - starts[owner]
    mine, theirs = batch.target_rows[flat + owner, batch.draft_tokens], batch.draft_rows[flat, batch.draft_tokens]
    accepted = np.zeros((len(lengths), most), bool)
    accepted[owner, place] = batch.coins < np.minimum(1.0, mine / theirs)
    run = np.cumprod(accepted, axis=1).sum(axis=1)
    residual = _all_residuals(batch)
    residual /= np.maximum(residual.sum(axis=1, keepdims=True), 1e-30)
    rows = np.concatenate([residual, batch.target_rows[starts + every + lengths]])
    rows = rows[np.where(run < lengths, starts + run, len(flat) + every)]
    last = (rows.cumsum(axis=1) > batch.final_draws[:, None]).argmax(axis=1)
    tokens = np.full((len(lengths), most + 1), -1)
    kept = place < run[owner]
    tokens[owner[kept], place[kept]] = batch.draft_tokens[kept]
    tokens[every, run] = last
    return tokens, run + 1


def _all_residuals(batch: Batch) -> Any:
    """(sum K_b, V) max(target - draft, 0) at every draft token; where all K_b are the same, without a copy before."""
    requests, drafts = len(batch.lengths), len(batch.draft_tokens)
    if (batch.lengths * requests == drafts).all():
        rows = batch.target_rows.reshape(requests, -1, batch.target_rows.shape[1])[:, :-1]
        return np.maximum(rows - batch.draft_rows.reshape(rows.shape), 0.0).reshape(batch.draft_rows.shape)
    bonus = (batch.lengths + 1).cumsum() - 1
    return np.maximum(np.delete(batch.target_rows, bonus, axis=0) - batch.draft_rows, 0.0)
