"""A lesson's quiz: for the reader's own use, so nothing is kept and nothing counts."""
from __future__ import annotations

import streamlit as st

from lessons.choices import quiz
from lessons.figures.controls.choose import choose
from lessons.figures.controls.place import Place
from lessons.pages import shell


def show(name: str) -> None:
    _questions(name, shell.language())


@st.fragment
def _questions(name: str, language: shell.Language) -> None:
    with st.container(border=True, key=f"quiz_{name}"):
        st.caption(shell.words()("lesson.quiz"))
        for choice in quiz(name, language):
            choose(Place(f"quiz.{name}"), choice, language)
