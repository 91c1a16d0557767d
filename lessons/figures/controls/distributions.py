"""The inputs for target and draft, with examples and a button that normalises."""
from __future__ import annotations

import streamlit as st

from lessons.figures.controls.place import Place, preset
from lessons.figures.distributions import EXAMPLES, Pair, Problem, Unusable, normalised, read_pair, written
from lessons.figures.frame import plain, say, sentences, shared

ROWS = ("target", "draft")


def examples(place: Place, language: str) -> None:
    """One button for each example."""
    text = shared(language)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(text("input.examples"), width="content")
        for name, example in EXAMPLES.items():
            st.button(text(f"input.example_{name}"), key=place.key(name), on_click=_fill, args=(place, example))


def pair_inputs(place: Place, pair: Pair, language: str) -> Pair:
    """The two rows as text. What the reader typed, or `pair` while that can't be used; the typed text always stays."""
    text = shared(language)
    for column, row in zip(st.columns(2), ROWS, strict=True):
        preset(place.key(row), written(getattr(pair, row)))
        column.text_input(
            text(f"input.{row}"), key=place.key(row), help=text("input.help"), persist_state="session", max_chars=400
        )
    return typed(place) or pair


def complaints(place: Place, language: str) -> None:
    """What is wrong with the typed rows, and the button that may mend it."""
    text = shared(language)
    problem: Problem | None = st.session_state.pop(place.key("not_normalised"), None)
    try:
        read_pair(*(st.session_state[place.key(row)] for row in ROWS))
    except Unusable as error:
        problem = problem or error.problem
        st.error(sentences(language, plain(say(problem, language)), text("input.kept")), icon=":material/edit:")
        if error.problem.key != "input.sum":
            return
        st.button(text("input.normalise"), key=place.key("normalise"), on_click=_normalise, args=(place,))


def typed(place: Place) -> Pair | None:
    """The typed rows; None before there are any, and while they can't be used."""
    try:
        return read_pair(*(st.session_state.get(place.key(row), "") for row in ROWS))
    except Unusable:
        return None


def _fill(place: Place, pair: Pair) -> None:
    for row in ROWS:
        st.session_state[place.key(row)] = written(getattr(pair, row))


def _normalise(place: Place) -> None:
    """Both rows, or none: a row that can't be normalised is named."""
    try:
        rows = {row: normalised(st.session_state[place.key(row)], row) for row in ROWS}
    except Unusable as error:
        st.session_state[place.key("not_normalised")] = error.problem
        return
    for row, numbers in rows.items():
        st.session_state[place.key(row)] = numbers
