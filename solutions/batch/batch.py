"""The flat layout of a batch of requests with draft lengths of their own."""
from __future__ import annotations

from typing import Any, NamedTuple


class Batch(NamedTuple):
    """B requests, request after request; each part is a NumPy array or a tensor, all of them the same kind.

    draft_tokens: (sum K_b,) int64. target_rows: (sum (K_b + 1), V), the last row of each request is its bonus row.
    draft_rows: (sum K_b, V). lengths: (B,) int64, the K_b; 0 is allowed. coins: (sum K_b,) float64 in [0, 1).
    final_draws: (B,) float64 in [0, 1), for the residual or the bonus.
    """

    draft_tokens: Any
    target_rows: Any
    draft_rows: Any
    lengths: Any
    coins: Any
    final_draws: Any
