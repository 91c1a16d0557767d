"""The page part of real_text."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, preset
from lessons.figures.controls.predict import Question
from lessons.figures.query import MAX_SEED
from lessons.figures.real_text.build import TEXTS, build
from lessons.figures.real_text.state import PREFIX, PROMPTS, State
from lessons.models.ngrams import ORDERS
from lessons.models.target import TEMPERATURES
from lessons.models.traces import MAX_DRAFTS

QUESTION = Question("real_text", ("first", "last", "same"), right="first")
PLACE = Place("real_text")


def _inputs(state: State, words: Words) -> State:
    for part in ("prompt", "order", "temperature", "drafts"):
        preset(PLACE.key(part), getattr(state, part))
    texts, orders = st.columns(2)
    prompt = texts.selectbox(
        words("control.prompt"), list(PROMPTS), key=PLACE.key("prompt"), persist_state="session",
        format_func=lambda name: f"{PROMPTS[name].strip()} …",
    )
    order = orders.select_slider(
        words("control.order"), ORDERS, key=PLACE.key("order"), help=words("control.order_help"),
        persist_state="session",
    )
    temperatures, lengths, seeds = st.columns(3)
    temperature = temperatures.select_slider(
        words("control.temperature"), TEMPERATURES, key=PLACE.key("temperature"), format_func=lambda one: f"{one:g}",
        persist_state="session",
    )
    drafts = lengths.slider(words("control.drafts"), 1, MAX_DRAFTS, key=PLACE.key("drafts"), persist_state="session")
    with seeds:
        seed = stage.seed_input(PLACE, state.seed, words.language)
    st.button(words("control.again"), key=PLACE.key("again"), on_click=_again)
    return State(prompt, order, temperature, drafts, seed)


def _again() -> None:
    st.session_state[PLACE.key("seed")] = (st.session_state[PLACE.key("seed")] + 1) % (MAX_SEED + 1)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
