"""What every figure does on a page: its card, the question, the reader's state, the drawing and the link."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import streamlit as st

from grader.language import Words
from grader.language import words as language_file
from lessons.figures.controls import place as places
from lessons.figures.controls import stage
from lessons.figures.controls.place import Place
from lessons.figures.controls.predict import Question, SessionEvents, predicted
from lessons.figures.distributions import Problem
from lessons.figures.events import LearnerEvents
from lessons.figures.frame import Drawn


class Linked(Protocol):
    """A figure's state, as far as its link needs it."""

    def to_query(self) -> dict[str, str]: ...


State = TypeVar("State", bound=Linked)


@dataclass(frozen=True)
class Card(Generic[State]):
    """One figure on a page.

    prefix: of its values in a link, and its heading's anchor. question: None where the outcome shows at once.
    read: the state in a link, and what there could not be used. inputs: puts the controls on the page and gives the
    state that they are in. draw: the drawn figure, or None where it has put a message in its place. below: puts what
    belongs below the picture, such as a question about it.
    """

    place: Place
    prefix: str
    texts: Path
    question: Question | None
    read: Callable[[Mapping[str, str]], tuple[State, list[Problem]]]
    inputs: Callable[[State, Words], State]
    draw: Callable[[State, Words], Drawn | None]
    below: Callable[[State, Words], None] | None = None

    def show(self, words: Words, learner_events: LearnerEvents | None = None) -> None:
        """The figure in `words`' language; without `learner_events` the session remembers the answer."""
        with st.container(border=True):
            _figure(self, words.language, learner_events or SessionEvents())


@st.fragment
def _figure(card: Card[State], language: str, events: LearnerEvents) -> None:
    """Changes inside the card run the card alone; the rest of the page stays as it is."""
    words = language_file(card.texts, language)
    st.subheader(words("title"), anchor=card.prefix)
    st.markdown(words("intro"))
    if card.question is not None and not predicted(card.place, card.question, words, events):
        return
    state = card.inputs(places.opened(card.place, card.read), words)
    places.keep(card.place, state)
    stage.warnings(card.place, language)
    drawn = card.draw(state, words)
    if drawn is not None:
        stage.put(card.place, drawn, language)
    if card.below is not None:
        card.below(state, words)
    stage.permalink(card.prefix, state.to_query(), language)
