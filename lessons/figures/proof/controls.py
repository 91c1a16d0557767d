"""The page part of proof: the lines that are done, the one with the blank, and the way on."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.choose import choose
from lessons.figures.controls.distributions import complaints, examples, pair_inputs
from lessons.figures.controls.place import Place, preset
from lessons.figures.controls.predict import Question
from lessons.figures.proof.build import LINES, PREFIX, TEXTS, State, build

QUESTION = Question("proof", ("support", "close", "order", "nothing"), right="nothing")
PLACE = Place("proof")


def _inputs(state: State, words: Words) -> State:
    preset(PLACE.key("line"), state.line)
    line: int = st.session_state[PLACE.key("line")]
    for place, done in enumerate(LINES[:line], start=1):
        st.markdown(f"**✓ {place}.** {words(f'done.{done.name}')}")
    if line < len(LINES):
        _blank(line, words)
    else:
        st.success(words("complete"), icon=":material/task_alt:")
    _ways(line, words)
    examples(PLACE, words.language)
    with stage.more_inputs(words.language):
        pair = pair_inputs(PLACE, state.pair, words.language)
    complaints(PLACE, words.language)
    return State(pair, line)


def _blank(line: int, words: Words) -> None:
    with st.container(border=True):
        st.caption(words("position", line=line + 1, lines=len(LINES)))
        if choose(PLACE, LINES[line].choice(words), words.language):
            last = line + 1 == len(LINES)
            label = words("control.finish" if last else "control.next")
            st.button(label, key=PLACE.key("next"), type="primary", on_click=_go, args=(line + 1,))


def _ways(line: int, words: Words) -> None:
    """Back, and past a blank that the reader would rather be shown."""
    with st.container(horizontal=True):
        if line > 0:
            st.button(words("control.back"), key=PLACE.key("back"), on_click=_go, args=(line - 1,))
        if line < len(LINES):
            st.button(words("control.tell"), key=PLACE.key("tell"), on_click=_go, args=(line + 1,))
        else:
            st.button(words("control.again"), key=PLACE.key("restart"), on_click=_go, args=(0,))


def _go(line: int) -> None:
    """To a line; its blank is open again."""
    st.session_state[PLACE.key("line")] = line
    for left in LINES[line:]:
        for key in [key for key in st.session_state if str(key).startswith(PLACE.key(f"{left.name}."))]:
            st.session_state[key] = None


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
