"""The page part of convergence."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from lessons.figures import rules
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.distributions import complaints, examples, pair_inputs
from lessons.figures.controls.place import Place, menu_key, preset
from lessons.figures.controls.predict import Question
from lessons.figures.convergence.build import DRAWS, PREFIX, TEXTS, State, build

QUESTION = Question("convergence", ("both", "right", "hundred", "none"), right="right")
PLACE = Place("convergence")


def _inputs(state: State, words: Words) -> State:
    examples(PLACE, words.language)
    with stage.more_inputs(words.language):
        pair = pair_inputs(PLACE, state.pair, words.language)
        seed = stage.seed_input(PLACE, state.seed, words.language)
    complaints(PLACE, words.language)
    key = menu_key(PLACE, "rule", words.language, state.wrong)
    wrong = st.selectbox(
        words("control.rule"), list(rules.wrong_names()), key=key, persist_state="session",
        format_func=lambda name: words("control.wrong", rule=rules.in_menu(name, words.language)),
    )
    preset(PLACE.key("draws"), state.draws)
    draws = st.select_slider(
        words("control.draws"), DRAWS, key=PLACE.key("draws"), persist_state="session", format_func=lambda n: f"{n:,}"
    )
    return State(pair, wrong, draws, seed)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
