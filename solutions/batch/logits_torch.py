"""Verification of a batch from logits in PyTorch: softmax of what is needed, then the engine's draw.

Each row's greatest logit and its sum of exponentials give the two probabilities of each draft token; whole rows of
probabilities are made for the last token only, two a request. A device is never waited for, so that the sums of all
2 K + 1 rows are computed, also of those behind a rejection.
"""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from solutions.batch.batch import Batch
from solutions.batch.fast_torch import PIECE, compiled, draw, emitted, first_rejection, layout, run_step
from solutions.draws import accepts


def verify(batch: Batch) -> tuple[Tensor, Tensor]:
    """(tokens, counts) as `solutions.batch.verify_batch` returns them; nothing is checked here.

    The rows of the batch hold logits, of which the softmax is meant; -inf is allowed.
    """
    return run_step(verify_flat, batch)


def verify_compiled(batch: Batch) -> tuple[Tensor, Tensor]:
    """The same by torch.compile, which computes what a row needs while it is in the cache."""
    return run_step(compiled(verify_flat), batch)


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
    """As `solutions.batch.fast_torch.verify_flat`, of logits."""
    requests, flat, starts, owner = layout(drafts, lengths)
    if len(draft) == 0:  # no request has a draft: any row will do where nothing is taken away
        draft = target
    tops, sums = _normalisers(target)
    draft_tops, draft_sums = _normalisers(draft)
    mine = flat + owner
    wanted = _share(target[mine, drafts], tops[mine], sums[mine])
    offered = _share(draft[flat, drafts], draft_tops[flat], draft_sums[flat])
    run = first_rejection(accepts(coins.double(), wanted, offered), lengths, starts, owner)
    residual = (run < lengths) & ~stands_in
    target_at, draft_at = starts + requests + run, torch.where(residual, starts + run, 0)
    rows = _share(target[target_at], tops[target_at, None], sums[target_at, None])
    draft_rows = _share(draft[draft_at], draft_tops[draft_at, None], draft_sums[draft_at, None])
    last, total = draw(rows, draft_rows, requests, requests, residual, draws)
    return emitted(drafts, starts, run, last, width), run + 1, residual & (total == 0)


def _normalisers(rows: Tensor) -> tuple[Tensor, Tensor]:
    """(R,) each row's greatest logit, and the sum of the exponentials of all less the greatest."""
    if torch.compiler.is_compiling() or rows.device.type != "cpu":
        return _top_and_sum(rows)
    return _in_pieces(_top_and_sum, rows)


def _in_pieces(measure: Callable[[Tensor], tuple[Tensor, Tensor]], rows: Tensor) -> tuple[Tensor, Tensor]:
    """The same, some rows at a time, whose temporaries stay in a CPU's cache."""
    tops, sums = zip(*map(measure, torch.split(rows, max(1, PIECE // rows.shape[1]))), strict=True)
    return torch.cat(tops), torch.cat(sums)


def _top_and_sum(rows: Tensor) -> tuple[Tensor, Tensor]:
    wide = _wide(rows)
    tops = wide.amax(1)
    return tops, (wide - tops[:, None]).exp().sum(1)


def _share(logits: Tensor, tops: Tensor, sums: Tensor) -> Tensor:
    return (_wide(logits) - tops).exp() / sums


def _wide(part: Tensor) -> Tensor:
    return part if part.dtype == torch.float64 else part.float()
