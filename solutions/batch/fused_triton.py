"""Verification of a batch in one Triton kernel: one program for each request, from probabilities or from logits.

As in the engine's other texts: the strict test, then one draw from one row, or from the difference of two, in two
levels. Masses, and the sums of tiles, are in the rows' own precision, or float32; sums across tiles, coins and draws
are float64. From logits no probability is ever stored: a row's greatest logit and its sum of exponentials stand for
its softmax, and those of a position are only computed if all positions before it were kept.

Needs CUDA, or TRITON_INTERPRET=1 in the environment before triton is first imported: then it runs on a CPU, slowly.
"""
from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from solutions.batch.batch import Batch

LARGEST_TILE = 4096  # entries that a program holds at a time


def verify(batch: Batch, logits: bool = False) -> tuple[Tensor, Tensor]:
    """(tokens, counts) as `solutions.batch.verify_batch` returns them; nothing is checked here.

    batch: tensors on one device. logits: its rows hold logits, of which the softmax is meant; -inf is allowed.
    """
    requests, size = len(batch.lengths), batch.target_rows.shape[1]
    width = int(batch.lengths.max()) + 1
    tokens = torch.empty((requests, width), dtype=torch.int64, device=batch.lengths.device)
    counts = torch.empty_like(batch.lengths)
    tile = min(LARGEST_TILE, triton.next_power_of_2(size))
    wide = torch.float64 in (batch.target_rows.dtype, batch.draft_rows.dtype)
    _verify[(requests,)](
        tokens,
        counts,
        batch.draft_tokens,
        batch.target_rows.contiguous(),
        batch.draft_rows.contiguous(),
        batch.lengths.cumsum(0),
        batch.coins,
        batch.final_draws,
        size,
        width,
        WIDTH=triton.next_power_of_2(width),
        TILE=tile,
        TILES=triton.next_power_of_2(triton.cdiv(size, tile)),
        LOGITS=logits,
        KIND=tl.float64 if wide else tl.float32,
        num_warps=8 if tile > 1024 else 4,
    )
    return tokens, counts


@triton.jit
def _verify(
    tokens,
    counts,
    drafts,
    target,
    draft,
    ends,
    coins,
    draws,
    size,
    width,
    WIDTH: tl.constexpr,
    TILE: tl.constexpr,
    TILES: tl.constexpr,
    LOGITS: tl.constexpr,
    KIND: tl.constexpr,
):
    """Request `program_id`: its drafts are drafts[start:end], its target rows start at row start + request."""
    request = tl.program_id(0)
    end = tl.load(ends + request)
    start = tl.load(ends + request - 1, mask=request > 0, other=0)
    length = end - start
    mine, theirs = target + (start + request) * size, draft + start * size
    place = tl.arange(0, WIDTH)
    token = tl.load(drafts + start + place, mask=place < length, other=0)
    if LOGITS:
        run = length * 0
        top, total = _softmax(mine, size, TILE, KIND)
        draft_top, draft_total = top, total  # of no draft row: never used without one
        going = run < length
        while going:
            draft_top, draft_total = _softmax(theirs + run * size, size, TILE, KIND)
            chosen = tl.load(drafts + start + run)
            coin = tl.load(coins + start + run).to(tl.float64)
            wanted = tl.exp(tl.load(mine + run * size + chosen).to(KIND) - top).to(tl.float64) / total
            offered = tl.exp(tl.load(theirs + run * size + chosen).to(KIND) - draft_top).to(tl.float64) / draft_total
            going = coin * offered < wanted
            if going:
                run += 1
                top, total = _softmax(mine + run * size, size, TILE, KIND)
                going = run < length
    else:
        inside = place < length
        coin = tl.load(coins + start + place, mask=inside, other=0.0).to(tl.float64)
        wanted = tl.load(mine + place * size + token, mask=inside, other=0.0).to(tl.float64)
        offered = tl.load(theirs + place * size + token, mask=inside, other=0.0).to(tl.float64)
        kept = coin * offered < wanted
        run = tl.min(tl.where(inside & ~kept, place, length), 0)
        top, total, draft_top, draft_total = 0.0, 1.0, 0.0, 1.0
    last = _draw(
        mine + run * size, theirs + run * size, size, run < length, tl.load(draws + request).to(tl.float64),
        top, total, draft_top, draft_total, TILE, TILES, LOGITS, KIND,
    )  # fmt: skip
    emitted = tl.where(place < run, token, tl.where(place == run, last, -1))
    tl.store(tokens + request * width + place, emitted, mask=place < width)
    tl.store(counts + request, run + 1)


@triton.jit
def _softmax(row, size, TILE: tl.constexpr, KIND: tl.constexpr):
    """The greatest logit of a row, and the float64 sum of the exponentials of all less the greatest."""
    column = tl.arange(0, TILE)
    top = tl.max(tl.load(row + column, mask=column < size, other=float("-inf")).to(KIND), 0)
    for low in range(TILE, size, TILE):
        inside = low + column < size
        top = tl.maximum(top, tl.max(tl.load(row + low + column, mask=inside, other=float("-inf")).to(KIND), 0))
    total = tl.zeros([], tl.float64)
    for low in range(0, size, TILE):
        inside = low + column < size
        logits = tl.load(row + low + column, mask=inside, other=float("-inf")).to(KIND)
        total += tl.sum(tl.exp(logits - top), 0).to(tl.float64)
    return top, total


@triton.jit
def _draw(
    mine, theirs, size, rejected, uniform, top, total, draft_top, draft_total,
    TILE: tl.constexpr, TILES: tl.constexpr, LOGITS: tl.constexpr, KIND: tl.constexpr,
):  # fmt: skip
    """The token by inverse CDF, of max(target - draft, 0) where rejected and that has mass, else of the target row."""
    sums = _tile_sums(
        mine, theirs, size, rejected, top, total, draft_top, draft_total, TILE, TILES, LOGITS, KIND
    )  # fmt: skip
    if rejected & (tl.sum(sums, 0) == 0.0):  # hardly ever, and then only by rounding
        rejected = rejected & (size < 0)
        sums = _tile_sums(
            mine, theirs, size, rejected, top, total, draft_top, draft_total, TILE, TILES, LOGITS, KIND
        )  # fmt: skip
    at = tl.arange(0, TILES)
    wanted = uniform * tl.sum(sums, 0)
    # A token, or tile, without mass is never drawn; where rounding leaves no sum above `wanted`, the last with mass is.
    tile = tl.min(tl.where((tl.cumsum(sums, 0) > wanted) & (sums > 0.0), at, TILES), 0)
    tile = tl.minimum(tile, tl.max(tl.where(sums > 0.0, at, 0), 0))
    wanted -= tl.sum(tl.where(at < tile, sums, 0.0), 0)
    column = tile * TILE + tl.arange(0, TILE)
    masses = _masses(mine, theirs, column, size, rejected, top, total, draft_top, draft_total, LOGITS, KIND)
    token = tl.min(tl.where((tl.cumsum(masses.to(tl.float64), 0) > wanted) & (masses > 0.0), column, size), 0)
    return tl.minimum(token, tl.max(tl.where(masses > 0.0, column, 0), 0)).to(tl.int64)


@triton.jit
def _tile_sums(
    mine, theirs, size, rejected, top, total, draft_top, draft_total,
    TILE: tl.constexpr, TILES: tl.constexpr, LOGITS: tl.constexpr, KIND: tl.constexpr,
):  # fmt: skip
    at = tl.arange(0, TILES)
    sums = tl.zeros([TILES], tl.float64)
    for tile in range(0, tl.cdiv(size, TILE)):
        column = tile * TILE + tl.arange(0, TILE)
        masses = _masses(mine, theirs, column, size, rejected, top, total, draft_top, draft_total, LOGITS, KIND)
        sums = tl.where(at == tile, tl.sum(masses, 0).to(tl.float64), sums)
    return sums


@triton.jit
def _masses(
    mine, theirs, column, size, rejected, top, total, draft_top, draft_total,
    LOGITS: tl.constexpr, KIND: tl.constexpr,
):  # fmt: skip
    """What a draw is made from, at these columns; 0 beyond the row."""
    inside = column < size
    if LOGITS:
        target = tl.load(mine + column, mask=inside, other=float("-inf")).to(KIND)
        draft = tl.load(theirs + column, mask=inside & rejected, other=float("-inf")).to(KIND)
        masses = tl.exp(target - top) / total.to(KIND) - tl.exp(draft - draft_top) / draft_total.to(KIND)
    else:
        target = tl.load(mine + column, mask=inside, other=0.0).to(KIND)
        masses = target - tl.load(theirs + column, mask=inside & rejected, other=0.0).to(KIND)
    return tl.maximum(masses, 0.0)
