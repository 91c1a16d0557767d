"""One draft token, one uniform number, one verdict: the rejection rule as a dart on the line from 0 to 1."""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader.language import Words
from lessons.figures.accept_dart.picture import Picture, columns
from lessons.figures.distributions import DEFAULT, Pair, Problem
from lessons.figures.frame import Drawn, apart, number, numbers, sentences, token_label, token_name
from lessons.figures.query import Query, pair_query
from lessons.figures.rules import correct
from lessons.figures.stepper import Step, Stepper
from solutions.draws import accepts, pick
from solutions.law import one_step_law

TEXTS = Path(__file__).parent / "texts"
PREFIX = "dart"


@dataclass(frozen=True)
class State:
    """`token` and `u` are the reader's own choice, or None: drawn by the seed. u lies in [0, 1)."""

    pair: Pair = DEFAULT
    token: int | None = None
    u: float | None = None
    seed: int = 1  # a rejection, so that the first look shows every step

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        pair = link.pair()
        token = link.read("token", lambda text: _draftable(int(text), pair), None)
        return cls(pair, token, link.read("u", _coin, None), link.seed(cls.seed)), link.problems

    def to_query(self) -> dict[str, str]:
        chosen = {"token": self.token, "u": self.u}
        own = {name: repr(value) for name, value in chosen.items() if value is not None}
        return pair_query(self.pair) | own | {"seed": str(self.seed)}


def _draftable(token: int, pair: Pair) -> int | None:
    if token not in pair.tokens or pair.draft[token] == 0.0:
        raise ValueError(f"token {token} can't be drafted")
    return token


def _coin(text: str) -> float | None:
    u = float(text)
    if not 0.0 <= u < 1.0:
        raise ValueError(f"u is {u}; it must lie in [0, 1)")
    return abs(u)


@dataclass(frozen=True)
class Draw:
    """What happens in one step of the rule. `again` is the resample's uniform; `emitted` the token that comes out."""

    token: int
    u: float
    accept: float
    residual: tuple[float, ...]
    accepted: bool
    again: float
    emitted: int


def happen(state: State) -> Draw:
    """The step that this state describes. The probabilities come from the reference solution."""
    first, u, again = np.random.default_rng(state.seed).random(3).tolist()
    token = pick(state.pair.draft, first) if state.token is None else state.token
    u = u if state.u is None else state.u
    accept, residual = correct(state.pair.target, state.pair.draft, token)
    accepted = accepts(u, state.pair.target[token], state.pair.draft[token])
    emitted = token if accepted else pick(residual, again)
    return Draw(token, u, accept, tuple(residual), accepted, again, emitted)


def build(state: State, words: Words, start: int = 0) -> Drawn:
    """The figure in `words`' language. `start`: the step that is shown first."""
    happened = happen(state)
    told = _told(state, happened, words)
    picture = _picture(state, happened)
    steps = tuple(
        Step(
            title=words(f"step.{name}.title"),
            sentence=sentence,
            alt=sentence if name == "laws" else sentences(words.language, told["laws"], sentence),
            columns=columns(picture, shown, words),
        )
        for shown, (name, sentence) in enumerate(told.items())
    )
    run = "&".join(state.to_query().values())
    whole = sentences(words.language, *told.values())
    return Drawn((Stepper(steps, run, start),), whole, _table(state.pair, happened, words))


def _told(state: State, happened: Draw, words: Words) -> dict[str, str]:
    """The steps that this draw has, in order, each with its sentence."""
    target, draft = state.pair.target[happened.token], state.pair.draft[happened.token]
    below, bar = apart(happened.u * draft, target)
    u, threshold = apart(happened.u, happened.accept)
    slots = {
        "target_row": numbers(state.pair.target), "draft_row": numbers(state.pair.draft),
        "shared": number(math.fsum(_shared(state.pair))), "token": token_name(happened.token, words.language),
        "emitted": token_name(happened.emitted, words.language), "target": number(target), "draft": number(draft),
        "accept": threshold, "rejected_share": number(1.0 - happened.accept), "u": u, "product": below, "bar": bar,
        "residual": numbers(happened.residual), "again": number(happened.again),
    }
    ending = ("accepted",) if happened.accepted else ("rejected", "residual", "resampled")
    threshold_text = "threshold_certain" if happened.accept == 1.0 else "threshold"
    keys = {"laws": "laws", "token": "token", "threshold": threshold_text} | {name: name for name in ending}
    return {name: words(f"step.{key}.sentence", **slots) for name, key in keys.items()}


def _shared(pair: Pair) -> tuple[float, ...]:
    """The mass that is accepted, by token: what the bars of target and draft have in common."""
    return one_step_law(pair.target, pair.draft, correct).accepted


def _picture(state: State, happened: Draw) -> Picture:
    return Picture(
        pair=state.pair,
        shared=_shared(state.pair),
        token=happened.token,
        accept=happened.accept,
        u=happened.u,
        accepted=happened.accepted,
        residual=happened.residual,
        again=happened.again,
        emitted=happened.emitted,
    )


def _table(pair: Pair, happened: Draw, words: Words) -> list[dict[str, object]]:
    shared = _shared(pair)
    return [
        {
            words("table.token"): token_label(token, words.language),
            words("table.target"): pair.target[token],
            words("table.draft"): pair.draft[token],
            words("table.shared"): shared[token],
            words("table.accept"): correct(pair.target, pair.draft, token)[0] if pair.draft[token] > 0.0 else None,
            words("table.residual"): happened.residual[token],
        }
        for token in pair.tokens
    ]
