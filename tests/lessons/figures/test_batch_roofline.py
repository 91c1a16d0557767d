"""The growing batch: its curves are the roofline's, its turn is where they cross."""
from __future__ import annotations

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.language import words
from lessons.figures.batch_roofline.build import (
    BATCHES,
    CONTEXTS,
    DRAWN,
    MAX_DRAFTS,
    RANGES,
    TEXTS,
    State,
    build,
)
from lessons.figures.frame import Drawn
from solutions.roofline import Server, gain

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
percents = st.integers(0, 100).map(lambda percent: percent / 100)
states = st.builds(
    State, percents, st.integers(1, MAX_DRAFTS), percents, st.sampled_from(BATCHES), st.sampled_from(CONTEXTS),
    *(st.floats(least, most) for least, most in RANGES.values()),
)


def curve(drawn: Drawn, chart: int, name: str) -> dict[float, float]:
    figure = drawn.plots[chart]
    assert isinstance(figure, go.Figure)
    trace = next(trace for trace in figure.data if trace.name == name)
    return dict(zip(trace.x, trace.y, strict=True))


def test_it_begins_with_the_data_sheet_of_the_first_chapter() -> None:
    assert State().server == Server(8e9, 3.35e12, 989e12, 0)
    assert set(BATCHES) <= set(DRAWN)


def test_the_question_s_answer_is_what_the_model_gives() -> None:
    state = State()
    assert f"{gain(state.server, 512, state.drafting):.2f} times" in EN("predict.option_loses")
    assert f"{gain(state.server, 1, state.drafting):.1f} times" in EN("predict.question")


def test_the_sentence_says_here_turn_and_full() -> None:
    alt = build(State(batch=512), EN).alt
    assert "one request gets on average a token every 8.28 ms plainly and every 12.81 ms with drafting: 0.65" in alt
    assert "Drafting pays up to a batch of 186" in alt
    assert "limit from a batch of 296 on plainly, and from 60 on with 5 rows a request." in alt and "cache" not in alt
    assert "pays at no batch size" in build(State(alpha=0.1, cost=0.5), EN).alt
    long = build(State(context=8000), EN).alt
    assert "pays at every batch size" in long and "so does one with 5 rows" in long and "reads 1.05 GB of cache" in long
    between = build(State(context=1000), EN).alt
    assert "many requests there are; with 5 rows a request arithmetic is the limit from a batch of 108" in between


def test_no_short_time_and_no_small_batch_reads_as_zero() -> None:
    assert "every 0.004 ms plainly and every 0.0014 ms" in build(State(weights=0.1, bandwidth=50.0), EN).alt
    assert "limit from a batch of 1 on plainly" in build(State(operations=1.0, bandwidth=50.0), EN).alt


def test_as_fast_doesn_t_pay() -> None:
    assert "1.00 times the speed. Drafting pays at no batch size." in build(State(alpha=0.0, cost=0.0), EN).alt


def test_the_curves_cross_where_the_mark_is() -> None:
    drawn = build(State(), EN)
    plain, drafted = (curve(drawn, 1, name) for name in ("plain decoding", "with drafting"))
    (turn,) = curve(drawn, 0, "the largest batch that pays")
    assert all((drafted[batch] <= plain[batch]) == (batch <= turn) for batch in DRAWN)
    for batch, speed in curve(drawn, 0, "speed-up").items():
        assert speed == pytest.approx(plain[batch] / drafted[batch])
        assert curve(drawn, 2, "with drafting")[batch] == pytest.approx(1e3 * batch / drafted[batch])


def test_the_table_is_what_is_drawn() -> None:
    drawn = build(State(), EN)
    assert [row["Batch"] for row in drawn.table] == list(BATCHES)
    assert {row["Batch"]: row["Speed-up"] for row in drawn.table}.items() <= curve(drawn, 0, "speed-up").items()


@settings(deadline=None, max_examples=10)
@given(states)
def test_every_state_is_drawn_and_its_link_leads_back(state: State) -> None:
    for texts in (EN, ZH):
        assert "{" not in build(state, texts).alt
    assert State.from_query({f"batch.{name}": value for name, value in state.to_query().items()}) == (state, [])


@pytest.mark.parametrize(
    "query",
    [{"batch.b": "3"}, {"batch.context": "1"}, {"batch.weights": "0"}, {"batch.bandwidth": "nan"}, {"batch.k": "0"}],
)
def test_what_no_input_has_falls_back(query: dict[str, str]) -> None:
    state, problems = State.from_query(query)
    assert state == State() and len(problems) == 1
