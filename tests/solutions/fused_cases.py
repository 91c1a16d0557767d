"""The checks of the fused kernel: on a GPU, or on a CPU as a program of its own, under Triton's interpreter.

`python -m tests.solutions.fused_cases` runs them all and prints, as JSON, what was wrong with each ("" if nothing).
The interpreter must be switched on before triton is first imported; a test process may have imported it already.
"""
from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

if __name__ == "__main__":
    os.environ["TRITON_INTERPRET"] = "1"

import numpy as np
import torch

from solutions.batch import fused_triton
from solutions.batch.batch import Batch
from solutions.lab.choice import DTYPES
from solutions.lab.correct_torch import GridCheck, agreement
from tests.solutions.batches import BELOW_ONE, Emitted, batch_of, emitted, exactly, random_batch

LENGTHS = [3, 0, 1, 8, 2, 0, 4]
LAW, BONUS = [0.0, 0.25, 0.5, 0.25], [0.25] * 4


def verified(batch: Batch, device: str, logits: bool = False) -> Emitted:
    """The tokens by the kernel; `emitted` sees to it that the rest is -1."""
    if logits:
        with np.errstate(divide="ignore"):  # no mass is a logit of minus infinity
            batch = batch._replace(target_rows=np.log(batch.target_rows), draft_rows=np.log(batch.draft_rows))
    tensors = Batch(*(torch.from_numpy(part).to(device) for part in batch))
    return emitted(tuple(part.cpu() for part in fused_triton.verify(tensors, logits)))


def random_ragged_batches(device: str) -> None:
    """A part of a tile, a whole one, several; a vocabulary of two."""
    for size, lengths in ((2, LENGTHS), (7, LENGTHS), (4096, [1, 0]), (9000, [2, 0])):
        batch = random_batch(np.random.default_rng(size), lengths, size)
        right = exactly(batch)
        assert verified(batch, device) == right, size
        assert verified(batch, device, logits=True) == right, size


def no_drafts_at_all(device: str) -> None:
    batch = random_batch(np.random.default_rng(1), [0, 0, 0], 9)
    assert verified(batch, device) == verified(batch, device, logits=True) == exactly(batch)


def a_coin_of_zero(device: str) -> None:
    """A token that the target never produces is rejected even then."""
    batch = batch_of([1, 1], [0, 1], [LAW, BONUS, LAW, BONUS], [BONUS, LAW], [0.0, 0.0], [0.25, 0.0])
    assert exactly(batch) == [[2], [1, 0]]
    assert verified(batch, device) == verified(batch, device, logits=True) == exactly(batch)


def a_tie_is_a_rejection(device: str) -> None:
    batch = batch_of([1], [1], [LAW, BONUS], [[0.0, 0.5, 0.25, 0.25]], [0.5], [0.0])
    assert verified(batch, device) == exactly(batch) == [[2]]


def a_residual_without_mass(device: str) -> None:
    """Rounding left none to one of three requests: the target row stands in, and no other request notices."""
    less = [0.0, 0.25, 0.5 - 2**-30, 0.25 - 2**-30]
    batch = batch_of(
        [1] * 3, [1, 2, 1], [LAW, BONUS, less, BONUS, LAW, BONUS], [[0.0, 1.0, 0.0, 0.0], LAW, [0.0, 1.0, 0.0, 0.0]],
        [0.5, BELOW_ONE, 0.5], [0.3, 0.2, 0.9],
    )  # fmt: skip
    assert verified(batch, device) == exactly(batch) == [[2], [1], [3]]


def draws_at_the_edges(device: str) -> None:
    law = [0.0, 0.25, 0.5, 0.0, 0.25, 0.0]
    draws, reached = [0.0, 0.25 - 2**-40, 0.25, 0.5, 0.75, BELOW_ONE], [1, 1, 2, 2, 4, 4]
    batch = batch_of([0] * 6, [], [law] * 6, np.empty((0, 6)), [], draws)
    assert verified(batch, device) == [[token] for token in reached]


def last_tokens_of_a_large_vocabulary(device: str) -> None:
    """float32 rows, float64 sums across tiles: neighbouring draws reach neighbouring tokens."""
    size = 2**17
    even = np.full((3, size), 1.0 / size, np.float32)
    tokens = [0, 70_000, size - 1]
    draws = [(token + 0.5) / size for token in tokens]
    batch = batch_of([0] * 3, [], even, np.empty((0, size), np.float32), [], draws, np.float32)
    assert verified(batch, device) == [[token] for token in tokens]
    tail = np.zeros((1, 8192), np.float32)
    tail[0, [0, 5000]] = 1.0, 2.0**-25  # their sum in float32 is 1
    last = batch_of([0], [], tail, np.empty((0, 8192), np.float32), [], [(1 + 2.0**-26) / (1 + 2.0**-25)], np.float32)
    assert verified(last, device) == [[5000]]


def exact_law_of_a_grid(device: str) -> None:
    """In every number format, from probabilities and from logits; the interpreter has time for a small grid."""
    small = {"drafts": 2, "size": 2, "bits": 2} if device == "cpu" else {}
    for dtype in ["float32"] if device == "cpu" else DTYPES:
        for logits in (False, True):
            check = GridCheck(dtype, logits, **small)
            batch = Batch(*(part.to(device) for part in check.batch))
            assert check.error(fused_triton.verify(batch, logits)) == 0.0, (dtype, logits)


def same_as_the_reference_in_each_number_format(device: str) -> None:
    batch = random_batch(np.random.default_rng(3), LENGTHS, 700)
    for dtype in DTYPES:
        for logits in (False, True):
            given = batch
            if logits:
                with np.errstate(divide="ignore"):
                    given = batch._replace(target_rows=np.log(batch.target_rows), draft_rows=np.log(batch.draft_rows))
            tensors = Batch(*map(torch.from_numpy, given))
            rows = {name: getattr(tensors, name).to(getattr(torch, dtype)) for name in ("target_rows", "draft_rows")}
            tensors = tensors._replace(**rows)
            answer = fused_triton.verify(Batch(*(part.to(device) for part in tensors)), logits)
            assert agreement(answer, tensors, logits).wrong == 0, (dtype, logits)


CASES: dict[str, Callable[[str], None]] = {
    case.__name__: case
    for case in (
        random_ragged_batches, no_drafts_at_all, a_coin_of_zero, a_tie_is_a_rejection, a_residual_without_mass,
        draws_at_the_edges, last_tokens_of_a_large_vocabulary, exact_law_of_a_grid,
        same_as_the_reference_in_each_number_format,
    )
}  # fmt: skip


def problem(case: Callable[[str], Any]) -> str:
    try:
        case("cpu")
    except Exception:
        return traceback.format_exc()
    return ""


if __name__ == "__main__":
    json.dump({name: problem(case) for name, case in CASES.items()}, sys.stdout)
