"""The page part of kv_slots."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, preset
from lessons.figures.controls.predict import Question
from lessons.figures.kv_slots.build import MAX_COMPUTED, MAX_DRAFTS, PREFIX, TEXTS, State, build

QUESTION = Question("kv_slots", ("erased", "overwritten", "moved", "freed"), right="overwritten")
PLACE = Place("kv_slots")


def _inputs(state: State, words: Words) -> State:
    columns = st.columns(3)
    computed = _slider("computed", 1, MAX_COMPUTED, state.computed, words, columns[0])
    drafts = _slider("drafts", 1, MAX_DRAFTS, state.drafts, words, columns[1])
    key = PLACE.key("accepted")
    if st.session_state.get(key, 0) > drafts:  # of a longer draft; a slider refuses what lies beyond its end
        st.session_state[key] = drafts
    return State(computed, drafts, _slider("accepted", 0, drafts, min(state.accepted, drafts), words, columns[2]))


def _slider(
    part: str, least: int, most: int, first: int, words: Words, column: st.delta_generator.DeltaGenerator
) -> int:
    preset(PLACE.key(part), first)
    chosen: int = column.slider(words(f"control.{part}"), least, most, key=PLACE.key(part), persist_state="session")
    return chosen


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
