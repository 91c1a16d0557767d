"""Many draws: counted exactly, reproducible, and a bias never taken for chance."""
from __future__ import annotations

import plotly.graph_objects as go
import pytest

from grader.language import words
from lessons.figures import rules
from lessons.figures.convergence.build import DRAWS, TEXTS, State, band, build, samples
from lessons.figures.distributions import EXAMPLES
from solutions.law import one_step_law, total_variation
from solutions.simulate import expected_total_variation

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")


def test_the_numbers_of_draws_reach_ten_million() -> None:
    assert DRAWS[0] == 10 and DRAWS[-1] == 10**7 and list(DRAWS) == sorted(DRAWS)


def test_the_same_seed_gives_the_same_figure() -> None:
    assert build(State(seed=3), EN).table == build(State(seed=3), EN).table != build(State(seed=4), EN).table


def test_more_draws_continue_the_same_sample() -> None:
    few, many = samples(State(draws=1000))[0], samples(State(draws=10**6))[0]
    assert many.distances[: len(few.distances)] == few.distances


def test_both_rules_close_in_on_their_own_law() -> None:
    """The chance of a frequency 6 standard deviations off is below 1e-8; at n = 10^7 that is at most 0.00095."""
    state = State(EXAMPLES["four"], draws=10**7)
    right, wrong = samples(state)
    assert wrong is not None
    law = one_step_law(state.pair.target, state.pair.draft, rules.rule(state.wrong)).law
    assert max(abs(got - want) for got, want in zip(right.frequencies, state.pair.target, strict=True)) < 0.00095
    assert max(abs(got - want) for got, want in zip(wrong.frequencies, law, strict=True)) < 0.00095
    assert wrong.bias == total_variation(law, state.pair.target) > 0.01


def test_the_sentence_says_distance_expectation_and_bias() -> None:
    state = State(draws=10**6)
    right, wrong = samples(state)
    assert wrong is not None
    alt = build(state, EN).alt
    assert "After 1,000,000 draws" in alt and "±0.001" in alt and "its bias, 0.090" in alt
    assert f"{right.distances[-1]:.2g}" in alt
    assert f"{expected_total_variation(state.pair.target, 10**6):.2g}" in alt


def test_the_band_is_never_narrower_than_two_standard_deviations() -> None:
    for share in (0.01, 0.3, 0.5, 0.9):
        assert band(1000) >= 2 * (share * (1 - share) / 1000) ** 0.5


def test_the_table_is_what_is_drawn() -> None:
    state = State(seed=5)
    drawn = build(state, EN)
    frequencies = drawn.plots[0]
    assert isinstance(frequencies, go.Figure)
    shown = {bar.name: list(bar.x) for bar in frequencies.data if bar.type == "bar"}
    assert shown["✓ right rule"] == [row["Right rule"] for row in drawn.table]
    assert shown["✕ wrong rule"] == [row["Wrong rule"] for row in drawn.table]
    for row in drawn.table:
        assert row["Right − target"] == pytest.approx(row["Right rule"] - row["Target"])  # type: ignore[operator]


def test_the_band_and_the_expectation_are_drawn() -> None:
    frequencies, distances = build(State(draws=10**4), EN).plots
    assert isinstance(frequencies, go.Figure) and isinstance(distances, go.Figure)
    (marks,) = (trace for trace in frequencies.data if trace.type == "scatter")
    assert marks.error_x.value == 0.01 and list(marks.x) == [0.7, 0.3]
    lines = {trace.name: trace for trace in distances.data}
    assert lines["expected from chance alone"].y[0] == expected_total_variation((0.7, 0.3), 10)
    assert list(lines["the wrong rule's bias"].y) == pytest.approx([0.09] * len(DRAWS))
    assert lines["✕ wrong rule"].marker.symbol != lines["✓ right rule"].marker.symbol


def test_a_rule_without_a_law_is_left_out_and_named() -> None:
    drawn = build(State(wrong="unclamped_difference"), EN)
    assert "“negative entries kept” can't be drawn here" in drawn.alt
    assert [row["Wrong rule"] for row in drawn.table] == [None, None]


def test_a_slip_that_does_not_show_has_no_bias() -> None:
    assert "gives exactly the target" in build(State(wrong="no_min"), EN).alt


@pytest.mark.parametrize("wrong", rules.wrong_names())
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_mistake_can_be_shown_in_both_languages(wrong: str, example: str) -> None:
    for texts in (EN, ZH):
        assert rules.wrong_names()[wrong].within(texts.language) in build(State(EXAMPLES[example], wrong), texts).alt


def test_a_sample_that_hits_target_exactly_leaves_a_gap_on_the_log_axis() -> None:
    states = [State(draws=10, seed=seed) for seed in range(100)]
    state = next(state for state in states if samples(state)[0].distances == (0.0,))
    distances = build(state, EN).plots[1]
    assert isinstance(distances, go.Figure)
    assert next(trace for trace in distances.data if trace.name == "✓ right rule").y == (None,)
