"""What a batch must be, said where it is not: shapes and kinds first, then the values.

Each message names the value, the rule and the place. Nothing is repaired but precision: rows of float16 and bfloat16
are read as float32, coins and draws of less than float64 as they are (float32 uniforms can't reach every token of a
large vocabulary, so draw them as float64).
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solutions.batch.batch import Batch

Floats = NDArray[np.float64]

ROW_DTYPES = ("float64", "float32", "float16", "bfloat16")
UNIFORM_DTYPES = ("float64", "float32")
EPSILON = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}


def tolerance(dtype: str) -> float:
    """How far the sum of a row may be from 1: the root of its precision, which a softmax in that precision keeps to."""
    return math.sqrt(EPSILON[dtype])


def dtype_of(array: Any) -> str:
    """The name of the kind of numbers, the same for NumPy and PyTorch: "float32"."""
    return str(array.dtype).removeprefix("torch.")


def check_shapes(batch: Batch) -> None:
    """Raises TypeError or ValueError where the parts don't fit together. No value is looked at."""
    kinds = {type(part).__module__.partition(".")[0] + "." + type(part).__name__ for part in batch}
    if kinds not in ({"numpy.ndarray"}, {"torch.Tensor"}):
        raise TypeError(f"the batch has parts of {sorted(kinds)}; all must be NumPy arrays, or all PyTorch tensors")
    drafts, requests = batch.draft_tokens.shape, batch.lengths.shape
    if len(drafts) != 1 or len(requests) != 1 or requests[0] == 0:
        shapes = f"draft_tokens has shape {tuple(drafts)}, lengths has shape {tuple(requests)}"
        raise ValueError(f"{shapes}; each must be flat, and lengths must have an entry for each of 1 or more requests")
    size = batch.target_rows.shape[-1] if batch.target_rows.ndim else 0
    if size == 0:
        raise ValueError(f"target_rows has shape {tuple(batch.target_rows.shape)}; a row needs at least one token")
    rows = drafts[0] + requests[0]
    _check("draft_tokens", batch.draft_tokens, drafts, ("int64",))
    _check("lengths", batch.lengths, requests, ("int64",))
    _check("target_rows", batch.target_rows, (rows, size), ROW_DTYPES)
    _check("draft_rows", batch.draft_rows, (drafts[0], size), ROW_DTYPES)
    _check("coins", batch.coins, drafts, UNIFORM_DTYPES)
    _check("final_draws", batch.final_draws, requests, UNIFORM_DTYPES)


def _check(name: str, part: Any, shape: tuple[int, ...], dtypes: tuple[str, ...]) -> None:
    if tuple(part.shape) != tuple(shape):
        rule = "as draft_tokens, lengths and the width of target_rows have it"
        raise ValueError(f"{name} has shape {tuple(part.shape)}; it must be {tuple(shape)}, {rule}")
    if dtype_of(part) not in dtypes:
        raise TypeError(f"{name} holds {dtype_of(part)}; it must hold {' or '.join(dtypes)}")


def check_values(batch: Batch) -> None:
    """Raises ValueError for the first value that can't be; reads every row, so costs more than the verification."""
    lengths = _host(batch.lengths)
    _check_lengths(lengths, len(batch.draft_tokens))
    _check_range("draft_tokens", _host(batch.draft_tokens), batch.target_rows.shape[1], "the vocabulary's size")
    _check_range("coins", _host(batch.coins), 1, "uniforms are drawn from [0, 1)")
    _check_range("final_draws", _host(batch.final_draws), 1, "uniforms are drawn from [0, 1)")
    _check_rows("target_rows", batch.target_rows, lengths + 1)
    _check_rows("draft_rows", batch.draft_rows, lengths)


def _check_lengths(lengths: NDArray[np.int64], drafts: int) -> None:
    if (lengths < 0).any():
        request = int((lengths < 0).argmax())
        raise ValueError(f"lengths[{request}] is {lengths[request]}; a request has 0 or more draft tokens")
    if lengths.sum() != drafts:
        raise ValueError(f"lengths sums to {lengths.sum()}; there are {drafts} draft tokens")


def _check_range(name: str, values: NDArray[Any], limit: int, why: str) -> None:
    wrong = ~((values >= 0) & (values < limit))  # NaN is wrong too
    if wrong.any():
        place = int(wrong.argmax())
        raise ValueError(f"{name}[{place}] is {values[place]}; it must be at least 0 and less than {limit} ({why})")


def _check_rows(name: str, rows: Any, rows_of: NDArray[np.int64]) -> None:
    """rows_of: (B,) how many rows each request has, for the place in the message."""
    least, total = _least_and_total(rows)
    allowed = tolerance(dtype_of(rows))
    wrong = ~((least >= 0.0) & (np.abs(total - 1.0) <= allowed))
    if not wrong.any():
        return
    place = int(wrong.argmax())
    request = int(rows_of.cumsum().searchsorted(place, "right"))
    where = f"{name}[{place}] (request {request}, its row {place - int(rows_of[:request].sum())})"
    if least[place] >= 0.0:
        raise ValueError(f"{where} sums to {total[place]:.6g}; probabilities must sum to 1 (within {allowed:.2g})")
    row = _host(rows[place].double() if dtype_of(rows) == "bfloat16" else rows[place])
    token = int((~(row >= 0.0)).argmax())
    raise ValueError(f"{where} has {row[token]} at token {token}; a probability is a number that is not negative")


def _least_and_total(rows: Any) -> tuple[Floats, Floats]:
    """(R,) the least entry of each row, NaN where there is one, and its sum, in float64."""
    if isinstance(rows, np.ndarray):
        with np.errstate(invalid="ignore"):  # infinity minus infinity
            return rows.min(axis=1).astype(float), rows.sum(axis=1, dtype=float)
    import torch

    return _host(rows.amin(1).double()), _host(rows.sum(1, dtype=torch.float64))


def _host(part: Any) -> NDArray[Any]:
    found: NDArray[Any] = part if isinstance(part, np.ndarray) else part.detach().cpu().numpy()
    return found
