"""Is a verifier right? Row by row beside the reference, under the same uniforms, and its exact law on a dyadic grid."""
from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from solutions.batch.batch import Batch
from solutions.grid import Grid, dyadic_tree, grid
from solutions.joint_law import completed, distance, target_law
from solutions.trees import Tree
from solutions.verify_batch.solution import verify_batch as reference

SLACK = {False: 2.0**-20, True: 2.0**-17}  # by whether rows hold logits: an exponential in float32 rounds once more
MOST_TRIED = 64  # differing requests that are looked at closely
PIECE = 2**22  # entries of the reference's float64 rows
BELOW_ONE = 1.0 - 2.0**-53

Verify = Callable[[Batch], tuple[Any, Any]]


class Agreement(NamedTuple):
    """How many requests got the reference's tokens, which differ only on a boundary, and which are wrong.

    On a boundary: the answer is the reference's for uniforms that are moved by SLACK at most. Rows of float32 can't
    decide such a uniform: another order of summing gives the neighbouring token.
    """

    equal: int
    boundary: int
    wrong: int


def agreement(answer: tuple[Any, Any], batch: Batch, logits: bool) -> Agreement:
    """batch: CPU tensors. answer: tensors on any device, or arrays; also of wrong shapes, from code that isn't ours."""
    tokens, counts = (torch.as_tensor(part).cpu() for part in answer)
    right_tokens, right_counts = judged(batch, logits)
    if tokens.shape != right_tokens.shape or counts.shape != right_counts.shape:
        return Agreement(0, 0, len(right_counts))
    same = (tokens == right_tokens).all(1) & (counts == right_counts)
    differing = (~same).nonzero()[:, 0][:MOST_TRIED]
    explained = torch.zeros(len(differing), dtype=torch.bool)
    if len(differing):
        few = part(batch, differing.tolist())
        for coins, draws in itertools.product((-1, 0, 1), repeat=2):
            other, counted = judged(_moved(few, coins * SLACK[logits], draws * SLACK[logits]), logits)
            mine = tokens[differing][:, : other.shape[1]]
            explained |= (mine == other).all(1) & (counts[differing] == counted)
    equal, boundary = int(same.sum()), int(explained.sum())
    return Agreement(equal, boundary, len(same) - equal - boundary)


def judged(batch: Batch, logits: bool) -> tuple[Tensor, Tensor]:
    """(tokens, counts) by the exercise's solution, some requests at a time: it needs float64 rows of its own."""
    width, count = int(batch.lengths.max()) + 1, len(batch.lengths)
    step = max(1, PIECE // (batch.target_rows.shape[1] * width * 2))
    tokens, counts = torch.full((count, width), -1), torch.empty(count, dtype=torch.int64)
    for low in range(0, count, step):
        few = part(batch, range(low, min(count, low + step)))
        if logits:
            few = few._replace(target_rows=_softmax(few.target_rows), draft_rows=_softmax(few.draft_rows))
        found, counts[low : low + step] = reference(*few)
        tokens[low : low + step, : found.shape[1]] = found
    return tokens, counts


def part(batch: Batch, requests: Any) -> Batch:
    """Some requests of a batch, as one of its own."""
    chosen = torch.as_tensor(list(requests))
    starts = batch.lengths.cumsum(0) - batch.lengths
    drafts = torch.cat([starts[one] + torch.arange(int(batch.lengths[one])) for one in chosen])
    rows = torch.cat([starts[one] + one + torch.arange(int(batch.lengths[one]) + 1) for one in chosen])
    return Batch(
        batch.draft_tokens[drafts], batch.target_rows[rows], batch.draft_rows[drafts], batch.lengths[chosen],
        batch.coins[drafts], batch.final_draws[chosen],
    )  # fmt: skip


def _moved(batch: Batch, coins: float, draws: float) -> Batch:
    moved = (batch.coins + coins).clamp(0.0, BELOW_ONE), (batch.final_draws + draws).clamp(0.0, BELOW_ONE)
    return batch._replace(coins=moved[0], final_draws=moved[1])


def _softmax(rows: Tensor) -> Tensor:
    return rows.double().softmax(1)


class GridCheck:
    """The exact law of a batched verifier, in one call: every draft and every uniform of a grid is a request.

    Its laws are multiples of 1 / 2**bits, eighths, so that float16 and bfloat16 hold them exactly too.
    """

    def __init__(self, dtype: str, logits: bool, drafts: int = 2, size: int = 3, bits: int = 3) -> None:
        self._tree: Tree = dyadic_tree(random.Random(6), size, drafts + 1, bits)
        self._grid: Grid = grid(self._tree, drafts, bits)
        self._emitted = drafts + 1
        parts = [torch.from_numpy(np.ascontiguousarray(one)) for one in self._grid.arguments]
        rows = [(one.log() if logits else one).to(getattr(torch, dtype)) for one in parts[1:3]]
        self.batch = Batch(parts[0], *rows, *parts[3:])

    def error(self, answer: tuple[Any, Any]) -> float:
        """The total variation distance from the target's law; 0.0 is no rounding, it is counted in fractions."""
        tokens, counts = (torch.as_tensor(one).cpu().numpy() for one in answer)
        law = completed(self._grid.law(tokens, counts), self._tree, self._emitted)
        return distance(law, target_law(self._tree, self._emitted))
