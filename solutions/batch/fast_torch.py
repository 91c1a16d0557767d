"""Verification of a batch in PyTorch: the same two levels as in NumPy, one text for eager, compiled, and any device.

`torch.compile` fuses reading, subtracting, clamping and summing two rows into one loop. As in the NumPy engine's
`two_level`, differences and the sums of blocks are in the rows' own precision, or float32; all else is float64.
"""
from __future__ import annotations

import functools
from collections.abc import Callable

import torch
from torch import Tensor

from solutions.batch.batch import Batch
from solutions.draws import accepts

BLOCK = 256
PIECE = 2**17  # entries of eager temporaries on a CPU: larger ones cost more in page faults than in arithmetic

Step = Callable[..., tuple[Tensor, Tensor, Tensor]]


def verify(batch: Batch) -> tuple[Tensor, Tensor]:
    """(tokens, counts) as `solutions.batch.verify_batch` returns them; nothing is checked here."""
    return run_step(verify_flat, batch)


def verify_compiled(batch: Batch) -> tuple[Tensor, Tensor]:
    """The same by torch.compile: a few seconds for each new shape of a batch, and on a CPU it needs a C++ compiler."""
    return run_step(compiled(verify_flat), batch)


def run_step(step: Step, batch: Batch) -> tuple[Tensor, Tensor]:
    with torch.no_grad():
        width = int(batch.lengths.max()) + 1
        stands_in = torch.zeros_like(batch.lengths, dtype=torch.bool)
        tokens, counts, empty = step(*batch, stands_in, width)
        if empty.any():  # hardly ever, and then only by rounding
            tokens, counts, _ = step(*batch, empty, width)
    return tokens, counts


@functools.cache
def compiled(step: Step) -> Step:
    return torch.compile(step, dynamic=False)


def verify_flat(
    drafts: Tensor,
    target: Tensor,
    draft: Tensor,
    lengths: Tensor,
    coins: Tensor,
    draws: Tensor,
    stands_in: Tensor,
    width: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """(tokens, counts, empty) of the parts of a Batch, without a look at any value: a device is never waited for.

    stands_in: (B,) bool, whose target row stands in for the residual. width: max K_b + 1.
    Returns (B, width) and (B,) int64, and (B,) bool: whose residual has no mass, so that its last token means nothing.
    """
    requests, flat, starts, owner = layout(drafts, lengths)
    kept = accepts(coins.double(), target[flat + owner, drafts].double(), draft[flat, drafts].double())
    run = first_rejection(kept, lengths, starts, owner)
    residual = (run < lengths) & ~stands_in
    last, total = draw(target, draft, starts + requests + run, starts + run, residual, draws)
    return emitted(drafts, starts, run, last, width), run + 1, residual & (total == 0)


def layout(drafts: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """(B,) the requests, (sum K_b,) the draft tokens, by number; (B,) each request's first draft; (sum K_b,) owners."""
    requests = torch.arange(len(lengths), device=lengths.device)
    flat = torch.arange(len(drafts), device=lengths.device)
    ends = lengths.cumsum(0)
    return requests, flat, ends - lengths, torch.searchsorted(ends, flat, right=True)


def first_rejection(kept: Tensor, lengths: Tensor, starts: Tensor, owner: Tensor) -> Tensor:
    """(B,) how many draft tokens of each request stay. kept: (sum K_b,) bool, what the coin of each one says."""
    flat = torch.arange(len(kept), device=kept.device)
    return lengths.scatter_reduce(0, owner, torch.where(kept, len(kept), flat - starts[owner]), "amin")


def emitted(drafts: Tensor, starts: Tensor, run: Tensor, last: Tensor, width: int) -> Tensor:
    """(B, width) the draft tokens that stay, the last token, then -1."""
    column = torch.arange(width, device=run.device)
    index = (starts[:, None] + column).clamp_max(max(0, len(drafts) - 1))
    proposed = drafts[index] if len(drafts) else index
    tokens = torch.where(column < run[:, None], proposed, -1)
    return torch.where(column == run[:, None], last[:, None], tokens)


def draw(
    target: Tensor, draft: Tensor, target_at: Tensor, draft_at: Tensor, residual: Tensor, draws: Tensor
) -> tuple[Tensor, Tensor]:
    """(B,) tokens by inverse CDF and the total masses: of max(target - draft, 0) where residual, else of the target."""
    if len(draft) == 0:  # no request has a draft: any row will do where nothing is taken away
        draft = target
    draft_at = torch.where(residual, draft_at, 0)  # else always the same row, so that it stays in the cache
    sums = block_sums(target, draft, target_at, draft_at, residual)
    running = sums.cumsum(1)
    total = running[:, -1]
    wanted = torch.minimum(draws * total, total.nextafter(torch.zeros_like(total)))  # products of tiny numbers round up
    block = (running <= wanted[:, None]).sum(1, keepdim=True).clamp_max(sums.shape[1] - 1)
    wanted = wanted - (running - sums).gather(1, block)[:, 0]
    size = target.shape[1]
    width = min(BLOCK, size)
    column = block * width + torch.arange(width, device=block.device)
    inside = column.clamp_max(size - 1)
    kind = precision(target, draft)
    taken = torch.where(residual[:, None], draft[draft_at[:, None], inside].to(kind), 0.0)
    masses = torch.where(column < size, target[target_at[:, None], inside].to(kind) - taken, 0.0).clamp_min(0)
    found = (masses.cumsum(1, dtype=torch.float64) <= wanted[:, None]).sum(1)
    last = width - 1 - (masses > 0).flip(1).to(torch.int8).argmax(1)  # where rounding leaves the sum below `wanted`
    return block[:, 0] * width + torch.minimum(found, last), total


def block_sums(target: Tensor, draft: Tensor, target_at: Tensor, draft_at: Tensor, residual: Tensor) -> Tensor:
    """(B, blocks) float64 sums over the blocks, of max(target - draft, 0) where residual, else of the target rows."""
    if torch.compiler.is_compiling() or target.device.type != "cpu":
        return _sum_blocks(target, draft, target_at, draft_at, residual)
    rows = max(1, PIECE // target.shape[1])
    pieces = zip(*(torch.split(index, rows) for index in (target_at, draft_at, residual)), strict=True)
    return torch.cat([_sum_blocks(target, draft, *piece) for piece in pieces])


def precision(target: Tensor, draft: Tensor) -> torch.dtype:
    return torch.promote_types(torch.promote_types(target.dtype, draft.dtype), torch.float32)


def _sum_blocks(target: Tensor, draft: Tensor, target_at: Tensor, draft_at: Tensor, residual: Tensor) -> Tensor:
    kind = precision(target, draft)
    left = target.index_select(0, target_at).to(kind)  # a copy: what follows may change it in place
    taken = draft.index_select(0, draft_at).to(kind)
    left.addcmul_(taken, residual[:, None].to(kind), value=-1).clamp_min_(0)
    size = left.shape[1]
    width = min(BLOCK, size)
    beyond = -size % width
    padded = torch.nn.functional.pad(left, (0, beyond)) if beyond else left
    return padded.reshape(len(left), -1, width).sum(2).double()
