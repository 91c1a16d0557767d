"""The page part of two_paths."""
from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from grader.language import Words
from grader.language import words as language_file
from grader.proxy import StudentFailure
from lessons.figures import rules
from lessons.figures.controls import place as places
from lessons.figures.controls import stage
from lessons.figures.controls.distributions import complaints, examples, pair_inputs
from lessons.figures.controls.place import Place, menu_key
from lessons.figures.controls.predict import Question, SessionEvents, predicted
from lessons.figures.distributions import Problem
from lessons.figures.events import LearnerEvents
from lessons.figures.frame import Drawn, plain
from lessons.figures.two_paths.build import PREFIX, TEXTS, YOURS, State, build, choices, rule_name
from solutions.law import Rule

QUESTION = Question("two_paths", ("same", "cat", "dog"), right="dog")
ASKED = "residual_is_target"  # the rule that the question is about: its outcome is what the reader came for


def show(words: Words, learner_events: LearnerEvents | None = None, rule: Rule | None = None) -> None:
    """The figure as a card. `rule`: a student's own function, offered first; it may raise anything.

    The card reruns by itself, so `rule` is called for as long as the page is open, a few times at each change.
    """
    with st.container(border=True):
        _figure(words.language, learner_events or SessionEvents(), rule)


@st.fragment
def _figure(language: str, events: LearnerEvents, own: Rule | None) -> None:
    words = language_file(TEXTS, language)
    place = Place("two_paths" if own is None else "two_paths_own")
    st.subheader(words("title"), anchor=PREFIX)
    st.markdown(words("intro"))
    # A student who draws their own rule came to see the outcome; the lesson has asked the question.
    if own is None and not predicted(place, QUESTION, words, events):
        return
    state = places.opened(place, lambda query: _read(query, own))
    state = _inputs(place, state, own, words)
    places.keep(place, state)
    stage.warnings(place, language)
    drawn = _drawn(state, words, own)
    if drawn is not None:
        stage.put(place, drawn, language)
    stage.permalink(PREFIX, state.to_query(), language)


def _read(query: Mapping[str, str], own: Rule | None) -> tuple[State, list[Problem]]:
    return State.from_query(query, first=ASKED if own is None else YOURS)


def _inputs(place: Place, state: State, own: Rule | None, words: Words) -> State:
    examples(place, words.language)
    with stage.more_inputs(words.language):
        pair = pair_inputs(place, state.pair, words.language)
    complaints(place, words.language)
    key = menu_key(place, "rule", words.language, state.rule)
    rule = st.selectbox(
        words("control.rule"), choices(own is not None), key=key, persist_state="session",
        format_func=lambda name: _choice(name, words),
    )
    return State(pair, rule)


def _choice(rule: str, words: Words) -> str:
    """The right rule and the wrong ones carry their sign; the reader's own is not judged here."""
    sign = {rules.CORRECT: "control.right", YOURS: "control.yours"}.get(rule, "control.wrong")
    return words(sign, rule=rules.in_menu(rule, words.language) or rule_name(rule, words))


def _drawn(state: State, words: Words, own: Rule | None) -> Drawn | None:
    """The figure, or a message where the student's own rule raised: that code may do anything."""
    try:
        return build(state, words, own)
    except Exception as error:
        if state.rule != YOURS:
            raise
        message = error.message if isinstance(error, StudentFailure) else str(error)
        told = words("told.raised", error=type(error).__name__, message=message[:300])
        st.error(plain(told), icon=":material/error:")
    return None


