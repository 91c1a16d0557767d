"""The overlap of two laws is what can be accepted; an exact rule is a table that can keep no more than that."""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.language import Words
from lessons.figures.distributions import DEFAULT, Pair, Problem
from lessons.figures.frame import Drawn, number, numbers, sentences, token_label
from lessons.figures.overlap.picture import columns, joint
from lessons.figures.query import Query, pair_query
from lessons.figures.rules import correct
from lessons.figures.stepper import Step, Stepper
from solutions.law import one_step_law, total_variation

TEXTS = Path(__file__).parent / "texts"
PREFIX = "overlap"
Joint = tuple[tuple[float, ...], ...]
"""(V, V): the mass with which the row's draft token is proposed and the column's token comes out."""


@dataclass(frozen=True)
class State:
    pair: Pair = DEFAULT

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(link.pair()), link.problems

    def to_query(self) -> dict[str, str]:
        return pair_query(self.pair)


def by_the_rule(pair: Pair) -> Joint:
    """The table of the rejection rule: a draft token stays, or its rejected mass moves along the residual."""
    ledger = one_step_law(pair.target, pair.draft, correct)
    rows = []
    for token in pair.tokens:
        moved = [0.0] * len(pair.target)
        if ledger.rejected[token] > 0.0:
            _, residual = correct(pair.target, pair.draft, token)
            moved = [ledger.rejected[token] * share for share in residual]
        moved[token] += ledger.accepted[token]
        rows.append(tuple(moved))
    return tuple(rows)


def by_two_draws(pair: Pair) -> Joint:
    """The table of another exact way: the target draws a token of its own, and the draft's stays if it is the same."""
    return tuple(tuple(proposed * drawn for drawn in pair.target) for proposed in pair.draft)


def kept(table: Joint) -> float:
    """The mass of the diagonal: the draft token is what comes out."""
    return math.fsum(row[token] for token, row in enumerate(table))


def build(state: State, words: Words) -> Drawn:
    """The figure in `words`' language: the overlap, what sticks out, the rule as a table, another table, the bound."""
    pair = state.pair
    shared = one_step_law(pair.target, pair.draft, correct).accepted
    rule, draws = by_the_rule(pair), by_two_draws(pair)
    whole = columns(pair, shared, words, rest=True)
    drawn = {
        "overlap": ((columns(pair, shared, words, rest=False),), ()),
        "rest": ((whole,), ()),
        "rule": ((whole,), (joint(rule, pair, words, "rule"),)),
        "draws": ((whole,), (joint(draws, pair, words, "draws"),)),
        "bound": ((whole,), (joint(rule, pair, words, "bound", caps=shared),)),
    }
    told = _told(pair, shared, rule, draws, words)
    steps = tuple(Step(words(f"step.{name}.title"), told[name], told[name], drawn[name]) for name in drawn)
    alt = sentences(words.language, *told.values())
    return Drawn((Stepper(steps, run=PREFIX),), alt, _table(pair, shared, draws, words))


def _told(pair: Pair, shared: tuple[float, ...], rule: Joint, draws: Joint, words: Words) -> dict[str, str]:
    slots = {
        "target": numbers(pair.target), "draft": numbers(pair.draft), "shared": number(math.fsum(shared)),
        "distance": number(total_variation(pair.target, pair.draft)), "rule": number(kept(rule)),
        "draws": number(kept(draws)), "caps": " + ".join(number(mass) for mass in shared),
    }
    return {name: words(f"step.{name}.sentence", **slots) for name in ("overlap", "rest", "rule", "draws", "bound")}


def _table(pair: Pair, shared: tuple[float, ...], draws: Joint, words: Words) -> list[dict[str, object]]:
    return [
        {
            words("table.token"): token_label(token, words.language),
            words("table.target"): pair.target[token],
            words("table.draft"): pair.draft[token],
            words("table.shared"): shared[token],
            words("table.missing"): pair.target[token] - shared[token],
            words("table.rejected"): pair.draft[token] - shared[token],
            words("table.draws"): draws[token][token],
        }
        for token in pair.tokens
    ]
