"""One draw for each request, from its residual or its bonus row, by an inverse CDF of two levels (NumPy).

A running sum over V entries waits for itself at every entry. Here it goes over the sums of V / 256 blocks only, and
then over the entries of the block that the draw falls into. Uniforms and running sums are float64. Differences, and the
sums of blocks, are in the rows' own precision: that moves the law by less than 1e-7 for float32, by 1e-14 for float64.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solutions.batch.block_sums import BLOCK, SCRATCH, WHOLE, Rows, block_sums, precision, sum_blocks

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def draw(target_rows: Rows, draft_rows: Rows, target_at: Indices, draft_at: Indices, uniforms: Floats) -> Indices:
    """(B,) tokens: the first whose cumulative mass is greater than the uniform's share of the total.

    target_at, draft_at: (B,) the rows of each request; the masses are max(target - draft, 0), or the target row's where
    draft_at is WHOLE. uniforms: (B,) in [0, 1). A token without mass is never drawn. Only rounding can leave a residual
    without any mass; then the target row stands in for it.
    Raises ValueError where a row that is read holds a NaN or infinity, or a target row no mass.
    """
    short = target_rows.shape[1] <= BLOCK
    if short:
        start, masses = _masses(target_rows, draft_rows, target_at, draft_at, np.zeros_like(target_at))
        running = masses.cumsum(axis=1, dtype=float)
    else:
        running = block_sums(target_rows, draft_rows, target_at.tolist(), draft_at.tolist()).cumsum(axis=1, dtype=float)
    total = running[:, -1]
    if not ((total > 0.0) & (total < np.inf)).all():
        draft_at = _stand_in(total, target_at, draft_at)
        return draw(target_rows, draft_rows, target_at, draft_at, uniforms)
    wanted = np.minimum(uniforms * total, np.nextafter(total, 0.0))  # the product of tiny totals can round up to them
    found = _first_greater(running, wanted)
    if short:
        return found
    wanted -= np.where(found > 0, running[np.arange(len(found)), found - 1], 0.0)
    start, masses = _masses(target_rows, draft_rows, target_at, draft_at, found)
    return start + _pick(masses, wanted)


def draw_one(target_rows: Rows, draft_rows: Rows, target_at: int, draft_at: int, uniform: float) -> int:
    """The same draw for one request, in half the time."""
    target_row, draft_row = target_rows[target_at], None if draft_at == WHOLE else draft_rows[draft_at]
    sums = np.empty(-(-len(target_row) // BLOCK), precision(target_rows, draft_rows))
    masses = sum_blocks([(target_row, draft_row)], sums)
    running = np.add.accumulate(sums.astype(float))
    total = running.item(-1)
    if not 0.0 < total < np.inf:
        return int(draw(target_rows, draft_rows, *(np.array([at]) for at in (target_at, draft_at, uniform)))[0])
    wanted = min(uniform * total, math.nextafter(total, 0.0))
    block = int(running.searchsorted(wanted, "right"))
    low = block * BLOCK
    here = slice(low, low + BLOCK)
    if len(target_row) <= SCRATCH:
        masses = masses[here]
    else:
        masses = sum_blocks([(target_row[here], None if draft_row is None else draft_row[here])], sums[:1])
    inside = np.add.accumulate(masses.astype(float))
    place = int(inside.searchsorted(wanted - (running.item(block - 1) if block else 0.0), "right"))
    return low + (place if place < BLOCK else int(masses.nonzero()[0][-1]))


def _first_greater(running: Floats, wanted: Floats) -> Indices:
    """The first column of each line that is greater; 0 where none is."""
    found: Indices = (running > wanted[:, None]).argmax(axis=1)
    return found


def _pick(masses: Rows, wanted: Floats) -> Indices:
    """The place in each line; the last with mass where rounding left the block's sum above that of its entries."""
    running = masses.cumsum(axis=1, dtype=float)
    place = _first_greater(running, wanted)
    beyond = (running[:, -1] <= wanted).nonzero()[0]
    if len(beyond):
        place[beyond] = BLOCK - 1 - (masses[beyond, ::-1] > 0.0).argmax(axis=1)
    return place


def _masses(
    target_rows: Rows, draft_rows: Rows, target_at: Indices, draft_at: Indices, block: Indices
) -> tuple[Indices, Rows]:
    """The column that each line starts at, and its masses: (B,) and (B, min(V, 256)), in the rows' precision.

    A last block of less than 256 entries starts earlier, with zeros for what belongs to the block before.
    """
    size = target_rows.shape[1]
    width = min(size, BLOCK)
    start = np.minimum(block * BLOCK, size - width)
    masses = _windows(target_rows, width)[target_at * size + start]
    masses = masses.astype(precision(target_rows, draft_rows), copy=False)
    rejected = (draft_at != WHOLE).nonzero()[0]
    masses[rejected] -= _windows(draft_rows, width)[draft_at[rejected] * size + start[rejected]]
    np.maximum(masses, 0.0, out=masses)
    for line in (start < block * BLOCK).nonzero()[0]:
        masses[line, : block[line] * BLOCK - start[line]] = 0.0
    return start, masses


def _windows(rows: Rows, width: int) -> NDArray[Any]:
    """Every run of `width` entries of contiguous rows, by its flat start, without a copy."""
    return np.ndarray((max(0, rows.size - width + 1), width), rows.dtype, rows, 0, (rows.itemsize, rows.itemsize))


def _stand_in(total: Floats, target_at: Indices, draft_at: Indices) -> Indices:
    """draft_at, but WHOLE where a residual has no mass; a total that nothing can be drawn from is an error."""
    drawable = (total > 0.0) & (total < np.inf) | (total == 0.0) & (draft_at != WHOLE)
    if not drawable.all():
        request = int(drawable.argmin())
        place = f"target_rows[{target_at[request]}]"
        if draft_at[request] != WHOLE:
            place = f"max({place} - draft_rows[{draft_at[request]}], 0)"
        raise ValueError(f"{place} sums to {total[request]}; a draw needs a finite mass above 0")
    return np.where(total == 0.0, WHOLE, draft_at)
