"""The speed-up surface: its border and best K are the exercise's own, and the words are the drawing's."""
from __future__ import annotations

import math

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.language import words
from lessons.figures.speedup_surface.build import (
    CASES,
    LENGTHS,
    MAX_DRAFTS,
    RATES,
    TEXTS,
    State,
    best,
    border,
    build,
    grid,
)
from solutions.expected_tokens.solution import best_draft_length, speedup

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
percents = st.integers(0, 100).map(lambda percent: percent / 100)


@settings(deadline=None, max_examples=25)
@given(percents)
def test_the_border_divides_what_is_slower_from_what_is_faster(cost: float) -> None:
    for speeds, breaks_even in zip(grid(cost), border(cost), strict=True):
        for alpha, speed in zip(RATES, speeds, strict=True):
            if abs(alpha - breaks_even) > 1e-9:
                assert (speed > 1.0) == (alpha > breaks_even)


@settings(deadline=None, max_examples=25)
@given(percents)
def test_no_drawn_length_beats_the_best(cost: float) -> None:
    for at, (alpha, length) in enumerate(zip(RATES, best(cost), strict=True)):
        top = max(1.0, *(row[at] for row in grid(cost)))
        mine = max(1.0, speedup(alpha, min(length, MAX_DRAFTS), cost))
        assert mine == pytest.approx(top)


def test_the_question_s_answer_is_what_the_formula_gives() -> None:
    assert f"{speedup(0.4, 1, 0.05):.2f} times" in EN("predict.option_third")
    assert CASES["cheap"] == State() == State(0.4, 1, 0.05)


def test_the_sentence_and_the_table_say_the_drawn_numbers() -> None:
    drawn = build(State(0.8, 4, 0.05), EN)
    assert "emits 3.36 tokens in 1.2 passes: 2.80 times the speed" in drawn.alt
    assert "The best K there is 8, with 3.09 times." in drawn.alt and "K = 4 breaks even at α = 0.17." in drawn.alt
    assert [row["K"] for row in drawn.table] == list(LENGTHS)
    _, cut = drawn.plots
    assert isinstance(cut, go.Figure)
    curve = next(trace for trace in cut.data if trace.name == "speed-up")
    assert list(curve.y)[1:] == [row["Speed-up"] for row in drawn.table]


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (State(0.3, 4, 0.3), "No K is faster than plain decoding there: α isn't above c = 0.3"),
        (State(0.3, 4, 0.0), "There is no best K"),
        (State(1.0, 4, 0.5), "There is no best K"),
    ],
)
def test_where_there_is_no_best_length(state: State, sentence: str) -> None:
    assert best_draft_length(state.alpha, state.cost) in (0, math.inf)
    assert sentence in build(state, EN).alt


@settings(deadline=None, max_examples=10)
@given(percents, st.integers(1, MAX_DRAFTS), percents)
def test_every_state_is_drawn_and_its_link_leads_back(alpha: float, drafts: int, cost: float) -> None:
    state = State(alpha, drafts, cost)
    for texts in (EN, ZH):
        assert "{" not in build(state, texts).alt
    assert State.from_query({f"surface.{name}": value for name, value in state.to_query().items()}) == (state, [])


@pytest.mark.parametrize("query", [{"surface.k": "17"}, {"surface.alpha": "0.123"}, {"surface.c": "nan"}])
def test_what_no_slider_has_falls_back(query: dict[str, str]) -> None:
    state, problems = State.from_query(query)
    assert state == State() and len(problems) == 1
