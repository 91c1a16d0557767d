"""The ledger: exact for the right rule, exactly as wrong as the mistake for the others."""
from __future__ import annotations

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings

from grader.language import words
from lessons.figures import rules
from lessons.figures.distributions import EXAMPLES, Pair
from lessons.figures.frame import Drawn
from lessons.figures.two_paths.build import TEXTS, YOURS, State, build, choices
from solutions.law import one_step_law, total_variation
from tests.lessons.figures.random_pairs import pairs

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")


def bars(drawn: Drawn) -> dict[str, list[float]]:
    (figure,) = drawn.plots
    assert isinstance(figure, go.Figure)
    return {bar.name: list(bar.x) for bar in figure.data if bar.type == "bar"}


def texts(drawn: Drawn) -> list[str]:
    (figure,) = drawn.plots
    assert isinstance(figure, go.Figure)
    return [note.text for note in figure.layout.annotations]


def test_the_worked_case_sums_to_target() -> None:
    drawn = build(State(), EN)
    assert bars(drawn) == {"✓ accepted": [0.4, 0.3], "↻ resampled": [pytest.approx(0.3), 0.0]}
    assert "✓ 0.400 + ↻ 0.300 = 0.700" in texts(drawn) and "✓ 0.300 + ↻ 0.000 = 0.300" in texts(drawn)
    assert "sum to [0.700, 0.300], exactly the target" in drawn.alt and "0.700 of the mass is accepted" in drawn.alt


def test_resampling_from_target_is_biased_by_nine_percent() -> None:
    drawn = build(State(rule="residual_is_target"), EN)
    assert [row["Sum"] for row in drawn.table] == pytest.approx([0.61, 0.39], abs=1e-12)
    assert "✓ 0.300 + ↻ 0.090 = 0.390 (+0.090)" in texts(drawn)
    assert "✓ 0.400 + ↻ 0.210 = 0.610 (−0.090)" in texts(drawn)
    for fact in ("the law becomes [0.610, 0.390]", "dog comes out with probability 0.390", "distance is 0.090", "9%"):
        assert fact in drawn.alt


def test_target_is_marked_in_every_row() -> None:
    (figure,) = build(State(), EN).plots
    assert isinstance(figure, go.Figure)
    (marks,) = (trace for trace in figure.data if trace.type == "scatter")
    assert list(marks.x) == [0.7, 0.3]
    assert "target 0.700" in texts(build(State(), EN)) and "目标 0.300" in texts(build(State(), ZH))


def test_what_is_resampled_is_hatched() -> None:
    (figure,) = build(State(), EN).plots
    assert isinstance(figure, go.Figure)
    shapes = {bar.name: bar.marker.pattern.shape for bar in figure.data if bar.type == "bar"}
    assert shapes == {"✓ accepted": None, "↻ resampled": "/"}


@pytest.mark.parametrize("rule", rules.wrong_names())
@pytest.mark.parametrize("language", [EN, ZH], ids=["en", "zh"])
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_table_is_the_law_of_every_wrong_rule(rule: str, language: object, example: str) -> None:
    state, texts_ = State(EXAMPLES[example], rule), EN if language is EN else ZH
    ledger = one_step_law(state.pair.target, state.pair.draft, rules.rule(rule))
    drawn = build(state, texts_)
    law = None if ledger.problem else list(ledger.law)
    shown = [row[texts_("table.sum")] for row in drawn.table]
    assert shown == (law or [None] * len(state.pair.target))
    assert [row[texts_("table.target")] for row in drawn.table] == list(state.pair.target)
    assert rules.wrong_names()[rule].within(texts_.language) in drawn.alt


def test_where_no_law_comes_out_the_figure_says_so() -> None:
    drawn = build(State(rule="unclamped_difference"), EN)
    assert "no law comes out" in drawn.alt and "not a probability distribution" in drawn.alt
    assert bars(drawn) == {} and texts(drawn).count("no output law") == 2


def test_a_slip_that_does_not_show_is_not_called_right() -> None:
    assert "the slip does not show" in build(State(rule="no_min"), EN).alt


def test_the_reader_s_own_rule_is_drawn() -> None:
    drawn = build(State(rule=YOURS), EN, own=lambda target, draft, token: (1.0, list(target)))
    assert [row["Sum"] for row in drawn.table] == [0.4, 0.6] and "“your rule”" in drawn.alt


def test_what_the_reader_s_own_rule_raises_passes_through() -> None:
    def broken(target: object, draft: object, token: int) -> tuple[float, list[float]]:
        raise TypeError("no")

    with pytest.raises(TypeError, match="no"):
        build(State(rule=YOURS), EN, own=broken)


def test_the_choices_are_the_right_rule_and_every_mistake() -> None:
    assert choices(False) == [rules.CORRECT, *rules.wrong_names()] and choices(True)[0] == YOURS
    assert len(rules.wrong_names()) >= 12


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(KeyError, match="no rule is called 'magic'"):
        rules.rule("magic")


@settings(deadline=None)
@given(pairs)
def test_the_right_rule_gives_target_whatever_the_pair(pair: Pair) -> None:
    drawn = build(State(pair), EN)
    law = [row["Sum"] for row in drawn.table]
    assert total_variation(law, pair.target) < 1e-12  # type: ignore[arg-type]
    assert "exactly the target" in drawn.alt
