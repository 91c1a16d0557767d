"""The laws that the figure shows: stage by stage, as they are handed to verification, and what comes out of it."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lessons.figures.known_rules import function
from lessons.figures.rules import correct
from lessons.figures.sampling_parameters.state import CONTEXTS, Settings, State
from solutions import mismatches
from solutions.law import Ledger, Rule, one_step_law, total_variation
from solutions.target_distribution.solution import target_distribution

EXERCISE = "target_distribution"
Law = tuple[float, ...]
Processing = Callable[..., Any]


class Stage(NamedTuple):
    """One stage of the processing that is switched on (its parameter's name and value), and the law after it."""

    name: str
    value: Any
    law: Law


class Round(NamedTuple):
    """One judged place. wanted: the request's law. drawn: the law that the draft token is drawn from.

    target, draft: the rows that verification is handed. ledger: where the mass goes; its law is what comes out.
    """

    wanted: Law
    drawn: Law
    target: Law
    draft: Law
    ledger: Ledger

    @property
    def rate(self) -> float:
        """How likely the draft token stays."""
        return sum(self.ledger.accepted)

    @property
    def distance(self) -> float:
        """What comes out against what the request asks for, in total variation."""
        return total_variation(self.ledger.law, self.wanted)


@functools.lru_cache(maxsize=512)
def stages(context: str, side: str, settings: Settings) -> tuple[Stage, ...]:
    """The raw law, then the law after each stage that is on: the processing with one parameter more each time."""
    given = settings.params(CONTEXTS[context])
    names = [""] + list(given)
    return tuple(
        Stage(name, given.get(name), _law(target_distribution, context, side, dict(list(given.items())[:count])))
        for count, name in enumerate(names)
    )


def judged(state: State) -> Round:
    """One place under the chosen way. Everything that is wrong is wrong before the rule, which is the right one."""
    wanted = stages(state.context, "target", state.target)[-1].law
    drawn_stages = stages(state.context, "draft", state.draft)
    drawn, raw = drawn_stages[-1].law, drawn_stages[0].law
    target = _request_forgotten(state) if state.way == "request_forgotten" else wanted
    draft = raw if state.way == "scored_raw" else drawn
    ledger = one_step_law(target, drawn, _rule(state, draft))
    return Round(wanted, drawn, target, draft, ledger)


def removed(state: State) -> list[int]:
    """The draft tokens that a grammar filter takes out of the draft."""
    context = CONTEXTS[state.context]
    forbidden = [token for token in range(len(context.target)) if token not in context.allowed]
    return forbidden if state.target.mask else []


def _rule(state: State, draft: Law) -> Rule:
    rules: dict[str, Rule] = {
        "scored_raw": mismatches.scored(draft),
        "removed_target": mismatches.removed_then_target(removed(state)),
        "padding_residual": mismatches.never_drawn_then_residual,
    }
    return rules.get(state.way, correct)


def _request_forgotten(state: State) -> Law:
    """The row under the exercise's known mistake: the raw softmax, whatever the request says."""
    forgetful = function(EXERCISE, "request_forgotten")
    return _law(forgetful, state.context, "target", state.target.params(CONTEXTS[state.context]))


def _law(processing: Processing, context: str, side: str, params: dict[str, Any]) -> Law:
    place = CONTEXTS[context]
    rows = processing(np.array([place.scores(side)]), params, ([], list(place.emitted), []))
    return tuple(float(mass) for mass in rows[0])
