"""Verification of a batch from logits in NumPy: a row's softmax is computed only when a decision needs it.

Position after position, for the requests that are still without a rejection: (1 - alpha^K) / (1 - alpha) positions on
average instead of K. Then two rows of each rejected request, and one of the others, for the last token.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from solutions.batch.batch import Batch
from solutions.batch.block_sums import SCRATCH, WHOLE, Rows, precision
from solutions.batch.fast_numpy import emitted
from solutions.batch.two_level import Floats, Indices, draw
from solutions.draws import accepts


def verify(batch: Batch) -> tuple[Indices, Indices]:
    """(tokens, counts) as `solutions.batch.verify_batch` returns them; nothing is checked here.

    The rows of the batch hold logits, of which the softmax is meant; -inf is allowed.
    """
    drafts, lengths = batch.draft_tokens, batch.lengths
    starts, requests, run = lengths.cumsum() - lengths, np.arange(len(lengths)), lengths.copy()
    going = requests
    for place in range(lengths.max()):
        going = going[lengths[going] > place]
        flat = starts[going] + place
        wanted = _shares(batch.target_rows, flat + going, drafts[flat])
        offered = _shares(batch.draft_rows, flat, drafts[flat])
        kept = accepts(batch.coins[flat], wanted, offered)
        run[going[~kept]] = place
        going = going[kept]
    draft_at = np.where(run < lengths, starts + run, WHOLE)
    last = _last_tokens(batch, starts + requests + run, draft_at)
    return emitted(drafts, lengths, run, last), run + 1


def softmax(rows: Rows) -> Rows:
    """(R, V) the softmax of rows of logits, in float32, or float64 where they are."""
    shifted = rows.astype(precision(rows))
    shifted -= shifted.max(axis=1, keepdims=True)
    np.exp(shifted, out=shifted)
    shifted /= shifted.sum(axis=1, keepdims=True)
    return shifted


def _shares(rows: Rows, at: Indices, tokens: Indices) -> Floats:
    """(N,) the probability of one token in each of the rows `at`."""
    found = np.empty(len(at))
    for piece in _pieces(len(at), rows.shape[1]):
        found[piece] = softmax(rows[at[piece]])[np.arange(len(at[piece])), tokens[piece]]
    return found


def _last_tokens(batch: Batch, target_at: Indices, draft_at: Indices) -> Indices:
    found = np.empty(len(target_at), np.int64)
    for piece in _pieces(len(target_at), batch.target_rows.shape[1]):
        mine, theirs = target_at[piece], draft_at[piece]
        stopped = theirs != WHOLE
        draft_rows = softmax(batch.draft_rows[theirs[stopped]])
        in_piece = np.where(stopped, stopped.cumsum() - 1, WHOLE)
        uniforms = batch.final_draws[piece]
        found[piece] = draw(softmax(batch.target_rows[mine]), draft_rows, np.arange(len(mine)), in_piece, uniforms)
    return found


def _pieces(count: int, size: int) -> Iterator[Any]:
    """Some rows at a time, whose temporaries stay in the cache."""
    step = max(1, SCRATCH // size)
    return (slice(start, start + step) for start in range(0, count, step))
