"""The page part of two_paths."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from grader.proxy import StudentFailure
from lessons.figures import rules
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.distributions import complaints, examples, pair_inputs
from lessons.figures.controls.place import Place, menu_key
from lessons.figures.controls.predict import Question
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
    place = Place("two_paths" if rule is None else "two_paths_own")
    card = Card(
        place, PREFIX, TEXTS,
        # A student who draws their own rule came to see the outcome; the lesson has asked the question.
        question=QUESTION if rule is None else None,
        read=lambda query: State.from_query(query, first=ASKED if rule is None else YOURS),
        inputs=lambda state, words: _inputs(place, state, rule, words),
        draw=lambda state, words: _drawn(state, words, rule),
    )
    card.show(words, learner_events)


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


