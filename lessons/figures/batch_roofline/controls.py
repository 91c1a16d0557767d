"""The page part of batch_roofline."""
from __future__ import annotations

from typing import Any

import streamlit as st

from grader.language import Words
from lessons.figures.batch_roofline.build import (
    BATCHES,
    CONTEXTS,
    MAX_DRAFTS,
    PREFIX,
    RANGES,
    TEXTS,
    State,
    build,
)
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, preset
from lessons.figures.controls.predict import Question

QUESTION = Question("batch_roofline", ("same", "less", "one", "loses"), right="loses")
PLACE = Place("batch_roofline")


def _inputs(state: State, words: Words) -> State:
    for part, value in vars(state).items():
        preset(PLACE.key(part), value)
    chosen: dict[str, Any] = {"batch": _steps("batch", words, BATCHES)}
    columns = st.columns(3)
    with columns[0]:
        chosen["alpha"] = _share("alpha", words)
    with columns[1]:
        chosen["drafts"] = st.slider(
            words("control.drafts"), 1, MAX_DRAFTS, key=PLACE.key("drafts"), persist_state="session"
        )
    with columns[2]:
        chosen["cost"] = _share("cost", words)
    with stage.more_inputs(words.language):
        chosen["context"] = _steps("context", words, CONTEXTS)
        for column, (name, (least, most)) in zip(st.columns(3), RANGES.items(), strict=True):
            chosen[name] = column.number_input(
                words(f"control.{name}"), least, most, key=PLACE.key(name), persist_state="session"
            )
    return State(**chosen)


def _steps(part: str, words: Words, values: tuple[int, ...]) -> int:
    value: int = st.select_slider(
        words(f"control.{part}"), values, key=PLACE.key(part), persist_state="session", format_func=lambda n: f"{n:,}"
    )
    return value


def _share(part: str, words: Words) -> float:
    value: float = st.slider(
        words(f"control.{part}"), 0.0, 1.0, step=0.01, key=PLACE.key(part), persist_state="session"
    )
    return round(value, 2)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
