"""A figure's place in the reader's session: its state, and the texts typed into it."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from lessons.figures.distributions import Problem

State = TypeVar("State")


@dataclass(frozen=True)
class Place:
    """`name` tells apart two figures of the same kind: a lesson's, and an exercise's with the student's own rule."""

    name: str

    def key(self, part: str) -> str:
        return f"figure.{self.name}.{part}"


def opened(place: Place, read: Callable[[Mapping[str, str]], tuple[State, list[Problem]]]) -> State:
    """The state as the reader left it in this session; the first time, what the link says."""
    key = place.key("state")
    if key not in st.session_state:
        st.session_state[key], st.session_state[place.key("problems")] = read(st.query_params.to_dict())
    state: State = st.session_state[key]
    return state


def keep(place: Place, state: object) -> None:
    """What the link got wrong is of no interest any more once the reader has changed something."""
    if state != st.session_state.get(place.key("state")):
        st.session_state[place.key("problems")] = []
    st.session_state[place.key("state")] = state


def problems(place: Place) -> list[Problem]:
    found: list[Problem] = st.session_state.get(place.key("problems"), [])
    return found


def menu_key(place: Place, part: str, language: str, value: object) -> str:
    """The key of a menu in one language: a menu goes on showing the words it had. A new language takes `value` over."""
    key, spoken = place.key(f"{part}.{language}"), place.key(f"{part}.language")
    if st.session_state.get(spoken) != language:
        st.session_state[spoken], st.session_state[key] = language, value
    preset(key, value)
    return key


def preset(key: str, value: object) -> None:
    """Give a widget its first value. Streamlit forgets a widget that was not on the last page."""
    if key not in st.session_state:
        st.session_state[key] = value
