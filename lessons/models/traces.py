"""What the real pair does on average, for every draft order, temperature and K, measured on the target's own text.

    measured(order, temperature, drafts) -> Measured

    order: 2 to 5, of the n-gram draft (ORDERS). temperature: 0.0, 0.5, 0.8 or 1.0 (TEMPERATURES), of target and draft.
    drafts: K, 0 to 8 (MAX_DRAFTS).
    Measured.tokens_per_pass: tokens that one target pass emits, measured.
    Measured.formula: solutions.expected_tokens for K and Measured.alpha, the mean acceptance rate over all places.
    Measured.accepted: K shares, how many of the rounds that reach place k accept its draft token.

    Every call takes a few milliseconds at the first time and none afterwards; nothing is generated or loaded but
    traces.npz. 160 texts of 96 characters for each temperature.

How one text tells about every K at once: the text is the target's own. Whatever was drafted at a place, its token has
the target's law there; and given that token y, the round had accepted it as a draft token with probability
min(target(y), draft(y)) / target(y), independently of everything else in the text. So the rounds that could have
written this very text are a Markov chain along it, and their statistics follow without drawing anything.
"""
from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lessons.models.ngrams import ORDERS
from lessons.models.target import TEMPERATURES
from solutions.expected_tokens.solution import expected_tokens

TRACES = Path(__file__).parent / "traces.npz"
MAX_DRAFTS = 8
SCALE = 65_535  # the shares in the file are multiples of 1/65535
Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """reached: of all rounds, the share that comes to judge draft k. accepted: of those, the share that accepts it.

    A place that no round reaches has accepted = 0. rounds: how many rounds the text holds on average.
    """

    alpha: float
    tokens_per_pass: float
    reached: tuple[float, ...]
    accepted: tuple[float, ...]
    rounds: float

    @property
    def formula(self) -> float:
        """Tokens per pass if every place accepted with the same probability alpha, independently."""
        return expected_tokens(self.alpha, len(self.accepted))

    @property
    def gap(self) -> float:
        """How far the formula lies above what was measured, as a share of it; negative where it lies below."""
        return self.formula / self.tokens_per_pass - 1.0


@functools.cache
def measured(order: int, temperature: float, drafts: int) -> Measured:
    """The pair's measured rounds. Raises ValueError for an order, a temperature or a K that was not traced."""
    for name, value, known in (
        ("order", order, ORDERS), ("temperature", temperature, TEMPERATURES), ("drafts", drafts, range(MAX_DRAFTS + 1)),
    ):  # fmt: skip
        if value not in known:
            raise ValueError(f"{name} is {value}; traced are {', '.join(map(str, known))}")
    return statistics(traces()[TEMPERATURES.index(temperature), ORDERS.index(order)], drafts)


@functools.cache
def traces() -> Shares:
    """(temperatures, orders, streams, n): how likely each token of the target's text was an accepted draft token."""
    with np.load(TRACES) as file:
        shares: Shares = file["shares"] / SCALE
    return shares


def statistics(shares: Shares, drafts: int) -> Measured:
    """shares: (streams, n), how likely each token of a text was an accepted draft. Rounds of K = `drafts`, n > K.

    Exact for this text: `begins` is how likely a round begins at a place, `alive` that it has accepted so far.
    Only rounds that have room for K + 1 tokens count.
    """
    streams, length = shares.shape
    begins = np.zeros((streams, length + 1))
    begins[:, 0] = 1.0
    reached, accepted = np.zeros(drafts), np.zeros(drafts)
    rounds = 0.0
    for place in range(length - drafts):
        alive = begins[:, place].copy()
        rounds += float(alive.sum())
        for draft in range(drafts):
            passed = alive * shares[:, place + draft]
            reached[draft] += alive.sum()
            accepted[draft] += passed.sum()
            begins[:, place + draft + 1] += alive - passed
            alive = passed
        begins[:, place + drafts + 1] += alive
    ratios = np.divide(accepted, reached, out=np.zeros(drafts), where=reached > 0.0)
    tokens = 1.0 + float(accepted.sum()) / rounds
    return Measured(float(shares.mean()), tokens, tuple((reached / rounds).tolist()), tuple(ratios.tolist()), rounds)
