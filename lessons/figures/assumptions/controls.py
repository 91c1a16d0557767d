"""The page part of assumptions."""
from __future__ import annotations

from typing import Any

import streamlit as st

from grader.language import Words
from lessons.figures.assumptions.build import TEXTS, build
from lessons.figures.assumptions.stories import PREFIX, SHARES, STORIES, State
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, menu_key, preset
from lessons.figures.controls.predict import Question
from lessons.models.ngrams import ORDERS
from lessons.models.target import TEMPERATURES
from lessons.models.traces import MAX_DRAFTS

QUESTION = Question("assumptions", ("formula", "less", "three", "five"), right="three")
PLACE = Place("assumptions")


def _inputs(state: State, words: Words) -> State:
    for part, value in vars(state).items():
        preset(PLACE.key(part), value)
    story = st.selectbox(
        words("control.story"), STORIES, key=menu_key(PLACE, "story", words.language, state.story),
        format_func=lambda name: words(f"control.story_{name}"), persist_state="session",
    )
    chosen: dict[str, Any] = vars(state) | {"story": story}
    names = SHARES.get(story, ("order", "temperature"))
    columns = st.columns(len(names) + 1)
    for name, column in zip(names, columns, strict=False):
        with column:
            chosen[name] = _share(name, words) if story in SHARES else _traced(name, words)
    chosen["drafts"] = columns[-1].slider(
        words("control.drafts"), 1, MAX_DRAFTS, key=PLACE.key("drafts"), persist_state="session"
    )
    return State(**chosen)


def _share(part: str, words: Words) -> float:
    value: float = st.slider(
        words(f"control.{part}"), 0.0, 1.0, step=0.01, key=PLACE.key(part), persist_state="session"
    )
    return round(value, 2)


def _traced(part: str, words: Words) -> float:
    """One of the settings in which the pair was measured."""
    values: tuple[float, ...] = {"order": ORDERS, "temperature": TEMPERATURES}[part]
    value: float = st.select_slider(
        words(f"control.{part}"), values, key=PLACE.key(part), persist_state="session"
    )
    return value


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
