"""The page part of speedup_surface."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, preset
from lessons.figures.controls.predict import Question
from lessons.figures.speedup_surface.build import CASES, MAX_DRAFTS, PREFIX, TEXTS, State, build

QUESTION = Question("speedup_surface", ("slower", "same", "third", "double"), right="third")
PLACE = Place("speedup_surface")
SLIDERS = ("alpha", "drafts", "cost")


def _inputs(state: State, words: Words) -> State:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(words("control.cases"), width="content")
        for name, case in CASES.items():
            slots = {"alpha": f"{case.alpha:g}", "drafts": case.drafts, "cost": f"{case.cost:g}"}
            st.button(words("control.case", **slots), key=PLACE.key(name), on_click=_fill, args=(case,))
    for part in SLIDERS:
        preset(PLACE.key(part), getattr(state, part))
    columns = st.columns(3)
    drafts = columns[1].slider(words("control.drafts"), 1, MAX_DRAFTS, key=PLACE.key("drafts"), persist_state="session")
    return State(_share("alpha", words, columns[0]), drafts, _share("cost", words, columns[2]))


def _share(part: str, words: Words, column: st.delta_generator.DeltaGenerator) -> float:
    value: float = column.slider(
        words(f"control.{part}"), 0.0, 1.0, step=0.01, key=PLACE.key(part), persist_state="session"
    )
    return round(value, 2)


def _fill(case: State) -> None:
    for part in SLIDERS:
        st.session_state[PLACE.key(part)] = getattr(case, part)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
