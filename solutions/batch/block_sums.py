"""The masses that a draw is made from, summed over blocks of 256 entries, for many rows (NumPy).

A row of 32 000 float32 entries has 125 KiB. The difference of two rows goes into a scratch that stays in the cache, is
clamped there, and a matrix product with ones sums its blocks: two rows are read from memory once, nothing is written
back. Fresh temporaries of a whole batch would cost ten times as much in page faults.
"""
from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.floating[Any]]

BLOCK = 256
SCRATCH = 128 * BLOCK  # entries: 128 KiB of float32, so that what streams past has room in a cache of 1 MiB
WHOLE = -1  # in place of a draft row: nothing is taken away, the masses are the target row's

_kept = threading.local()


class Scratch(NamedTuple):
    """Memory that every call of a thread uses again, SCRATCH entries each but for the ones."""

    masses: Rows
    zeros: Rows  # NumPy's maximum with an array is five times as fast as with the number 0
    ones: Rows  # (BLOCK,)


def block_sums(target_rows: Rows, draft_rows: Rows, target_at: Sequence[int], draft_at: Sequence[int]) -> Rows:
    """(B, V / 256 rounded up) sums over the blocks of max(target - draft, 0), of one pair of rows for each request.

    target_at, draft_at: B row numbers; where draft_at is WHOLE, the sums are the target row's own.
    """
    count, blocks = len(target_at), -(-target_rows.shape[1] // BLOCK)
    sums = np.empty((count, blocks), precision(target_rows, draft_rows))
    group = max(1, SCRATCH // (blocks * BLOCK))  # short rows are clamped and summed several at a time
    for start in range(0, count, group):
        pairs = [
            (target_rows[mine], None if other == WHOLE else draft_rows[other])
            for mine, other in zip(target_at[start : start + group], draft_at[start : start + group], strict=True)
        ]
        sum_blocks(pairs, sums[start : start + group].reshape(-1))
    return sums


def sum_blocks(pairs: Sequence[tuple[Rows, Rows | None]], sums: Rows) -> Rows:
    """The block sums of pairs (target row, draft row or None), (V,) each, one pair after the other into flat `sums`.

    The pairs must fit into the scratch together, or it must be one pair; that is taken in pieces.
    Returns the masses that were summed last, of all pairs or of the last piece; the next call overwrites them.
    """
    size = len(pairs[0][0])
    if size > SCRATCH:
        for low in range(0, size, SCRATCH):
            part = slice(low, low + SCRATCH)
            pieces = [(mine[part], None if other is None else other[part]) for mine, other in pairs]
            masses = sum_blocks(pieces, sums[low // BLOCK : (low + SCRATCH) // BLOCK])
        return masses
    scratch, used = _scratch(sums.dtype), len(sums) * BLOCK
    masses, width = scratch.masses[:used], used // len(pairs)
    for start, (mine, other) in zip(range(0, used, width), pairs, strict=True):
        line = masses[start : start + size]
        if other is None:
            line[:] = mine
        else:
            np.subtract(mine, other, out=line, dtype=sums.dtype)
        if size < width:
            masses[start + size : start + width] = 0.0
    np.maximum(masses, scratch.zeros[:used], out=masses)
    masses.reshape(-1, BLOCK).dot(scratch.ones, sums)
    return masses


def precision(*rows: Rows) -> np.dtype[Any]:
    """That in which rows are subtracted and blocks summed: float64, or float32 for all that is narrower."""
    kind = rows[0].dtype
    if kind is rows[-1].dtype and kind.itemsize >= 4:  # asking NumPy takes a microsecond
        return kind
    return np.result_type(np.float32, *rows)


def _scratch(kind: np.dtype[Any]) -> Scratch:
    found: Scratch | None = getattr(_kept, kind.char, None)
    if found is None:
        found = Scratch(np.empty(SCRATCH, kind), np.zeros(SCRATCH, kind), np.ones(BLOCK, kind))
        setattr(_kept, kind.char, found)
    return found
