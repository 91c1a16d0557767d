"""Verification from logits, NumPy and PyTorch: the tokens of exact fractions, and the exact law."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from solutions.batch import logits_numpy, logits_torch
from solutions.batch.batch import Batch
from solutions.batch.block_sums import SCRATCH
from tests.solutions.batches import BELOW_ONE, batch_of, emitted, exactly, random_batch

LENGTHS = [3, 0, 1, 8, 2, 0, 4]
BELOW = 1.0 - 2.0**-40


def in_torch(step: Callable[[Batch], Any]) -> Callable[[Batch], Any]:
    return lambda batch: step(Batch(*map(torch.from_numpy, batch)))


WAYS = {"numpy": logits_numpy.verify, "eager": in_torch(logits_torch.verify)}
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def as_logits(batch: Batch, shift: float = 0.0) -> Batch:
    with np.errstate(divide="ignore"):  # no mass is a logit of minus infinity
        target, draft = np.log(batch.target_rows) + shift, np.log(batch.draft_rows) - shift
    return batch._replace(target_rows=target, draft_rows=draft)


@each_way
@pytest.mark.parametrize(("lengths", "size"), [(LENGTHS, 2), (LENGTHS, 300), ([1], SCRATCH + 1)])
def test_the_tokens_are_those_of_the_probabilities(way: Any, lengths: list[int], size: int) -> None:
    """However large the logits are: the softmax doesn't change when a row is shifted."""
    batch = random_batch(np.random.default_rng(size), lengths, size)
    right = exactly(batch)
    for shift in (0.0, 1000.0):
        assert emitted(way(as_logits(batch, shift))) == right


def test_the_text_for_torch_can_be_compiled() -> None:
    """Traced as torch.compile does, but run without its C++ compiler."""
    compiled = torch.compile(logits_torch.verify_flat, dynamic=False, fullgraph=True, backend="aot_eager")
    batch = random_batch(np.random.default_rng(2), LENGTHS, 600)
    got = logits_torch.run_step(compiled, Batch(*map(torch.from_numpy, as_logits(batch))))
    assert emitted(got) == exactly(batch)


@each_way
def test_no_drafts_at_all(way: Any) -> None:
    batch = random_batch(np.random.default_rng(1), [0, 0], 9)
    assert emitted(way(as_logits(batch))) == exactly(batch)


@each_way
def test_edges(way: Any) -> None:
    """An impossible token at a coin of zero, and equal laws, whose residual has no mass."""
    law, bonus = [0.0, 0.25, 0.5, 0.25], [0.25] * 4
    batch = batch_of([1, 1], [0, 1], [law, bonus, law, bonus], [bonus, law], [0.0, BELOW_ONE], [0.25, 0.0])
    assert emitted(way(as_logits(batch))) == exactly(batch) == [[2], [1, 0]]
    less = [0.0, 0.25, 0.5 * BELOW, 0.25 * BELOW]
    lost = batch_of([1], [2], [less, bonus], [[0.0, 0.25, 0.5, 0.25]], [BELOW_ONE], [0.2])
    assert emitted(way(as_logits(lost)))[0][0] in (1, 2)  # whether it is rejected is decided by rounding
