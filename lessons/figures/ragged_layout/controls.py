"""The page part of ragged_layout."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, menu_key
from lessons.figures.controls.predict import Question
from lessons.figures.ragged_layout.build import TEXTS, build
from lessons.figures.ragged_layout.layout import MAX_DRAFTS, MAX_REQUESTS, PREFIX, ROWS, State

QUESTION = Question("ragged_layout", ("three", "four", "five", "six"), right="five")
PLACE = Place("ragged_layout")
NONE = -1  # the choice "no such request"


def _inputs(state: State, words: Words) -> State:
    lengths = tuple(length for length in _lengths(state, words) if length != NONE)
    rows = st.selectbox(
        words("control.rows"), ROWS, key=menu_key(PLACE, "rows", words.language, state.rows),
        format_func=lambda name: words(f"control.rows_{name}"), persist_state="session",
    )
    with stage.more_inputs(words.language):
        seed = stage.seed_input(PLACE, state.seed, words.language)
    return State(lengths, rows, seed)


def _lengths(state: State, words: Words) -> list[int]:
    """A menu for each request; the first is always there."""
    chosen: list[int] = []
    for request, column in enumerate(st.columns(MAX_REQUESTS)):
        options = range(MAX_DRAFTS + 1) if request == 0 else range(NONE, MAX_DRAFTS + 1)
        value = state.lengths[request] if request < len(state.lengths) else NONE
        chosen.append(
            column.selectbox(
                words("control.length", request=request), options,
                key=menu_key(PLACE, f"length{request}", words.language, value),
                format_func=lambda length: words("control.none") if length == NONE else str(length),
                persist_state="session",
            )
        )
    return chosen


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
