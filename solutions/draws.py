"""One verification step with its uniforms given: the coin, and the draw from a distribution. Nothing random in here."""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, overload


@overload
def accepts(u: float, target_mass: float, draft_mass: float) -> bool: ...
@overload
def accepts(u: Any, target_mass: Any, draft_mass: Any) -> Any: ...
def accepts(u: Any, target_mass: Any, draft_mass: Any) -> Any:
    """Whether the draft token stays: `u * draft < target`, strict. u: uniform in [0, 1); the masses: of that token.

    Numbers, or arrays or tensors of one shape; then the answer is one too.
    No division, so nothing needs rescuing; strict, so that a token without target mass never stays, at u = 0 either.
    Source: Leviathan et al., arXiv 2211.17192, section 2.3, in the multiplied form.
    """
    return u * draft_mass < target_mass


def pick(probs: Sequence[float], uniform: float) -> int:
    """Inverse CDF: the first index whose cumulative sum is greater than `uniform`, in [0, 1).

    probs: (V,) masses that sum to 1 up to rounding. A token without mass can't be drawn: not at 0, and not where
    rounding leaves the sum just below `uniform` either; then the last token with mass is.
    """
    reached = bisect_right(list(accumulate(probs)), uniform)
    last = max(index for index, mass in enumerate(probs) if mass > 0.0)
    return min(reached, last)
