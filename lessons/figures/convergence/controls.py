"""The page part of convergence."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from grader.language import words as language_file
from lessons.figures import rules
from lessons.figures.controls import place as places
from lessons.figures.controls import stage
from lessons.figures.controls.distributions import complaints, examples, pair_inputs
from lessons.figures.controls.place import Place, menu_key, preset
from lessons.figures.controls.predict import Question, SessionEvents, predicted
from lessons.figures.convergence.build import DRAWS, PREFIX, TEXTS, State, build
from lessons.figures.events import LearnerEvents

QUESTION = Question("convergence", ("both", "right", "hundred", "none"), right="right")
PLACE = Place("convergence")


def show(words: Words, learner_events: LearnerEvents | None = None) -> None:
    """The figure as a card, in `words`' language."""
    with st.container(border=True):
        _figure(words.language, learner_events or SessionEvents())


@st.fragment
def _figure(language: str, events: LearnerEvents) -> None:
    words = language_file(TEXTS, language)
    st.subheader(words("title"), anchor=PREFIX)
    st.markdown(words("intro"))
    if not predicted(PLACE, QUESTION, words, events):
        return
    state = places.opened(PLACE, State.from_query)
    state = _inputs(state, words)
    places.keep(PLACE, state)
    stage.warnings(PLACE, language)
    stage.put(PLACE, build(state, words), language)
    stage.permalink(PREFIX, state.to_query(), language)


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
