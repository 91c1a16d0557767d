"""The engine for batches: exact verification of B requests in one call, as fast as memory gives two rows a request.

It gives what the exercise verify_batch gives, and is proven equal to it row by row; the exercise's solution is written
to be read, this to be used, on NumPy arrays and on tensors on any device. NumPy users import no PyTorch.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from solutions.batch import fast_numpy
from solutions.batch.batch import Batch
from solutions.batch.boundary import check_shapes, check_values, dtype_of


def verify_batch(
    draft_tokens: Any,
    target_rows: Any,
    draft_rows: Any,
    lengths: Any,
    coins: Any,
    final_draws: Any,
    *,
    trusted: bool = False,
    compiled: bool = False,
) -> tuple[Any, Any]:
    """Verify the draft tokens of B requests.

    The parts are those of `solutions.batch.batch.Batch`: NumPy arrays, or tensors on one device that knows float64.
    trusted: the caller vouches for the values (probabilities, tokens and uniforms in range), so that only the rows that
    a draw needs are read; without it every row is checked, which costs more than the verification itself.
    compiled: use torch.compile for tensors, worth it from about 8 requests on, where shapes repeat.
    Returns (tokens, counts): (B, max K_b + 1) int64, the emitted tokens of each request, then -1; and (B,) int64, how
    many were emitted, from 1 to K_b + 1. Where rounding leaves a residual without mass, the target row stands in.
    Raises TypeError and ValueError as `solutions.batch.boundary` says.
    Source: Leviathan et al., arXiv 2211.17192; Chen et al., arXiv 2302.01318.
    """
    batch = Batch(draft_tokens, target_rows, draft_rows, lengths, coins, final_draws)
    check_shapes(batch)
    if not trusted:
        check_values(batch)
    return _verify_arrays(batch) if isinstance(target_rows, np.ndarray) else _verify_tensors(batch, compiled)


def _verify_arrays(batch: Batch) -> tuple[Any, Any]:
    """The NumPy engine reads rows as one flat memory: a copy where they are not so already."""
    target_rows, draft_rows = np.ascontiguousarray(batch.target_rows), np.ascontiguousarray(batch.draft_rows)
    return fast_numpy.verify(batch._replace(target_rows=target_rows, draft_rows=draft_rows))


def _verify_tensors(batch: Batch, compiled: bool) -> tuple[Any, Any]:
    """On a CPU NumPy is faster than PyTorch's operators one by one; it reads the tensors' own memory."""
    import torch

    from solutions.batch import fast_torch

    if compiled:
        return fast_torch.verify_compiled(batch)
    kinds = {dtype_of(batch.target_rows), dtype_of(batch.draft_rows)}
    if batch.target_rows.device.type != "cpu" or "bfloat16" in kinds:
        return fast_torch.verify(batch)
    tokens, counts = _verify_arrays(Batch(*(part.detach().numpy() for part in batch)))
    return torch.from_numpy(tokens), torch.from_numpy(counts)
