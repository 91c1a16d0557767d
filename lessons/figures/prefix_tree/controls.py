"""The page part of prefix_tree."""
from __future__ import annotations

from dataclasses import replace

import streamlit as st

from grader.language import Words
from lessons.figures.controls import stage
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place, menu_key
from lessons.figures.controls.predict import Question
from lessons.figures.prefix_tree.build import TEXTS, build, rule_name
from lessons.figures.prefix_tree.laws import PREFIX, RULES, TABLES, State

QUESTION = Question("prefix_tree", ("first", "second", "length", "nothing"), right="second")
PLACE = Place("prefix_tree")


def _inputs(state: State, words: Words) -> State:
    rules, kinds = st.columns(2)
    rule = rules.selectbox(
        words("control.rule"), RULES, key=menu_key(PLACE, "rule", words.language, state.rule),
        format_func=lambda name: rule_name(name, words), persist_state="session",
    )
    tables = kinds.selectbox(
        words("control.tables"), TABLES, key=menu_key(PLACE, "tables", words.language, state.tables),
        format_func=lambda name: words(f"control.tables_{name}"), persist_state="session",
    )
    state = replace(state, rule=rule, tables=tables)
    if tables == "seeded":
        state = replace(state, seed=stage.seed_input(PLACE, state.seed, words.language))
    return state


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
