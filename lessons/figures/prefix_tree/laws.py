"""The exact joint law of a round of two drafts over two tokens, for the right verifier and for wrong ones."""
from __future__ import annotations

import functools
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass

from lessons.figures.distributions import Problem
from lessons.figures.known_rules import CORRECT, function
from lessons.figures.query import Query
from solutions.joint_law import completed, distance, emitted_law, length_law, target_law
from solutions.trees import Tokens, Tree, everywhere, random_tree

PREFIX = "tree"
EXERCISE = "speculative_step"
SIZE, DRAFTS = 2, 2  # V and K
LENGTH = DRAFTS + 1  # tokens whose joint law is shown
RULES = (  # known mistakes of the exercise, with the right rule first
    CORRECT,
    "replaced_in_place",
    "counts_all_passes",
    "bonus_after_rejection",
    "one_coin",
    "bonus_from_row_before",
    "bonus_from_draft",
    "from_target",
    "no_bonus",
)
TABLES = ("own", "same", "seeded")

# The first token has the worked case of the page on the rejection rule.
_OWN: Mapping[Tokens, tuple[tuple[float, float], tuple[float, float]]] = {
    (): ((0.7, 0.3), (0.4, 0.6)),
    (0,): ((0.2, 0.8), (0.5, 0.5)),
    (1,): ((0.9, 0.1), (0.6, 0.4)),
    (0, 0): ((0.5, 0.5), (0.5, 0.5)),
    (0, 1): ((0.1, 0.9), (0.4, 0.6)),
    (1, 0): ((0.8, 0.2), (0.7, 0.3)),
    (1, 1): ((0.4, 0.6), (0.2, 0.8)),
}


@dataclass(frozen=True)
class State:
    """tables: which models. rule: CORRECT or a known mistake. seed: of the models, where they are drawn."""

    tables: str = "own"
    rule: str = "replaced_in_place"
    seed: int = 1

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(
            link.one_of("tables", TABLES, cls.tables),
            link.one_of("rule", RULES, cls.rule),
            link.seed(cls.seed),
        ), link.problems

    def to_query(self) -> dict[str, str]:
        return {"tables": self.tables, "rule": self.rule, "seed": str(self.seed)}


def models(state: State) -> Tree:
    """Both models' rows after each prefix of at most two tokens."""
    if state.tables == "seeded":
        return random_tree(random.Random(state.seed), SIZE, DRAFTS, _hundredths)
    if state.tables == "same":
        return everywhere(*_OWN[()])
    return Tree(lambda prefix: _OWN[prefix][0], lambda prefix: _OWN[prefix][1])


def _hundredths(rng: random.Random, size: int) -> list[float]:
    """Two probabilities with two decimals, neither of them 0."""
    first = rng.randint(5, 95)
    return [first / 100, (100 - first) / 100]


@dataclass(frozen=True)
class Laws:
    """Of sequences of 1, 2 and 3 tokens: wanted, the target's law; found, the rule's; apart, their total variation.

    tokens: how many tokens a round emits on average.
    """

    wanted: tuple[Mapping[Tokens, float], ...]
    found: tuple[Mapping[Tokens, float], ...]
    apart: tuple[float, ...]
    tokens: float


@functools.lru_cache(maxsize=512)
def laws(state: State) -> Laws:
    """Exact up to rounding: every draft and every value of the coins is followed."""
    tree = models(state)
    emitted = emitted_law(function(EXERCISE, state.rule), tree, DRAFTS)
    wanted = tuple(target_law(tree, count) for count in range(1, LENGTH + 1))
    found = tuple(completed(emitted, tree, count) for count in range(1, LENGTH + 1))
    apart = tuple(distance(one, other) for one, other in zip(found, wanted, strict=True))
    mean = math.fsum(length * share for length, share in length_law(emitted).items())
    return Laws(wanted, found, apart, mean)
