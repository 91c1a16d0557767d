"""One round of K drafts, played out: two small models, their rows at every prefix, coins, cut, replacement or bonus."""
from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lessons.figures.distributions import Pair, Problem
from lessons.figures.query import Query
from solutions.cases import law_by_hand
from solutions.draws import accepts, pick
from solutions.rejection_rule.solution import rejection_rule
from solutions.rounds import arguments, round_of
from solutions.speculative_step.solution import speculative_step
from solutions.trees import Tokens, Tree

PREFIX = "round"
MAX_DRAFTS = 6  # K
# How much of the draft's law is its own; the rest is the target's. Multiples of 1/20, so rows have three decimals.
DRAFTS: Mapping[str, float] = {"close": 0.3, "middling": 0.6, "distant": 1.0}


@dataclass(frozen=True)
class State:
    """drafts: K. draft: a name of DRAFTS."""

    drafts: int = 4
    draft: str = "middling"
    seed: int = 36  # one stays, the next goes, and the two behind it would have passed

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(
            link.whole("k", 1, MAX_DRAFTS, cls.drafts),
            link.one_of("draft", DRAFTS, cls.draft),
            link.seed(cls.seed),
        ), link.problems

    def to_query(self) -> dict[str, str]:
        return {"k": str(self.drafts), "draft": self.draft, "seed": str(self.seed)}


@dataclass(frozen=True)
class Place:
    """One draft token: what was written before it, both rows there, and its coin.

    passes: what its own test says, whether anybody asks or not.
    """

    before: Tokens
    token: int
    rows: Pair
    coin: float
    accept: float
    residual: tuple[float, ...]
    passes: bool


@dataclass(frozen=True)
class Played:
    """places: K of them. bonus: the target's row after all drafts. emitted: what comes out, 1 to K + 1 tokens."""

    places: tuple[Place, ...]
    bonus: tuple[float, ...]
    final_draw: float
    emitted: Tokens

    @property
    def drafted(self) -> Tokens:
        return tuple(place.token for place in self.places)

    @property
    def kept(self) -> int:
        return len(self.emitted) - 1

    @property
    def rejected(self) -> bool:
        return self.kept < len(self.places)


@functools.lru_cache(maxsize=256)
def play(state: State) -> Played:
    """The round of this state. A larger K makes the same round longer: each draft token keeps its draw and its coin."""
    streams = (np.random.default_rng([state.seed, stream]) for stream in range(3))
    draws, coins, final = (stream.random(MAX_DRAFTS).tolist() for stream in streams)
    tree = models(state.draft)
    drafted: Tokens = ()
    for draw in draws[: state.drafts]:
        drafted = (*drafted, pick(tree.draft(drafted), draw))
    before = [drafted[:count] for count in range(state.drafts + 1)]
    target, draft = map(tree.target, before), map(tree.draft, before[:-1])
    given = round_of(drafted, list(target), list(draft))
    emitted = speculative_step(*arguments(given, coins[: state.drafts], final[0]))
    places = [_place(tree, drafted[:at], token, coins[at]) for at, token in enumerate(drafted)]
    return Played(tuple(places), tuple(tree.target(drafted)), final[0], tuple(emitted))


def _place(tree: Tree, before: Tokens, token: int, coin: float) -> Place:
    rows = Pair(tuple(tree.target(before)), tuple(tree.draft(before)))
    accept, residual = rejection_rule(list(rows.target), list(rows.draft), token)
    passes = accepts(coin, rows.target[token], rows.draft[token])
    return Place(before, token, rows, coin, accept, tuple(residual), passes)


@functools.cache
def models(draft: str) -> Tree:
    """Invented laws over three tokens; each prefix has rows of its own."""

    def target(prefix: Tokens) -> list[float]:
        return law_by_hand(random.Random(f"target {prefix}"))

    def drafting(prefix: Tokens) -> list[float]:
        own, share = law_by_hand(random.Random(f"draft {prefix}")), DRAFTS[draft]
        return [round((1 - share) * wanted + share * mine, 4) for wanted, mine in zip(target(prefix), own, strict=True)]

    return Tree(target, drafting)
