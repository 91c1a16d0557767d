"""Real rounds on real text, token by token; and over thousands of rounds, how often each place accepts."""
from __future__ import annotations

import functools
from pathlib import Path

import plotly.graph_objects as go

from grader.language import Words
from grader.language import words as language_file
from lessons.figures.frame import Drawn, number, sentences
from lessons.figures.real_text.charts import by_place
from lessons.figures.real_text.state import State
from lessons.figures.real_text.steps import steps
from lessons.figures.stepper import Stepper
from lessons.models.traces import Measured, measured

TEXTS = Path(__file__).parent / "texts"


def build(state: State, words: Words) -> Drawn:
    """The figure in `words`' language: the rounds in steps, then acceptance by place."""
    return _build(state, words.language)


@functools.lru_cache(maxsize=32)
def _build(state: State, language: str) -> Drawn:
    words = language_file(TEXTS, language)
    made, begins = steps(state, words)
    found = measured(state.order, state.temperature, state.drafts)
    stepper = Stepper(made, run="&".join(state.to_query().values()), leaps=begins)
    return Drawn((stepper, _chart(found, language)), _told_measured(state, found, words), _table(found, words))


@functools.lru_cache(maxsize=256)  # other draws have the same chart
def _chart(found: Measured, language: str) -> go.Figure:
    return by_place(found, language_file(TEXTS, language))


def _told_measured(state: State, found: Measured, words: Words) -> str:
    slots = {
        "order": state.order, "temperature": f"{state.temperature:g}", "drafts": state.drafts,
        "tokens": f"{found.tokens_per_pass:.2f}", "formula": f"{found.formula:.2f}", "alpha": number(found.alpha),
        "gap": f"{abs(found.gap):.1%}", "rounds": f"{round(found.rounds, -2):,.0f}",
        "first": number(found.accepted[0]), "last": number(found.accepted[-1]),
    }
    verdict = "same" if abs(found.gap) < 0.0005 else "above" if found.gap > 0.0 else "below"
    parts = [words("told.measured", **slots), words(f"told.{verdict}", **slots)]
    if state.drafts > 1:
        parts.insert(1, words("told.places" if found.reached[-1] else "told.places_first", **slots))
    if state.temperature == 0.0:
        parts.append(words("told.greedy"))
    return sentences(words.language, *parts)


def _table(found: Measured, words: Words) -> list[dict[str, object]]:
    return [
        {
            words("table.place"): place,
            words("table.reached"): reached,
            words("table.reached_formula"): found.alpha ** (place - 1),
            words("table.accepted"): accepted if reached else None,
            words("table.alpha"): found.alpha,
        }
        for place, (reached, accepted) in enumerate(zip(found.reached, found.accepted, strict=True), start=1)
    ]
