"""The page part of round_stepper."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, menu_key, preset
from lessons.figures.controls.predict import Question
from lessons.figures.query import MAX_SEED
from lessons.figures.round_stepper.build import TEXTS, build
from lessons.figures.round_stepper.play import DRAFTS, MAX_DRAFTS, PREFIX, State

QUESTION = Question("round_stepper", ("one", "two", "three", "four"), right="two")
PLACE = Place("round_stepper")


def _inputs(state: State, words: Words) -> State:
    drafts_column, draft_column = st.columns(2)
    preset(PLACE.key("drafts"), state.drafts)
    drafts = drafts_column.slider(
        words("control.drafts"), 1, MAX_DRAFTS, key=PLACE.key("drafts"), persist_state="session"
    )
    draft = draft_column.selectbox(
        words("control.draft"), list(DRAFTS), key=menu_key(PLACE, "draft", words.language, state.draft),
        format_func=lambda name: words(f"control.draft_{name}"), persist_state="session",
    )
    with stage.more_inputs(words.language):
        seed = stage.seed_input(PLACE, state.seed, words.language)
    st.button(words("control.again"), key=PLACE.key("again"), type="primary", on_click=_again)
    return State(drafts, draft, seed)


def _again() -> None:
    st.session_state[PLACE.key("seed")] = (st.session_state[PLACE.key("seed")] + 1) % (MAX_SEED + 1)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
