"""The formula against rounds with more than one rate: invented stories by their sums, the real pair by its traces."""
from __future__ import annotations

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.language import words
from lessons.figures.assumptions.build import TEXTS, build, line
from lessons.figures.assumptions.stories import STORIES, State, told_rate
from lessons.models.ngrams import ORDERS
from lessons.models.target import TEMPERATURES
from lessons.models.traces import MAX_DRAFTS, measured
from solutions.expected_tokens.solution import expected_tokens

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
percents = st.integers(0, 100).map(lambda percent: percent / 100)
states = st.builds(
    State, st.sampled_from(STORIES), st.integers(1, MAX_DRAFTS), percents, percents, percents, percents, percents,
    st.sampled_from(ORDERS), st.sampled_from(TEMPERATURES),
)


def test_the_question_s_answer_is_what_the_rounds_give() -> None:
    here = line(State(), 4)
    assert here.tokens == 3.0 and f"{here.formula:.2f} tokens" in EN("predict.question")
    assert (here.of_judged, round(here.with_judged, 2)) == (0.8, 3.36)


def test_equal_rates_are_what_the_formula_assumes() -> None:
    for state in (State("mixed", easy=0.7, hard=0.7), State("decay", first=0.7, kept=1.0)):
        for drafts in (1, 4, 8):
            here = line(state, drafts)
            assert here.tokens == pytest.approx(here.formula) == pytest.approx(expected_tokens(0.7, drafts))
        assert "Here the two agree." in build(state, EN).alt


def test_runs_of_luck_bring_more_and_decay_brings_less() -> None:
    assert "The formula is 35.4% too low." in build(State(), EN).alt
    decaying = build(State("decay"), EN).alt
    assert "too high" in decaying and "accepted with α = 0.80" in decaying


@pytest.mark.parametrize("drafts", [1, 4, MAX_DRAFTS])
def test_the_real_pair_is_its_traces(drafts: int) -> None:
    state = State("real", drafts=drafts)
    seen, here = measured(state.order, state.temperature, drafts), line(state, drafts)
    assert here.tokens == pytest.approx(seen.tokens_per_pass) and here.formula == pytest.approx(seen.formula)
    assert told_rate(state) == seen.alpha
    assert f"{100 * abs(seen.gap):.1f}%" in build(state, EN).alt


def test_the_bars_are_the_rates_by_depth() -> None:
    figure = build(State(), EN).plots[1]
    assert isinstance(figure, go.Figure)
    (bars,) = (trace for trace in figure.data if trace.type == "bar")
    assert list(bars.y) == [0.5] + [1.0] * 7
    assert [row["Tokens a round"] for row in build(State(), EN).table] == [1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0]


@settings(deadline=None, max_examples=12)
@given(states)
def test_every_state_is_drawn_and_its_link_leads_back(state: State) -> None:
    for texts in (EN, ZH):
        assert "{" not in build(state, texts).alt
    assert State.from_query({f"alike.{name}": value for name, value in state.to_query().items()}) == (state, [])


@pytest.mark.parametrize("query", [{"alike.story": "x"}, {"alike.k": "9"}, {"alike.order": "1"}, {"alike.t": "0.3"}])
def test_what_no_input_has_falls_back(query: dict[str, str]) -> None:
    state, problems = State.from_query(query)
    assert state == State() and len(problems) == 1
