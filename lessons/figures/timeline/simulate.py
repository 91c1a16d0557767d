"""Rounds of speculative decoding as lengths of time; a pass of the target over one row is the unit."""
from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from lessons.figures.distributions import Problem
from lessons.figures.query import Query, share
from solutions.draws import accepts

PREFIX = "time"
MAX_DRAFTS = 8  # K
MAX_COST = 1.0
ROUNDS = 4  # that are drawn
LONG_RUN = 10_000  # rounds that are only counted


@dataclass(frozen=True)
class State:
    """drafts: K. alpha: how likely a draft token is accepted once it is reached, the same at every place.

    draft_cost: the time of drafting one token. row_cost: what each row after the first adds to a pass.
    """

    drafts: int = 4
    alpha: float = 0.7
    draft_cost: float = 0.1
    row_cost: float = 0.0
    seed: int = 8  # its rounds end in each of the three ways

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(
            link.whole("k", 1, MAX_DRAFTS, cls.drafts),
            link.read("alpha", share, cls.alpha),
            link.read("c", share, cls.draft_cost),
            link.read("row", share, cls.row_cost),
            link.seed(cls.seed),
        ), link.problems

    def to_query(self) -> dict[str, str]:
        values = {
            "k": self.drafts, "alpha": self.alpha, "c": self.draft_cost, "row": self.row_cost, "seed": self.seed,
        }
        return {name: repr(value) for name, value in values.items()}


# Invented, but of the right order for each kind; the lesson says so.
KINDS: Mapping[str, State] = {
    "small": State(),
    "head": State(drafts=3, alpha=0.65, draft_cost=0.03),
    "lookup": State(drafts=6, alpha=0.35, draft_cost=0.0),
    "slow": State(draft_cost=0.6),
}


@dataclass(frozen=True)
class Round:
    """accepted: how many drafts stay. begins: when its drafting begins. drafting, judging: how long they take."""

    accepted: int
    begins: float
    drafting: float
    judging: float

    @property
    def emitted(self) -> int:
        """The accepted drafts, and the one token that the target adds: a replacement or the bonus token."""
        return self.accepted + 1

    @property
    def ends(self) -> float:
        return self.begins + self.drafting + self.judging


def accepted(coins: Sequence[float], alpha: float) -> int:
    """The drafts before the first rejection. coins: K uniforms in [0, 1)."""
    return sum(1 for _ in takewhile(lambda coin: accepts(coin, alpha, 1.0), coins))


def rounds(state: State) -> list[Round]:
    """The rounds that are drawn."""
    played: list[Round] = []
    for coins in _coins(state.seed, ROUNDS, state.drafts, stream=0):
        begins = played[-1].ends if played else 0.0
        drafting, judging = state.drafts * state.draft_cost, 1.0 + state.drafts * state.row_cost
        played.append(Round(accepted(coins, state.alpha), begins, drafting, judging))
    return played


def tokens_a_round(state: State) -> float:
    """The mean over LONG_RUN rounds of this seed; its standard error is at most 0.04."""
    return 1.0 + _mean_accepted(state.drafts, state.alpha, state.seed)


@functools.lru_cache(maxsize=1024)  # a change of the costs alone counts nothing anew
def _mean_accepted(drafts: int, alpha: float, seed: int) -> float:
    coins = _coins(seed, LONG_RUN, drafts, stream=1)
    return sum(accepted(row, alpha) for row in coins) / LONG_RUN


def _coins(seed: int, rounds: int, drafts: int, stream: int) -> list[list[float]]:
    coins: list[list[float]] = np.random.default_rng([seed, stream]).random((rounds, drafts)).tolist()
    return coins
