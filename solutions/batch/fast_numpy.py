"""Verification of a batch in NumPy: 2 scalars for each draft token, then two rows for each rejected request.

Where all were accepted it is one row. The other rows, most of sum (2 K_b + 1), are never touched.
"""
from __future__ import annotations

import numpy as np

from solutions.batch.batch import Batch
from solutions.batch.block_sums import WHOLE
from solutions.batch.two_level import Indices, draw, draw_one
from solutions.draws import accepts

FEW = 4  # requests: below, a loop over them costs less than the bookkeeping of arrays


def verify(batch: Batch) -> tuple[Indices, Indices]:
    """(tokens, counts) as `solutions.batch.verify_batch` returns them; nothing is checked here."""
    return (_one_by_one if len(batch.lengths) <= FEW else _together)(batch)


def _together(batch: Batch) -> tuple[Indices, Indices]:
    """All requests at once."""
    drafts, lengths = batch.draft_tokens, batch.lengths
    requests, flat = np.arange(len(lengths)), np.arange(len(drafts))
    starts = lengths.cumsum() - lengths
    owner = requests.repeat(lengths)
    wanted = batch.target_rows[flat + owner, drafts].astype(float)
    offered = batch.draft_rows[flat, drafts].astype(float)
    rejected = (~accepts(batch.coins, wanted, offered)).nonzero()[0]
    first = np.append(rejected, len(flat))[rejected.searchsorted(starts)]
    run = np.minimum(first - starts, lengths)
    draft_at = np.where(run < lengths, starts + run, WHOLE)
    last = draw(batch.target_rows, batch.draft_rows, starts + requests + run, draft_at, batch.final_draws)
    return emitted(drafts, lengths, run, last), run + 1


def emitted(drafts: Indices, lengths: Indices, run: Indices, last: Indices) -> Indices:
    """(B, max K_b + 1): the first `run` draft tokens of each request, its last token, then -1."""
    owner, starts = np.arange(len(lengths)).repeat(lengths), lengths.cumsum() - lengths
    place = np.arange(len(drafts)) - starts.repeat(lengths)
    kept = (place < run.repeat(lengths)).nonzero()[0]
    tokens = _padding(len(lengths), lengths.max())
    tokens[owner[kept], place[kept]] = drafts[kept]
    tokens[np.arange(len(lengths)), run] = last
    return tokens


def _one_by_one(batch: Batch) -> tuple[Indices, Indices]:
    """The same, request by request."""
    lengths, uniforms = batch.lengths.tolist(), batch.final_draws.tolist()
    tokens, counts, start = _padding(len(lengths), max(lengths)), np.empty(len(lengths), np.int64), 0
    for request, length in enumerate(lengths):
        run, last = _one(batch, start, start + request, length, uniforms[request])
        tokens[request, :run] = batch.draft_tokens[start : start + run]
        tokens[request, run] = last
        counts[request] = run + 1
        start += length
    return tokens, counts


def _padding(requests: int, most: int) -> Indices:
    tokens = np.empty((requests, most + 1), np.int64)
    tokens.fill(-1)
    return tokens


def _one(batch: Batch, draft_at: int, target_at: int, length: int, uniform: float) -> tuple[int, int]:
    """How many draft tokens of one request stay, and its last token; its rows begin at draft_at and target_at."""
    here = slice(draft_at, draft_at + length)
    tokens, coins = batch.draft_tokens[here].tolist(), batch.coins[here].tolist()
    rows, run = (batch.target_rows, batch.draft_rows), 0
    wanted, offered = rows[0].item, rows[1].item
    while run < length:
        token = tokens[run]
        if not accepts(coins[run], wanted(target_at + run, token), offered(draft_at + run, token)):
            return run, draw_one(*rows, target_at + run, draft_at + run, uniform)
        run += 1
    return run, draw_one(*rows, target_at + run, WHOLE, uniform)
