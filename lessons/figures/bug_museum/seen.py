"""What an exhibit shows, and how the engine computes it for a single place."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lessons.figures.distributions import Pair
from lessons.figures.known_rules import function
from solutions.joint_law import completed, emitted_law
from solutions.law import Rule, one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from solutions.trees import everywhere


@dataclass(frozen=True)
class Seen:
    """What an exhibit shows: V outcomes, how likely each should be and is, and the acceptance rates.

    outcomes: names of outcomes that are no single tokens, or none. rates: (right, under the fault), or None where
    the fault doesn't touch acceptance. draft: the law that the draft reports, where there is a single one.
    """

    target: tuple[float, ...]
    law: tuple[float, ...]
    rates: tuple[float, float] | None = None
    outcomes: tuple[str, ...] = ()
    draft: tuple[float, ...] | None = None

    @property
    def distance(self) -> float:
        return total_variation(self.law, self.target)


def one_step(pair: Pair, wrong: Rule, drawn_from: Sequence[float] | None = None) -> Seen:
    """A single place. drawn_from: what the draft really draws from, where that isn't what it says."""
    really = tuple(drawn_from or pair.draft)
    right = one_step_law(pair.target, really, rejection_rule)
    seen = one_step_law(pair.target, really, wrong)
    rates = math.fsum(right.accepted), math.fsum(seen.accepted)
    return Seen(pair.target, seen.law, rates, draft=pair.draft)


def first_token(name: str, pair: Pair) -> Seen:
    """The first token of a round with one draft token, under a known mistake of the whole round."""
    tree = everywhere(pair.target, pair.draft)
    law = completed(emitted_law(function("speculative_step", name), tree, 1), tree, 1)
    rate = math.fsum(one_step_law(pair.target, pair.draft, rejection_rule).accepted)
    wrong = tuple(law.get((token,), 0.0) for token in range(len(pair.target)))
    return Seen(pair.target, wrong, (rate, rate), draft=pair.draft)
