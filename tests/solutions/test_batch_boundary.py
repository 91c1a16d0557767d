"""What the engine says to a batch that can't be: the value, the rule, the place. Never an answer."""
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from solutions.batch import verify_batch
from solutions.batch.batch import Batch
from solutions.batch.boundary import dtype_of, tolerance
from tests.solutions.batches import ENGINES, batch_of, emitted, random_batch, softmax

RIGHT = random_batch(np.random.default_rng(1), [2, 0, 1], 4)
NAN, INFINITY = float("nan"), float("inf")


def changed(part: str, place: Any, value: float) -> Batch:
    array = getattr(RIGHT, part).copy()
    array[place] = value
    return RIGHT._replace(**{part: array})


def recast(part: str, dtype: Any) -> Batch:
    return RIGHT._replace(**{part: getattr(RIGHT, part).astype(dtype)})


def cut(part: str) -> Batch:
    return RIGHT._replace(**{part: getattr(RIGHT, part)[:-1]})


WRONG_VALUES: dict[str, tuple[Batch, str]] = {
    "token beyond the vocabulary": (changed("draft_tokens", 1, 4), "draft_tokens[1] is 4; it must be at least 0 and"),
    "negative token": (changed("draft_tokens", 2, -1), "draft_tokens[2] is -1; it must be at least 0"),
    "coin of one": (changed("coins", 0, 1.0), "coins[0] is 1.0; it must be at least 0 and less than 1"),
    "negative coin": (changed("coins", 2, -0.5), "coins[2] is -0.5; it must be"),
    "coin that is no number": (changed("coins", 1, NAN), "coins[1] is nan; it must be"),
    "draw of one": (changed("final_draws", 1, 1.0), "final_draws[1] is 1.0; it must be"),
    "draw that is no number": (changed("final_draws", 2, NAN), "final_draws[2] is nan; it must be"),
    "negative length": (changed("lengths", 1, -1), "lengths[1] is -1; a request has 0 or more draft tokens"),
    "lengths of other drafts": (changed("lengths", 1, 1), "lengths sums to 4; there are 3 draft tokens"),
    "target that is no number": (changed("target_rows", (2, 3), NAN), "target_rows[2] (request 0, its row 2) has nan"),
    "bonus that is no number": (changed("target_rows", (3, 0), NAN), "target_rows[3] (request 1, its row 0) has nan"),
    "negative target": (changed("target_rows", (5, 1), -0.25), "target_rows[5] (request 2, its row 1) has -0.25"),
    "negative draft": (changed("draft_rows", (2, 0), -0.5), "draft_rows[2] (request 2, its row 0) has -0.5 at"),
    "infinite draft": (changed("draft_rows", (0, 0), INFINITY), "draft_rows[0] (request 0, its row 0) sums to inf"),
    "target without mass": (changed("target_rows", 4, 0.0), "target_rows[4] (request 2, its row 0) sums to 0; prob"),
    "draft that sums to two": (changed("draft_rows", 1, 0.5), "draft_rows[1] (request 0, its row 1) sums to 2; prob"),
}
WRONG_SHAPES: dict[str, tuple[Batch, type[Exception], str]] = {
    "target row missing": (cut("target_rows"), ValueError, "target_rows has shape (5, 4); it must be (6, 4)"),
    "draft row missing": (cut("draft_rows"), ValueError, "draft_rows has shape (2, 4); it must be (3, 4)"),
    "another vocabulary": (
        RIGHT._replace(draft_rows=RIGHT.draft_rows[:, :3]),
        ValueError,
        "draft_rows has shape (3, 3); it must be (3, 4)",
    ),
    "coin missing": (cut("coins"), ValueError, "coins has shape (2,); it must be (3,)"),
    "draw missing": (cut("final_draws"), ValueError, "final_draws has shape (2,); it must be (3,)"),
    "padded draft tokens": (
        RIGHT._replace(draft_tokens=np.zeros((3, 2), np.int64)),
        ValueError,
        "draft_tokens has shape (3, 2), lengths has shape (3,); each must be flat",
    ),
    "no request": (RIGHT._replace(lengths=RIGHT.lengths[:0]), ValueError, "an entry for each of 1 or more requests"),
    "no token": (RIGHT._replace(target_rows=RIGHT.target_rows[:, :0]), ValueError, "a row needs at least one token"),
    "flat rows": (RIGHT._replace(draft_rows=RIGHT.draft_rows.ravel()), ValueError, "draft_rows has shape (12,)"),
    "tokens as floats": (recast("draft_tokens", float), TypeError, "draft_tokens holds float64; it must hold int64"),
    "rows as integers": (recast("target_rows", int), TypeError, "target_rows holds int64; it must hold float64 or"),
    "coins in half precision": (recast("coins", np.float16), TypeError, "coins holds float16; it must hold float64 or"),
    "draws as integers": (recast("final_draws", int), TypeError, "final_draws holds int64; it must hold"),
    "lists": (RIGHT._replace(coins=RIGHT.coins.tolist()), TypeError, "['builtins.list', 'numpy.ndarray']; all must be"),
    "mixed": (RIGHT._replace(coins=torch.rand(3)), TypeError, "['numpy.ndarray', 'torch.Tensor']; all must be"),
}
KINDS: dict[str, Callable[[Any], Any]] = {"numpy": lambda part: part, "torch": torch.from_numpy}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("batch", "message"), WRONG_VALUES.values(), ids=WRONG_VALUES)
def test_a_wrong_value_is_named_with_its_place(kind: str, batch: Batch, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        verify_batch(*map(KINDS[kind], batch))


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize(("batch", "error", "message"), WRONG_SHAPES.values(), ids=WRONG_SHAPES)
def test_parts_that_do_not_fit_are_refused(batch: Batch, error: type[Exception], message: str, trusted: bool) -> None:
    with pytest.raises(error, match=re.escape(message)):
        verify_batch(*batch, trusted=trusted)
    if all(isinstance(part, np.ndarray) for part in batch):
        with pytest.raises(error, match=re.escape(message)):
            verify_batch(*map(torch.from_numpy, batch), trusted=trusted)


@pytest.mark.parametrize("size", [4, 1000])
@pytest.mark.parametrize("value", [NAN, INFINITY])
@pytest.mark.parametrize("engine", [name for name in ENGINES if name.startswith("numpy")])
def test_a_trusted_row_that_is_read_is_no_silent_answer(engine: str, value: float, size: int) -> None:
    """Nothing was checked, but a total that nothing can be drawn from is noticed."""
    batch = random_batch(np.random.default_rng(1), [0, 0], size)
    batch.target_rows[1, 2] = value
    with np.errstate(invalid="ignore"), pytest.raises(ValueError, match=r"target_rows\[1\] sums to (nan|inf); a draw"):
        _trusting(engine)(batch)


def _trusting(engine: str) -> Callable[[Batch], Any]:
    from solutions.batch import fast_numpy

    steps = {"numpy, together": fast_numpy._together, "numpy, one by one": fast_numpy._one_by_one}
    return steps[engine]


def test_a_trusted_batch_gives_the_same_answer() -> None:
    assert emitted(verify_batch(*RIGHT, trusted=True)) == emitted(verify_batch(*RIGHT))


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_a_softmax_in_its_own_precision_passes_and_a_sum_of_0_9_does_not(dtype: str) -> None:
    logits = torch.from_numpy(np.random.default_rng(3).normal(0.0, 5.0, (3, 3000)))
    rows = torch.softmax(logits.to(getattr(torch, dtype)), 1)
    uniforms = torch.rand(3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    parts = torch.zeros(0, dtype=torch.int64), rows, rows[:0], torch.zeros(3, dtype=torch.int64), uniforms[:0], uniforms
    assert dtype_of(rows) == dtype and tolerance(dtype) < 0.1
    verify_batch(*parts)
    with pytest.raises(ValueError, match=re.escape("target_rows[0] (request 0, its row 0) sums to 0.")):
        verify_batch(parts[0], rows * 0.9, *parts[2:])


def test_float32_uniforms_are_taken_as_they_are() -> None:
    row = softmax(np.random.default_rng(4).normal(0.0, 1.0, (1, 50)))
    batch = batch_of([1], [7], np.vstack([row, row]), row, [0.5], [0.25])
    single = batch._replace(coins=batch.coins.astype(np.float32), final_draws=batch.final_draws.astype(np.float32))
    for part in (single, Batch(*map(torch.from_numpy, single))):
        assert emitted(verify_batch(*part)) == emitted(verify_batch(*batch))
