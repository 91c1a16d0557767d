"""The speed-up that the formula gives over acceptance rate and draft length, with the border where drafting pays."""
from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.language import Words
from lessons.figures.distributions import Problem
from lessons.figures.frame import Drawn, sentences
from lessons.figures.query import Query, share
from lessons.figures.speedup_surface.charts import Point, slice_at, surface
from solutions.expected_tokens.solution import best_draft_length, break_even, expected_tokens, speedup

TEXTS = Path(__file__).parent / "texts"
PREFIX = "surface"
MAX_DRAFTS = 16
LENGTHS = tuple(range(1, MAX_DRAFTS + 1))
RATES = tuple(step / 50 for step in range(51))


@dataclass(frozen=True)
class State:
    """alpha: how likely a draft token is accepted once it is reached. drafts: K. cost: c, in passes of the target."""

    alpha: float = 0.4
    drafts: int = 1
    cost: float = 0.05

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(
            link.read("alpha", share, cls.alpha),
            link.whole("k", 1, MAX_DRAFTS, cls.drafts),
            link.read("c", share, cls.cost),
        ), link.problems

    def to_query(self) -> dict[str, str]:
        return {"alpha": repr(self.alpha), "k": repr(self.drafts), "c": repr(self.cost)}


# The lesson's cases against a fixed threshold.
CASES: Mapping[str, State] = {
    "cheap": State(),
    "dear": State(0.4, 4, 0.2),
    "long": State(0.8, 16, 0.3),
    "usual": State(0.8, 4, 0.05),
}


@functools.lru_cache(maxsize=256)
def grid(cost: float) -> tuple[tuple[float, ...], ...]:
    """(K, alpha): the speed-up for every length and rate."""
    return tuple(tuple(speedup(alpha, length, cost) for alpha in RATES) for length in LENGTHS)


@functools.lru_cache(maxsize=256)
def border(cost: float) -> tuple[float, ...]:
    """For each length the acceptance rate at which it breaks even; costs up to 1 always have one."""
    return tuple(break_even(length, cost) or 0.0 for length in LENGTHS)


@functools.lru_cache(maxsize=256)
def best(cost: float) -> tuple[float, ...]:
    """For each rate the best length: 0 where drafting doesn't pay, possibly beyond what is drawn."""
    return tuple(best_draft_length(alpha, cost) for alpha in RATES)


def build(state: State, words: Words) -> Drawn:
    point = Point(state.alpha, state.drafts, speedup(state.alpha, state.drafts, state.cost))
    by_length = [speedup(state.alpha, length, state.cost) for length in range(MAX_DRAFTS + 1)]
    plots = (
        surface(RATES, LENGTHS, grid(state.cost), border(state.cost), best(state.cost), point, words),
        slice_at(by_length, best_draft_length(state.alpha, state.cost), point, words),
    )
    return Drawn(plots, _told(state, point.speed, words), _table(state, words))


def _told(state: State, speed: float, words: Words) -> str:
    slots = {
        "alpha": f"{state.alpha:g}", "drafts": state.drafts, "cost": f"{state.cost:g}", "speed": f"{speed:.2f}",
        "tokens": f"{expected_tokens(state.alpha, state.drafts):.2f}", "time": f"{1 + state.drafts * state.cost:g}",
        "border": f"{border(state.cost)[state.drafts - 1]:.2f}",
    }
    parts = words("told.point", **slots), _told_best(state, words), words("told.border", **slots)
    return sentences(words.language, *parts)


def _told_best(state: State, words: Words) -> str:
    length = best_draft_length(state.alpha, state.cost)
    if length == math.inf:
        return words("told.endless")
    if length == 0:
        return words("told.never", cost=f"{state.cost:g}")
    return words("told.best", best=int(length), speed=f"{speedup(state.alpha, length, state.cost):.2f}")


def _table(state: State, words: Words) -> list[dict[str, object]]:
    return [
        {
            words("table.drafts"): length,
            words("table.tokens"): expected_tokens(state.alpha, length),
            words("table.time"): 1.0 + length * state.cost,
            words("table.speed"): speedup(state.alpha, length, state.cost),
            words("table.border"): border(state.cost)[length - 1],
        }
        for length in LENGTHS
    ]
