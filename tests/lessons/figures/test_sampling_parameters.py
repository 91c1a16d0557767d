"""Sampling parameters: the laws stage by stage, what each way of handing them on puts out, and its drawings."""
from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.language import words
from lessons.figures.sampling_parameters.build import TEXTS, build
from lessons.figures.sampling_parameters.laws import judged, stages
from lessons.figures.sampling_parameters.state import CONTEXTS, EXAMPLES, WAYS, Settings, State
from lessons.figures.stepper import Stepper
from tests.lessons.figures.drawing_bounds import assert_inside
from tests.lessons.figures.test_controls import press, said, shown, steps

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
tenths = st.integers(0, 20).map(lambda count: round(count * 0.1, 2))
sides = st.builds(
    Settings, tenths, st.integers(0, 6), st.integers(1, 20).map(lambda count: round(count * 0.05, 2)), tenths,
    st.booleans(),
)
states = st.builds(State, st.sampled_from(sorted(CONTEXTS)), sides, sides, st.sampled_from(WAYS))


def test_the_question_s_numbers() -> None:
    cut, whole = judged(State()), judged(State(target=Settings()))
    assert cut.distance < 1e-12
    for texts in (EN, ZH):
        assert f"{whole.rate:.3f}" in texts("predict.why") and f"{cut.rate:.3f}" in texts("predict.why")


@settings(deadline=None)
@given(states)
def test_handed_on_as_it_should_be_the_request_s_law_comes_out(state: State) -> None:
    """Whatever the draft does. The one exception is a place at which nothing was drawn."""
    assert judged(replace(state, way="right")).distance < 1e-9


def test_the_grammar_example_has_the_known_numbers() -> None:
    example = EXAMPLES["grammar"]
    assert judged(example).wanted == pytest.approx((0.5, 0.3, 0.2, 0.0))
    assert judged(replace(example, way="removed_target")).ledger.law == pytest.approx((0.4, 0.32, 0.28, 0.0))
    assert judged(replace(example, way="padding_residual")).ledger.law == pytest.approx((0.75, 0.25, 0.0, 0.0))


def test_a_wrong_row_can_raise_the_acceptance_rate() -> None:
    example = EXAMPLES["cooler"]
    right, scored = judged(example), judged(replace(example, way="scored_raw"))
    assert scored.rate > right.rate and scored.distance > 0.1
    truncated = replace(EXAMPLES["truncated"], way="request_forgotten")
    assert judged(truncated).rate > judged(State()).rate and judged(truncated).distance > 0.3


def test_every_example_bends_under_the_forgotten_request() -> None:
    assert all(judged(replace(one, way="request_forgotten")).distance > 0.1 for one in EXAMPLES.values())


def test_stages_come_in_the_exercise_s_order() -> None:
    every = stages("open", "target", Settings(0.5, 3, 0.9, 1.0, True))
    names = ["", "allowed_tokens", "presence_penalty", "temperature", "top_k", "top_p"]
    assert [stage.name for stage in every] == names
    assert stages("open", "target", Settings())[0].law == pytest.approx([w / 64 for w in CONTEXTS["open"].target])


def test_the_sentences_name_what_is_on() -> None:
    drawn = build(replace(EXAMPLES["grammar"], way="removed_target"), EN)
    assert "asks for grammar mask; its law is [0.500, 0.300, 0.200, 0.000]" in drawn.alt
    assert "0.100 apart" in drawn.alt and "nothing but softmax" in drawn.alt
    assert "Switch it on" in build(State(way="removed_target"), EN).alt
    assert "does no harm" in build(State(way="scored_raw"), EN).alt
    assert "the two would agree in" in build(State(), EN).alt


@settings(deadline=None, max_examples=60)
@given(states)
def test_a_row_is_called_wrong_only_where_it_is_another(state: State) -> None:
    scored, forgotten = (replace(state, way=way) for way in ("scored_raw", "request_forgotten"))
    found = judged(scored)
    same = found.draft == pytest.approx(found.drawn, abs=1e-9)
    assert ("is not the law that the token was drawn from" in build(scored, EN).alt) != same
    found = judged(forgotten)
    same = found.target == pytest.approx(found.wanted, abs=1e-9)
    assert ("is not the request's law" in build(forgotten, EN).alt) != same


@settings(deadline=None, max_examples=60)
@given(states, st.sampled_from([EN, ZH]))
def test_every_state_can_be_drawn(state: State, texts: object) -> None:
    (plot,) = build(state, EN if texts is EN else ZH).plots
    assert isinstance(plot, Stepper) and len(plot.steps) == 3
    for step in plot.steps:
        assert not re.search(r"[{}]", step.sentence)
        assert_inside(step)



@settings(deadline=None)
@given(states)
def test_a_link_gives_the_state_back(state: State) -> None:
    query = {f"same.{name}": value for name, value in state.to_query().items()}
    assert State.from_query(query) == (state, [])


@pytest.mark.parametrize(
    "query",
    [
        {"same.target": "1,0,1,0"}, {"same.target": "0.55,0,1,0,0"}, {"same.draft": "1,7,1,0,0"},
        {"same.draft": "1,0,0,0,0"}, {"same.draft": "nan,0,1,0,0"}, {"same.way": "x"}, {"same.context": "x"},
        {"same.target": "1,0,1,0,2"},
    ],
)
def test_what_no_control_can_have_falls_back(query: dict[str, str]) -> None:
    state, problems = State.from_query(query)
    assert state == State() and len(problems) == 1


def test_an_example_fills_both_sides_and_the_way_changes_what_comes_out() -> None:
    app = press(shown("sampling_parameters"), "sampling_parameters", "grammar")
    assert app.toggle(key="figure.sampling_parameters.target.mask").value and not app.error
    menu = app.selectbox(key="figure.sampling_parameters.way.en")
    app = menu.set_value("removed_target").run()
    assert "0.100 apart" in steps(app)["steps"][2]["sentence"]
    app = app.slider(key="figure.sampling_parameters.draft.temperature").set_value(0.0).run()
    assert not app.exception and "[0.000, 0.000, 0.000, 1.000]" in steps(app)["steps"][0]["sentence"]
    assert said(app)
