"""The two ways of `solutions.lab.tutorial` on tensors, for devices that NumPy doesn't reach."""
from __future__ import annotations

import torch
from torch import Tensor

from solutions.batch.batch import Batch
from solutions.lab.tutorial import requests


def naive_loop(batch: Batch) -> tuple[Tensor, Tensor]:
    """A loop over requests and tokens: for each of them the device is waited for. Returns as `verify_batch` does."""
    emitted = [_one(*request) for request in requests(batch)]
    tokens = torch.full((len(emitted), int(batch.lengths.max()) + 1), -1)
    for row, one in zip(tokens, emitted, strict=True):
        row[: len(one)] = torch.tensor(one)
    return tokens, torch.tensor([len(one) for one in emitted])


def _one(tokens: Tensor, target: Tensor, draft: Tensor, coins: Tensor, final_draw: float) -> list[int]:
    kept: list[int] = []
    for place, token in enumerate(tokens.tolist()):
        if coins[place].item() < min(1.0, (target[place, token] / draft[place, token]).item()):
            kept.append(token)
            continue
        return [*kept, _choose((target[place] - draft[place]).clamp(min=0), final_draw)]
    return [*kept, _choose(target[-1], final_draw)]


def _choose(weights: Tensor, uniform: float) -> int:
    running = weights.cumsum(0, dtype=torch.float64)
    return int(torch.searchsorted(running, uniform * running[-1:], right=True).item())


def textbook_batch(batch: Batch) -> tuple[Tensor, Tensor]:
    """No loop, but the residual rows of all draft tokens, and a running sum over whole rows."""
    drafts, lengths, device = batch.draft_tokens, batch.lengths, batch.lengths.device
    every, flat = torch.arange(len(lengths), device=device), torch.arange(len(drafts), device=device)
    starts, owner = lengths.cumsum(0) - lengths, every.repeat_interleave(lengths)
    place = flat - starts[owner]
    mine, theirs = batch.target_rows[flat + owner, drafts], batch.draft_rows[flat, drafts]
    accepted = torch.zeros((len(lengths), int(lengths.max())), dtype=torch.int64, device=device)
    accepted[owner, place] = (batch.coins < (mine / theirs).clamp(max=1.0)).long()
    run = accepted.cumprod(1).sum(1)
    residual = (batch.target_rows[flat + owner] - batch.draft_rows).clamp(min=0)
    residual /= residual.sum(1, keepdim=True).clamp(min=1e-30)
    rows = torch.cat([residual, batch.target_rows[starts + every + lengths]])
    rows = rows[torch.where(run < lengths, starts + run, len(flat) + every)]
    last = (rows.cumsum(1) > batch.final_draws[:, None]).to(torch.uint8).argmax(1)
    tokens = torch.full((len(lengths), accepted.shape[1] + 1), -1, device=device)
    kept = place < run[owner]
    tokens[owner[kept], place[kept]] = drafts[kept]
    tokens[every, run] = last
    return tokens, run + 1
