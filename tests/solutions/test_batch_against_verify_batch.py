"""The engine and the exercise verify_batch give the same tensors for the same uniforms."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from solutions.batch.batch import Batch
from solutions.verify_batch.solution import verify_batch
from tests.solutions.batches import ENGINES, dyadic_batches, emitted, random_batch

each_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
few = settings(max_examples=40, deadline=None)


@each_engine
@given(batch=dyadic_batches())
@few
def test_a_dyadic_batch_gives_what_the_exercise_verify_batch_gives(engine: Any, batch: Batch) -> None:
    tokens, counts = verify_batch(*map(torch.from_numpy, batch))
    got_tokens, got_counts = engine(batch)
    assert np.asarray(got_tokens).tolist() == tokens.tolist() and np.asarray(got_counts).tolist() == counts.tolist()


@each_engine
@pytest.mark.parametrize("size", [3, 50, 700])
def test_a_random_batch_gives_what_the_exercise_verify_batch_gives(engine: Any, size: int) -> None:
    rng = np.random.default_rng(size)
    batch = random_batch(rng, rng.integers(0, 6, 200).tolist(), size)
    assert emitted(engine(batch)) == emitted(verify_batch(*map(torch.from_numpy, batch)))
