"""Draw many tokens: under the right rule their frequencies close in on target, under a wrong one they stop short."""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader.language import Words
from lessons.figures import rules
from lessons.figures.convergence.charts import Sample, distances, frequencies
from lessons.figures.distributions import DEFAULT, Pair, Problem
from lessons.figures.frame import Drawn, number, sentences, token_label
from lessons.figures.query import Query, pair_query
from solutions.law import one_step_law, total_variation
from solutions.simulate import emitted_counts, expected_total_variation

TEXTS = Path(__file__).parent / "texts"
PREFIX = "conv"
DRAWS = tuple(step * 10**power for power in range(1, 7) for step in (1, 2, 5)) + (10**7,)
WRONG = "residual_is_target"


@dataclass(frozen=True)
class State:
    """`draws`: one of DRAWS. `wrong`: the known mistake's id that is drawn beside the right rule."""

    pair: Pair = DEFAULT
    wrong: str = WRONG
    draws: int = 1000
    seed: int = 0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        pair, wrong = link.pair(), link.one_of("rule", rules.wrong_names(), WRONG)
        return cls(pair, wrong, link.read("n", _draws, cls.draws), link.seed(cls.seed)), link.problems

    def to_query(self) -> dict[str, str]:
        return pair_query(self.pair) | {"rule": self.wrong, "n": str(self.draws), "seed": str(self.seed)}


def _draws(text: str) -> int:
    if int(text) not in DRAWS:
        raise ValueError(f"n is {text}; it must be 1, 2 or 5 times a power of ten, from 10 to 10000000")
    return int(text)


def sample(pair: Pair, name: str, draws: int, rng: np.random.Generator) -> Sample | None:
    """One growing sample under the rule called `name`, looked at on the way; None where the rule gives no law."""
    ledger = one_step_law(pair.target, pair.draft, rules.rule(name))
    if ledger.problem:
        return None
    at = tuple(step for step in DRAWS if step <= draws)
    counts = np.zeros(len(pair.target), dtype=np.int64)
    seen, apart = 0, []
    for upto in at:
        counts += emitted_counts(pair.target, pair.draft, rules.rule(name), upto - seen, rng)
        seen = upto
        apart.append(total_variation((counts / seen).tolist(), pair.target))
    return Sample(at, tuple((counts / seen).tolist()), tuple(apart), total_variation(ledger.law, pair.target))


def samples(state: State) -> tuple[Sample, Sample | None]:
    """The right rule's draws and the wrong rule's, each from its own stream of the seed."""
    right, wrong = (
        sample(state.pair, name, state.draws, np.random.default_rng([state.seed, stream]))
        for stream, name in enumerate((rules.CORRECT, state.wrong))
    )
    if right is None:
        raise AssertionError("the reference solution gives a law for every pair of distributions")
    return right, wrong


def build(state: State, words: Words) -> Drawn:
    right, wrong = samples(state)
    expected = [expected_total_variation(state.pair.target, draws) for draws in DRAWS]
    plots = (
        frequencies(state.pair, right, wrong, band(state.draws), words),
        distances(right, wrong, expected, DRAWS, words),
    )
    return Drawn(plots, _told(state, right, wrong, words), _table(state.pair, right, wrong, words))


def band(draws: int) -> float:
    """Half the width of the band that chance keeps a frequency in: two standard deviations at most, 2 sqrt(1/4 / n)."""
    return 1.0 / math.sqrt(draws)


def _told(state: State, right: Sample, wrong: Sample | None, words: Words) -> str:
    name = rules.wrong_names()[state.wrong].within(words.language)
    told = words(
        "told.right",
        n=f"{state.draws:,}",
        distance=number(right.distances[-1]),
        expected=number(expected_total_variation(state.pair.target, state.draws)),
        band=number(band(state.draws)),
    )
    if wrong is None:
        return sentences(words.language, told, words("told.no_law", rule=name))
    key = "told.wrong" if wrong.bias > 1e-12 else "told.harmless"
    slots = {"rule": name, "distance": number(wrong.distances[-1]), "bias": number(wrong.bias)}
    return sentences(words.language, told, words(key, **slots))


def _table(pair: Pair, right: Sample, wrong: Sample | None, words: Words) -> list[dict[str, object]]:
    return [
        {
            words("table.token"): token_label(token, words.language),
            words("table.target"): pair.target[token],
            words("table.right"): right.frequencies[token],
            words("table.right_gap"): right.frequencies[token] - pair.target[token],
            words("table.wrong"): None if wrong is None else wrong.frequencies[token],
            words("table.wrong_gap"): None if wrong is None else wrong.frequencies[token] - pair.target[token],
        }
        for token in pair.tokens
    ]
