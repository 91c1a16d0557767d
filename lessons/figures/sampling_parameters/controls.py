"""The page part of sampling_parameters."""
from __future__ import annotations

from dataclasses import fields

import streamlit as st

from grader.language import Words
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, menu_key, preset
from lessons.figures.controls.predict import Question
from lessons.figures.sampling_parameters.build import TEXTS, build
from lessons.figures.sampling_parameters.state import (
    EXAMPLES,
    LEAST_TOP_P,
    MAX_PENALTY,
    MAX_TEMPERATURE,
    MAX_TOP_K,
    PREFIX,
    SIDES,
    WAYS,
    Settings,
    State,
)

QUESTION = Question("sampling_parameters", ("undefined", "bent", "slower", "same"), right="slower")
PLACE = Place("sampling_parameters")


def _inputs(state: State, words: Words) -> State:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(words("control.examples"), width="content")
        for name, example in EXAMPLES.items():
            st.button(words(f"control.{name}"), key=PLACE.key(name), on_click=_fill, args=(example,))
    tabs = st.tabs([words(f"control.{side}") for side in SIDES])
    found = {}
    for tab, side in zip(tabs, SIDES, strict=True):
        with tab:
            found[side] = _side(side, getattr(state, side), words)
    way: str = st.selectbox(
        words("control.way"), WAYS, key=menu_key(PLACE, "way", words.language, state.way), persist_state="session",
        format_func=lambda name: words(f"way.{name}"),
    )
    context = st.session_state.setdefault(PLACE.key("context"), state.context)
    return State(context, found["target"], found["draft"], way)


def _side(side: str, settings: Settings, words: Words) -> Settings:
    for field in fields(Settings):
        preset(PLACE.key(f"{side}.{field.name}"), getattr(settings, field.name))
    first, second, third = st.columns(3)
    with first:
        temperature = _slider(side, "temperature", words, 0.0, MAX_TEMPERATURE, 0.1)
        mask = st.toggle(words("slider.mask"), key=PLACE.key(f"{side}.mask"), persist_state="session")
    with second:
        top_k = int(_slider(side, "top_k", words, 0, MAX_TOP_K, 1))
        penalty = _slider(side, "penalty", words, 0.0, MAX_PENALTY, 0.1)
    with third:
        top_p = _slider(side, "top_p", words, LEAST_TOP_P, 1.0, 0.05)
    return Settings(temperature, top_k, top_p, penalty, mask)


def _slider(side: str, part: str, words: Words, least: float, most: float, step: float) -> float:
    found: float = st.slider(
        words(f"slider.{part}"), least, most, step=step, key=PLACE.key(f"{side}.{part}"), persist_state="session"
    )
    return round(found, 2)


def _fill(example: State) -> None:
    """The place in the text and both sides' parameters; the way of handing on stays the reader's."""
    st.session_state[PLACE.key("context")] = example.context
    for side in SIDES:
        for field in fields(Settings):
            st.session_state[PLACE.key(f"{side}.{field.name}")] = getattr(getattr(example, side), field.name)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
