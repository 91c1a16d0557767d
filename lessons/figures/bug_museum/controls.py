"""The page part of bug_museum: a way through the exhibits, the picture, then the question."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from lessons.figures.bug_museum.build import PREFIX, TEXTS, State, build, choice
from lessons.figures.bug_museum.exhibits import CLASSES, EXHIBITS
from lessons.figures.controls.card import Card
from lessons.figures.controls.choose import choose
from lessons.figures.controls.place import Place, menu_key
from lessons.figures.controls.predict import Question

QUESTION = Question("bug_museum", ("same", "close", "visible", "nothing"), right="nothing")
PLACE = Place("bug_museum")


def _inputs(state: State, words: Words) -> State:
    key = menu_key(PLACE, "exhibit", words.language, state.place)
    place: int = st.selectbox(
        words("control.exhibit"), range(len(EXHIBITS)), key=key, persist_state="session",
        format_func=lambda place: _name(place, words),
    )
    with st.container(horizontal=True):
        st.button(words("control.back"), key=PLACE.key("back"), on_click=_go, args=(key, place - 1))
        st.button(words("control.next"), key=PLACE.key("next"), on_click=_go, args=(key, place + 1))
    return State(place)


def _name(place: int, words: Words) -> str:
    """Number and class; the fault is for the reader to find."""
    group = EXHIBITS[place].group
    return words("control.name", place=place + 1, group=words(f"group.{group}"), letter="ABCDEF"[CLASSES.index(group)])


def _go(key: str, place: int) -> None:
    """To an exhibit; past the last comes the first again."""
    st.session_state[key] = place % len(EXHIBITS)


def _ask(state: State, words: Words) -> None:
    choose(PLACE, choice(state, words), words.language)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build, _ask).show
