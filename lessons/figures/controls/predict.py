"""Predict, then run: the reader's guess is asked for once, and the outcome stays hidden until then."""
from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from grader.language import Words
from lessons.figures.controls.place import Place
from lessons.figures.events import LearnerEvents
from lessons.figures.frame import shared


class SessionEvents:
    """Answers remembered in the browser session only."""

    def answered(self, figure: str, right: bool) -> None:
        st.session_state[f"figure.{figure}.answered"] = right

    def was_answered(self, figure: str) -> bool:
        return f"figure.{figure}.answered" in st.session_state


@dataclass(frozen=True)
class Question:
    """A figure's question: in its texts, predict.question, predict.why and predict.option_<name> for every option."""

    figure: str
    options: tuple[str, ...]
    right: str


def predicted(place: Place, question: Question, words: Words, events: LearnerEvents) -> bool:
    """Ask, or say how the guess went; True once the outcome may be shown."""
    if st.session_state.pop(place.key("reported"), False):
        st.rerun()  # the whole page: it counts the answers
    given: str | None = st.session_state.get(place.key("guess"))
    if given is not None:
        _verdict(question, given, words)
        return True
    if events.was_answered(question.figure):
        return True
    if st.session_state.get(place.key("shown")):
        st.button(shared(words.language)("predict.after_all"), key=place.key("hide"), on_click=_hide, args=(place,))
        return True
    _ask(place, question, words, events)
    return False


def _ask(place: Place, question: Question, words: Words, events: LearnerEvents) -> None:
    text = shared(words.language)
    st.markdown(f"**{text('predict.title')}.** {words('predict.question')}")
    option = place.key(f"option.{words.language}")  # in another language the browser's choice is another text
    st.radio(
        text("predict.title"),
        question.options,
        index=None,
        format_func=lambda option: words(f"predict.option_{option}"),
        key=option,
        label_visibility="collapsed",
    )
    with st.container(horizontal=True):
        chosen = (place, question, events, option)
        st.button(text("predict.answer"), key=place.key("answer"), type="primary", on_click=_answer, args=chosen)
        st.button(text("predict.show"), key=place.key("show"), on_click=_show, args=(place,))
    if st.session_state.pop(place.key("undecided"), False):
        st.info(text("predict.choose"))


def _answer(place: Place, question: Question, events: LearnerEvents, key: str) -> None:
    option: str | None = st.session_state.get(key)
    if option is None:
        st.session_state[place.key("undecided")] = True
        return
    st.session_state[place.key("guess")] = option
    events.answered(question.figure, option == question.right)
    st.session_state[place.key("reported")] = True


def _show(place: Place) -> None:
    st.session_state[place.key("shown")] = True


def _hide(place: Place) -> None:
    """Back to the question: only an answer counts towards mastery."""
    st.session_state[place.key("shown")] = False


def _verdict(question: Question, given: str, words: Words) -> None:
    text = shared(words.language)
    right = given == question.right
    said = text("predict.yours", guess=words(f"predict.option_{given}"))
    told = f"**{text('predict.right' if right else 'predict.wrong')}** {said}\n\n{words('predict.why')}"
    (st.success if right else st.info)(told)
