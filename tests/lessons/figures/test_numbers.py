"""Numbers that break: each experiment's steps say what its drawing shows, and nothing is drawn outside."""
from __future__ import annotations

import re

import pytest

from grader.language import Words, words
from lessons.figures.numbers.build import TEXTS, build
from lessons.figures.numbers.picture import scientific
from lessons.figures.numbers.state import State, usual
from lessons.figures.stepper import Stepper
from solutions.numerics.experiments import EXPERIMENTS, run
from tests.lessons.figures.drawing_bounds import assert_inside
from tests.lessons.figures.test_controls import shown, steps

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
STATES = [State(name, variant) for name, one in EXPERIMENTS.items() for variant in one.variants]


def stepper(state: State, texts: Words = EN) -> Stepper:
    (plot,) = build(state, texts).plots
    assert isinstance(plot, Stepper)
    return plot


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (0.00125, "0.00125"), (0.5, "0.5"), (6e-8, "6.0 × 10⁻⁸"), (25600.0, "25,600"),
        (1.7e9, "1.7 × 10⁹"), (1.0, "1"),
    ],
)
def test_numbers_of_every_size_can_be_read(value: float, text: str) -> None:
    assert scientific(value) == text


def test_the_question_s_answer_is_what_the_figure_finds() -> None:
    found = run("uniform", "float32", "128256", 0)
    assert found.computed is not None and found.extra is not None and 1 / 7.5 < found.extra < 1 / 5.5
    for texts in (EN, ZH):
        assert f"{found.extra:.0%}" in texts("predict.why") and f"{found.computed:.5f}" in texts("predict.why")
    assert run("uniform", "float64", "128256", 0).extra == 0.0


@pytest.mark.parametrize("texts", [EN, ZH], ids=["en", "zh"])
@pytest.mark.parametrize("state", STATES, ids=lambda state: f"{state.experiment}-{state.variant}")
def test_every_experiment_can_be_drawn(state: State, texts: Words) -> None:
    plot, sizes = stepper(state, texts), EXPERIMENTS[state.experiment].sizes
    assert len(plot.steps) == len(sizes) == len(build(state, texts).table)
    for size, step in zip(sizes, plot.steps, strict=True):
        found = run(state.experiment, state.variant, size, 0)
        said = found.raised if found.computed is None else scientific(found.computed)
        percent = found.computed is not None and f"{100 * found.computed:.3g}%" in step.sentence
        assert said in step.sentence or percent or state.variant in ("strict", "divided_last")
        assert not re.search(r"[{}]", step.sentence) and step.title in step.alt
        assert_inside(step)



def test_a_step_shows_its_size_and_those_before_only() -> None:
    drawn = [step.columns[0][0] for step in stepper(State()).steps]
    assert [svg.count("● ") for svg in drawn] == [1, 2, 3]


def test_a_sentence_says_only_what_happens_there() -> None:
    """A sum that doesn't stop has no tokens behind it; a formula isn't quoted where it can't hold."""
    first, *_, last = stepper(State("stall", "float16")).steps
    assert "without a stop" in first.sentence and "never drawn" in last.sentence
    coarse = [step.sentence for step in stepper(State("uniform", "float16")).steps]
    assert ["expect" in sentence for sentence in coarse] == [True, False, False]


def test_what_raises_is_quoted() -> None:
    first = stepper(State("zero", "here")).steps[0]
    assert "NumPy raises “Probabilities contain NaN”" in first.sentence and "error" in first.columns[0][0]


@pytest.mark.parametrize("state", [*STATES, State("half", "float16", 77)], ids=str)
def test_a_link_gives_the_state_back(state: State) -> None:
    query = {f"num.{name}": value for name, value in state.to_query().items()}
    assert State.from_query(query) == (state, [])


@pytest.mark.parametrize(
    "query",
    [{"num.experiment": "x"}, {"num.variant": "closed"}, {"num.experiment": "closed", "num.variant": "float32"}],
)
def test_what_there_is_not_falls_back(query: dict[str, str]) -> None:
    state, problems = State.from_query(query)
    assert state.variant == usual(state.experiment) and len(problems) == 1


def test_another_experiment_starts_with_a_variant_of_its_own() -> None:
    app = shown("numbers")
    assert app.selectbox(key="figure.numbers.variant.uniform.en").value == "float32"
    app = app.selectbox(key="figure.numbers.experiment.en").set_value("dropout").run()
    app = app.selectbox(key="figure.numbers.variant.dropout.en").set_value("kept").run()
    assert not app.exception and "keeps all" in steps(app)["steps"][2]["sentence"]
    app = app.selectbox(key="figure.numbers.experiment.en").set_value("zero").run()
    assert not app.exception and len(steps(app)["steps"]) == 5
