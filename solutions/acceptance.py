"""Rounds where the acceptance rate is not one number: it falls with depth, or rounds differ in kind.

All that a mean needs is the survival of a round's K draft tokens: K + 1 numbers, how likely the first 0, 1, ..., K of
them are all accepted. Equal rates alpha give alpha ** n, and then mean_tokens is
solutions.expected_tokens.solution.expected_tokens.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import mul

Survival = tuple[float, ...]


@dataclass(frozen=True)
class Kind:
    """Rounds of one kind: their share of all rounds, and for each of the K draft tokens how likely it is accepted
    once all before it were."""

    share: float
    rates: Sequence[float]


def survival(kinds: Iterable[Kind]) -> Survival:
    """(K + 1,), of rounds of several kinds; their shares sum to 1."""
    by_kind = ([kind.share * part for part in accumulate(kind.rates, mul, initial=1.0)] for kind in kinds)
    return tuple(sum(parts) for parts in zip(*by_kind, strict=True))


def mean_tokens(survived: Survival) -> float:
    """Mean tokens a round: the one that the target adds, and each draft token that is reached and accepted."""
    return sum(survived)


def rates_by_depth(survived: Survival) -> tuple[float | None, ...]:
    """(K,): of the rounds in which a draft token is judged, the share that accepts it; None where it never is."""
    return tuple(after / before if before > 0.0 else None for before, after in pairwise(survived))


def accepted_of_judged(survived: Survival) -> float:
    """Accepted over judged draft tokens; K >= 1. What a log calls the acceptance rate may be over drafted ones instead.

    Those behind a rejection aren't judged. So rounds that go well, which judge more, weigh more than in a mean over
    rounds.
    """
    return sum(survived[1:]) / sum(survived[:-1])
