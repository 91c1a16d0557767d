"""The page part of timeline."""
from __future__ import annotations

from dataclasses import replace

import streamlit as st

from grader.language import Words
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, preset
from lessons.figures.controls.predict import Question
from lessons.figures.query import MAX_SEED
from lessons.figures.timeline.build import TEXTS, build
from lessons.figures.timeline.simulate import KINDS, MAX_COST, MAX_DRAFTS, PREFIX, State

QUESTION = Question("timeline", ("same", "longer", "fivefold", "never"), right="longer")
PLACE = Place("timeline")
SLIDERS = ("drafts", "alpha", "draft_cost", "row_cost")


def _inputs(state: State, words: Words) -> State:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(words("control.kinds"), width="content")
        for name, kind in KINDS.items():
            st.button(words(f"control.kind_{name}"), key=PLACE.key(name), on_click=_fill, args=(kind,))
    for part in SLIDERS:
        preset(PLACE.key(part), getattr(state, part))
    columns = st.columns(3)
    drafts = columns[0].slider(
        words("control.drafts"), 1, MAX_DRAFTS, key=PLACE.key("drafts"), persist_state="session"
    )
    state = replace(
        state,
        drafts=drafts,
        alpha=_slider("alpha", words, columns[1]),
        draft_cost=_slider("draft_cost", words, columns[2]),
    )
    more = stage.more_inputs(words.language)
    with more:
        row_cost = _slider("row_cost", words, more, help=words("control.row_cost_help"))
        state = replace(state, row_cost=row_cost, seed=stage.seed_input(PLACE, state.seed, words.language))
    st.button(words("control.again"), key=PLACE.key("again"), on_click=_again)
    return state


def _slider(part: str, words: Words, column: st.delta_generator.DeltaGenerator, help: str | None = None) -> float:
    share: float = column.slider(
        words(f"control.{part}"), 0.0, MAX_COST, step=0.01, key=PLACE.key(part), help=help, persist_state="session"
    )
    return round(share, 2)


def _fill(kind: State) -> None:
    """The numbers of a kind of draft; the seed stays the reader's."""
    for part in SLIDERS:
        st.session_state[PLACE.key(part)] = getattr(kind, part)


def _again() -> None:
    st.session_state[PLACE.key("seed")] = (st.session_state[PLACE.key("seed")] + 1) % (MAX_SEED + 1)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
