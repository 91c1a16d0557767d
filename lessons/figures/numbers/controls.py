"""The page part of numbers."""
from __future__ import annotations

import streamlit as st

from grader.language import Words
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, menu_key
from lessons.figures.controls.predict import Question
from lessons.figures.numbers.build import TEXTS, build, variant_label
from lessons.figures.numbers.state import PREFIX, State, usual
from solutions.numerics.experiments import EXPERIMENTS

QUESTION = Question("numbers", ("none", "few", "sixth", "half"), right="sixth")
PLACE = Place("numbers")


def _inputs(state: State, words: Words) -> State:
    name: str = st.selectbox(
        words("control.experiment"), list(EXPERIMENTS), persist_state="session",
        key=menu_key(PLACE, "experiment", words.language, state.experiment),
        format_func=lambda name: words(f"experiment.{name}"),
    )
    variants = EXPERIMENTS[name].variants
    variant = state.variant if name == state.experiment else usual(name)
    if len(variants) > 1:
        variant = st.selectbox(
            words(f"vary.{name}"), variants, persist_state="session",
            key=menu_key(PLACE, f"variant.{name}", words.language, variant),
            format_func=lambda variant: variant_label(variant, words),
        )
    st.markdown(words(f"measured.{name}", variant=variant_label(variant, words)))
    seed = state.seed
    if EXPERIMENTS[name].seeded:
        with stage.more_inputs(words.language):
            seed = stage.seed_input(PLACE, seed, words.language)
    return State(name, variant, seed)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
