"""The exact law of batched code, NumPy or PyTorch, from one call: every uniform at once, on a grid.

Where all breakpoints of the right rule (accept probabilities, cumulative sums) are multiples of 1/n, n a power of two,
the uniforms (j + 1/2)/n count every cell exactly, each combination of them being one request of the batch. They keep
1/(2n) away from every breakpoint, so rounding decides nothing, in float32 either. Of a wrong rule the grid gives the
law that it has on these uniforms.
"""
from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from solutions.joint_law import Law
from solutions.trees import Round, Rows, Tokens, Tree, rounds


class Grid(NamedTuple):
    """A batch of B requests of K drafts each, in flat layout, with the exact probability of each request.

    draft_tokens: (B K,) int64. target_rows: (B (K + 1), V), draft_rows: (B K, V), float64. lengths: (B,) int64, all K.
    coins: (B K,), final_draws: (B,), float64. shares: B Fractions that sum to 1.
    """

    draft_tokens: np.ndarray
    target_rows: np.ndarray
    draft_rows: np.ndarray
    lengths: np.ndarray
    coins: np.ndarray
    final_draws: np.ndarray
    shares: list[Fraction]

    @property
    def arguments(self) -> tuple[np.ndarray, ...]:
        """What the batched verifier is called with, in the order of its signature."""
        return self[:6]

    def law(self, tokens: Any, counts: Any) -> Law:
        """The law of the emitted tokens, in Fractions, from the answer to these arguments.

        tokens: (B, at least the largest count), counts: (B,), arrays or CPU tensors; what is beyond a count is ignored.
        """
        law: defaultdict[tuple[Any, ...], Any] = defaultdict(Fraction)
        emitted = zip(np.asarray(tokens).tolist(), np.asarray(counts).tolist(), self.shares, strict=True)
        for row, count, share in emitted:
            law[tuple(row[:count])] += share
        return dict(law)


def grid(tree: Tree, length: int, bits: int) -> Grid:
    """Every round of `length` = K >= 0 drafts with every combination of K + 1 uniforms out of 2**bits.

    The tree has Fractions, with breakpoints that are multiples of 1/2**bits; `dyadic_tree` makes one. B is the number
    of possible drafts times 2**(bits (K + 1)): for K = 2, V = 3 and bits = 3 at most 4608.
    """
    points = (np.arange(2**bits) + 0.5) / 2**bits
    uniforms = np.stack(np.meshgrid(*[points] * (length + 1), indexing="ij"), axis=-1).reshape(-1, length + 1)
    given = list(rounds(tree, length))
    _refuse_other_breakpoints(given, bits)
    times = len(uniforms)
    return Grid(
        draft_tokens=np.concatenate([np.tile(one.draft_tokens, times) for one in given]),
        target_rows=np.concatenate([np.tile(one.target_rows.astype(np.float64), (times, 1)) for one in given]),
        draft_rows=np.concatenate([np.tile(one.draft_rows.astype(np.float64), (times, 1)) for one in given]),
        lengths=np.full(len(given) * times, length, dtype=np.int64),
        coins=np.tile(uniforms[:, :-1].ravel(), len(given)),
        final_draws=np.tile(uniforms[:, -1], len(given)),
        shares=[Fraction(one.probability) / times for one in given for _ in range(times)],
    )


def dyadic_tree(rng: random.Random, size: int, length: int, bits: int) -> Tree:
    """Random laws after each of at most `length` tokens, in Fractions, all breakpoints multiples of 1/2**bits.

    size: 2 to 4 tokens, or finding such laws takes long. bits: at least 2.
    """
    pairs: dict[Tokens, tuple[list[Fraction], list[Fraction]]] = {}

    def pair(tokens: Tokens) -> tuple[list[Fraction], list[Fraction]]:
        if tokens not in pairs:
            pairs[tokens] = _dyadic_pair(random.Random(f"{seed} {tokens}"), size, bits)
        return pairs[tokens]

    seed = rng.random()
    target: Rows = lambda tokens: pair(tokens)[0]  # noqa: E731
    draft: Rows = lambda tokens: pair(tokens)[1]  # noqa: E731
    return Tree(target, draft)


def breakpoints(target: list[Fraction], draft: list[Fraction]) -> Iterator[Fraction]:
    """Where the right rule changes its mind: accept probabilities, cumulative sums of the residual and the target."""
    yield from (wanted / offered for wanted, offered in zip(target, draft, strict=True) if offered > wanted)
    missing = [max(wanted - offered, Fraction(0)) for wanted, offered in zip(target, draft, strict=True)]
    yield from (mass / (sum(missing) or 1) for mass in accumulate(missing))
    yield from accumulate(target)


def _dyadic_pair(rng: random.Random, size: int, bits: int) -> tuple[list[Fraction], list[Fraction]]:
    """Two laws, found by trying; some token of the draft is rejected at times, and accepted at others."""
    while True:
        target, draft = _multiples(rng, size, bits), _multiples(rng, size, bits)
        both_ways = any(0 < wanted < offered for wanted, offered in zip(target, draft, strict=True))
        if both_ways and all(2**bits % point.denominator == 0 for point in breakpoints(target, draft)):
            return target, draft


def _multiples(rng: random.Random, size: int, bits: int) -> list[Fraction]:
    """`size` multiples of 1/2**bits that sum to 1; some may be 0."""
    cuts = sorted(rng.randint(0, 2**bits) for _ in range(size - 1))
    return [Fraction(high - low, 2**bits) for low, high in zip([0, *cuts], [*cuts, 2**bits], strict=True)]


def _refuse_other_breakpoints(given: list[Round], bits: int) -> None:
    for one in given:
        for target, draft in zip(one.target_rows, one.draft_rows, strict=False):
            for point in breakpoints(list(map(Fraction, target)), list(map(Fraction, draft))):
                if 2**bits % point.denominator:
                    raise ValueError(f"breakpoint {point} is no multiple of 1/{2**bits}; the grid would miscount it")
