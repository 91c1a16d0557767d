"""Puts a drawn figure on the page: its drawings, the fact in words, the table of numbers and the link."""
from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lessons.figures import palette
from lessons.figures.chart import CONFIG
from lessons.figures.controls.component import component
from lessons.figures.controls.place import Place, preset, problems
from lessons.figures.frame import Drawn, number, plain, say, shared
from lessons.figures.query import MAX_SEED, link
from lessons.figures.stepper import Stepper


def more_inputs(language: str) -> st.delta_generator.DeltaGenerator:
    """The inputs that most readers leave alone; on a phone they would push the figure off the screen."""
    return st.expander(shared(language)("input.more"))


def seed_input(place: Place, seed: int, language: str) -> int:
    text = shared(language)
    key = place.key("seed")
    preset(key, seed)
    return st.number_input(
        text("input.seed"), 0, MAX_SEED, key=key, help=text("input.seed_help"), persist_state="session"
    )


def put(place: Place, drawn: Drawn, language: str) -> None:
    text = shared(language)
    charts = [plot for plot in drawn.plots if not isinstance(plot, Stepper)]
    for at, plot in enumerate(drawn.plots):
        if isinstance(plot, Stepper):
            _stepper(plot, place.key(f"plot{at}"), language)
            continue
        if plot is charts[0]:
            st.html(f"<style>{palette.css_for_charts()}</style>")
            st.markdown(plain(drawn.alt))
        st.plotly_chart(plot, key=place.key(f"plot{at}"), config=CONFIG, alt=drawn.alt)
    with st.expander(text("frame.table")):
        st.table([{heading: _cell(value) for heading, value in row.items()} for row in drawn.table], hide_index=True)


def permalink(prefix: str, values: Mapping[str, str], language: str) -> None:
    """The address of this state, with Streamlit's copy button."""
    text = shared(language)
    with st.popover(text("link.title"), icon=":material/link:"):
        st.markdown(text("link.words"))
        st.code(link(st.context.url or "", prefix, values, language), language=None, wrap_lines=True)


def warnings(place: Place, language: str) -> None:
    """What the link asked for and can't have."""
    found = problems(place)
    if found:
        st.warning("\n\n".join(plain(say(problem, language)) for problem in found), icon=":material/link_off:")


def _cell(value: object) -> str:
    return "–" if value is None else number(value) if isinstance(value, float) else str(value)


def _stepper(stepper: Stepper, key: str, language: str) -> None:
    text = shared(language)
    labels = {name: text(f"step.{name}") for name in ("back", "next", "leap", "last", "region", "chips")}
    position = text("step.position", step="{step}", steps="{steps}")
    component("stepper")(key=key, data=stepper.as_data(labels | {"position": position}))
