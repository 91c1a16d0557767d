"""The engine and the exercises' solutions are the same rule: equal tokens for equal uniforms, and the exact law."""
from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from solutions.batch import verify_batch as engine_batch
from solutions.batch.batch import Batch
from tests.solutions.batches import ENGINES, batch_of, dyadic_batches, emitted, random_batch, requests

grid_module = pytest.importorskip("solutions.grid")
joint_law = pytest.importorskip("solutions.joint_law")
speculative_step = pytest.importorskip("solutions.speculative_step.solution").speculative_step
verify_batch = pytest.importorskip("solutions.verify_batch.solution").verify_batch
target_distribution = pytest.importorskip("solutions.target_distribution.solution").target_distribution

each_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
few = settings(max_examples=40, deadline=None)


def step_by_step(batch: Batch) -> list[list[int]]:
    return [speculative_step(*request) for request in requests(batch)]


@each_engine
@given(batch=dyadic_batches())
@few
def test_a_dyadic_batch_gives_what_speculative_step_gives_row_by_row(engine: Any, batch: Batch) -> None:
    """But for divisions: the exercise normalises its residual, and 1/3 can round a tie away; ties are left out."""
    off_ties = batch._replace(final_draws=batch.final_draws * (1 - 2.0**-30) + 2.0**-32)
    assert emitted(engine(off_ties)) == step_by_step(off_ties)


@each_engine
@pytest.mark.parametrize("size", [3, 50, 700])
def test_a_random_batch_gives_what_speculative_step_gives_row_by_row(engine: Any, size: int) -> None:
    rng = np.random.default_rng(size)
    batch = random_batch(rng, rng.integers(0, 6, 60).tolist(), size)
    assert emitted(engine(batch)) == step_by_step(batch)


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


@each_engine
@pytest.mark.parametrize(("size", "length", "bits"), [(2, 3, 2), (3, 2, 3), (3, 0, 3), (4, 1, 3)])
def test_the_law_on_the_whole_grid_is_the_target_s_to_the_last_digit(
    engine: Any, size: int, length: int, bits: int
) -> None:
    tree = grid_module.dyadic_tree(random.Random(size + 10 * length), size, length + 1, bits)
    batch = grid_module.grid(tree, length, bits)
    law = batch.law(*engine(Batch(*batch.arguments)))
    assert joint_law.completed(law, tree, length + 1) == joint_law.target_law(tree, length + 1)


@each_engine
@given(data=st.data())
@few
def test_temperature_zero_is_the_argmax_however_large_the_logits_and_no_division(engine: Any, data: Any) -> None:
    """Rows of the exercise target_distribution at temperature 0, then verified: the greedy text, whatever the draft."""
    size, length = data.draw(st.integers(2, 6)), data.draw(st.integers(0, 4))
    numbers = st.floats(-1e99, 1e99)
    row = st.lists(numbers, min_size=size, max_size=size)
    logits = np.array(data.draw(st.lists(row, min_size=length + 1, max_size=length + 1)))
    drafts = data.draw(st.lists(st.integers(0, size - 1), min_size=length, max_size=length))
    with np.errstate(all="raise"):
        rows = target_distribution(logits, {"temperature": 0}, ([], [], drafts))
    best = logits.argmax(axis=1).tolist()
    assert (rows == np.eye(size)[best]).all()
    even = np.full((length, size), 1 / size)
    coins = np.full(length, data.draw(st.floats(0, 1, exclude_max=True)))
    (got,) = emitted(engine(batch_of([length], drafts, rows, even, coins, [0.5])))
    assert got == best[: len(got)]


def test_the_source_s_own_assertion_holds_for_the_engine() -> None:
    """Equal uniform laws over ten tokens, drafts 1, 2, 3: all are kept, every time."""
    even = np.full((4, 10), 0.1)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        batch = batch_of([3], [1, 2, 3], even, even[:3], rng.random(3), rng.random(1))
        assert emitted(engine_batch(*batch))[0][:3] == [1, 2, 3]
