"""Block verification: the K draft tokens of a round are judged together, and the longest prefix that passes stays.

Source: Sun et al., arXiv 2403.10444 (the rule as vLLM's kernels have it, vllm/v1/worker/gpu/spec_decode/
rejection_sampler_utils.py at commit 72c0d6765).
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from solutions.draws import pick
from solutions.joint_law import length_law
from solutions.trees import everywhere

Row = Any
"""V masses: a list, a tuple or an array."""


class Judged(NamedTuple):
    """passes: the probability that prefix 1, 2, ... K passes its own test. carried: the K + 1 running ratios.

    carried[i] is how much of the target's mass the first i draft tokens still carry, at most 1; carried[0] is 1.
    """

    passes: tuple[Any, ...]
    carried: tuple[Any, ...]


def judged(draft_tokens: Sequence[int], target_rows: Any, draft_rows: Any) -> Judged:
    """What the prefixes of a round are judged by. Shapes: (K,), (K + 1, V), (K, V); floats or Fractions."""
    carried: list[Any] = [1]
    for token, target, draft in zip(draft_tokens, target_rows, draft_rows, strict=False):
        carried.append(min(carried[-1] * target[token] / draft[token], 1))
    passes = []
    for count in range(1, len(draft_tokens)):
        missing = sum(left_over(carried[count], target_rows[count], draft_rows[count]))
        room = missing + 1 - carried[count]
        passes.append(missing / room if room > 0 else 1)
    return Judged((*passes, *carried[-1:][: len(draft_tokens)]), tuple(carried))


def left_over(carried: Any, target: Row, draft: Row) -> list[Any]:
    """What the target still misses at a place when the prefix before it carries so much of its mass: (V,) masses."""
    return [max(carried * p - q, 0) for p, q in zip(target, draft, strict=True)]


def last_success(passed: Sequence[bool]) -> int:
    """How many draft tokens stay: up to the last test that was passed, whatever failed before it."""
    return max((count for count, one in enumerate(passed, start=1) if one), default=0)


def first_failure(passed: Sequence[bool]) -> int:
    """The same, stopped at the first test that fails: what token-by-token verification does, and wrong here."""
    return next((count for count, one in enumerate(passed) if not one), len(passed))


def block_verify(
    draft_tokens: np.ndarray,
    target_rows: np.ndarray,
    draft_rows: np.ndarray,
    coins: Sequence[Any],
    final_draw: Any,
    kept_by: Callable[[Sequence[bool]], int] = last_success,
    token_residual: bool = False,
) -> list[int]:
    """One round; a verifier as in solutions.joint_law, with symbolic uniforms too.

    kept_by: `last_success`, or a wrong way to read the K verdicts. token_residual: True for the mistake of drawing the
    replacement from the residual of token-by-token verification.
    """
    tokens = [int(token) for token in draft_tokens]
    passes, carried = judged(tokens, target_rows, draft_rows)
    kept = kept_by([bool(coin < bound) for coin, bound in zip(coins, passes, strict=True)])
    row: list[Any] = list(target_rows[kept])
    if kept < len(tokens):
        row = left_over(1 if token_residual else carried[kept], row, draft_rows[kept])
    total = sum(row)
    if not total > 0:  # rounding left nothing; the target stands in, as in solutions.rejection_rule
        row, total = list(target_rows[kept]), 1
    return [*tokens[:kept], pick([mass / total for mass in row], final_draw)]


def mean_accepted(emitted: dict[tuple[Any, ...], Any]) -> Any:
    """The mean number of accepted draft tokens, from the law of what a round emits: all but its last token."""
    return sum((length - 1) * probability for length, probability in length_law(emitted).items())


# The example that the paper opens with: two tokens, the same two laws after every prefix.
TOY = everywhere((Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3)))
