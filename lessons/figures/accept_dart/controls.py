"""The page part of accept_dart."""
from __future__ import annotations

from dataclasses import replace

import streamlit as st

from grader.language import Words
from lessons.figures.accept_dart.build import PREFIX, TEXTS, State, build
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.distributions import complaints, examples, pair_inputs
from lessons.figures.controls.place import Place, menu_key, preset
from lessons.figures.controls.predict import Question
from lessons.figures.frame import Drawn, token_label
from lessons.figures.query import MAX_SEED

QUESTION = Question("accept_dart", ("target", "half", "always", "never"), right="half")
PLACE = Place("accept_dart")
DRAWN = -1  # the choice "drawn by the seed": a menu can't offer None


def _inputs(state: State, words: Words) -> State:
    examples(PLACE, words.language)
    with stage.more_inputs(words.language):
        state = replace(state, pair=pair_inputs(PLACE, state.pair, words.language))
        state = _draw_inputs(state, words)
    complaints(PLACE, words.language)
    st.button(words("control.again"), key=PLACE.key("again"), type="primary", on_click=_again)
    return state


def _draw_inputs(state: State, words: Words) -> State:
    """Draft token, u and seed."""
    tokens, coins, seeds = st.columns(3)
    token = _token_input(state, words, tokens)
    preset(PLACE.key("u"), state.u)
    u = coins.number_input(
        words("control.u"), 0.0, 0.999999, step=0.05, format="%.3f", key=PLACE.key("u"), help=words("control.u_help"),
        placeholder=words("control.u_drawn"), persist_state="session",
    )
    with seeds:
        seed = stage.seed_input(PLACE, state.seed, words.language)
    return replace(state, token=token, u=u, seed=seed)


def _token_input(state: State, words: Words, column: st.delta_generator.DeltaGenerator) -> int | None:
    """Only tokens that the draft can propose; a choice that the new distributions rule out goes back to the seed."""
    options = [DRAWN, *(token for token in state.pair.tokens if state.pair.draft[token] > 0.0)]
    key = menu_key(PLACE, "token", words.language, DRAWN if state.token is None else state.token)
    if st.session_state[key] not in options:
        st.session_state[key] = DRAWN
    drawn = words("control.token_drawn")
    token = column.selectbox(
        words("control.token"), options, key=key, persist_state="session",
        format_func=lambda option: drawn if option == DRAWN else token_label(option, words.language),
    )
    return None if token == DRAWN else token


def _again() -> None:
    """The next seed; a u that the reader chose is let go. The new draw starts at its draft token."""
    st.session_state[PLACE.key("seed")] = (st.session_state[PLACE.key("seed")] + 1) % (MAX_SEED + 1)
    st.session_state[PLACE.key("u")] = None
    st.session_state[PLACE.key("start")] = 1


def _drawn(state: State, words: Words) -> Drawn:
    return build(state, words, start=st.session_state.get(PLACE.key("start"), 0))


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, _drawn).show
