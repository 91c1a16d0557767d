"""One step of the rule, drawn: the worked case number by number, and that no drawing contradicts its words."""
from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.language import words
from lessons.figures.accept_dart.build import TEXTS, State, build, happen
from lessons.figures.distributions import EXAMPLES, Pair
from lessons.figures.frame import Drawn
from lessons.figures.stepper import Stepper
from solutions.law import one_step_law
from solutions.rejection_rule.solution import rejection_rule
from tests.lessons.figures.drawing_bounds import assert_inside
from tests.lessons.figures.random_pairs import pairs

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
REJECTED = State(token=1, u=0.7, seed=1)


def stepper(drawn: Drawn) -> Stepper:
    (plot,) = drawn.plots
    assert isinstance(plot, Stepper)
    return plot


def test_the_worked_case_rejected() -> None:
    drawn = build(REJECTED, EN)
    steps = stepper(drawn).steps
    assert [step.title for step in steps] == [
        "Two distributions", "The draft token", "The threshold", "The coin", "The residual", "The replacement",
    ]
    assert "0.300/0.600 = 0.500" in steps[2].sentence
    assert "u = 0.700 is not below 0.500 (u × draft = 0.420 is not below target = 0.300)" in steps[3].sentence
    assert "[1.000, 0.000]" in steps[4].sentence
    assert "↻ cat comes out" in steps[5].sentence


def test_the_worked_case_accepted() -> None:
    steps = stepper(build(State(token=1, u=0.25), EN)).steps
    assert len(steps) == 4
    assert "u × draft = 0.150 is below target = 0.300" in steps[3].sentence and "✓ dog is accepted" in steps[3].sentence


def test_a_token_that_draft_underrates_always_stays() -> None:
    steps = stepper(build(State(token=0, u=0.999), EN)).steps
    assert len(steps) == 4 and "always stays: the threshold is 1.000" in steps[2].sentence


def test_u_at_the_threshold_is_rejected() -> None:
    assert not happen(State(token=1, u=0.5)).accepted
    assert happen(State(token=1, u=float(np.nextafter(0.5, 0.0)))).accepted


def test_a_token_that_target_excludes_is_rejected_even_at_u_zero() -> None:
    happened = happen(State(EXAMPLES["disjoint"], token=2, u=0.0))
    assert not happened.accepted and happened.emitted in (0, 1)


def test_equal_distributions_are_never_rejected() -> None:
    for seed in range(50):
        assert happen(State(EXAMPLES["identical"], seed=seed)).accepted


def test_the_first_look_shows_a_rejection() -> None:
    assert not happen(State()).accepted


def test_the_alt_sentence_states_the_facts() -> None:
    drawn = build(REJECTED, EN)
    for fact in ("[0.700, 0.300]", "[0.400, 0.600]", "0.700 in all", "✕ dog is rejected", "↻ cat"):
        assert fact in drawn.alt
    assert all(step.sentence in step.alt for step in stepper(drawn).steps)


def test_the_table_is_the_rule() -> None:
    rows = build(REJECTED, EN).table
    target, draft = [0.7, 0.3], [0.4, 0.6]
    accepted = one_step_law(target, draft, rejection_rule).accepted  # type: ignore[arg-type]
    for token, row in enumerate(rows):
        assert row["Target"] == target[token] and row["Draft"] == draft[token]
        assert row["Accept probability"] == rejection_rule(target, draft, token)[0]
        assert row["Shared (accepted)"] == accepted[token]
        assert row["Residual"] == rejection_rule(target, draft, 1)[1][token]


def test_a_token_that_cannot_be_drafted_has_no_accept_probability() -> None:
    assert [row["Accept probability"] for row in build(State(EXAMPLES["disjoint"]), EN).table] == [None, None, 0.0, 0.0]


def test_the_verdict_and_its_inequality_agree_where_division_rounds() -> None:
    """0.07 / 0.08 rounds to just above 0.875: only the multiplied form says what the sentence shows."""
    state = State(Pair((0.07, 0.93), (0.08, 0.92)), token=0, u=0.875)
    assert not happen(state).accepted
    assert "(u × draft = 0.070 is not below target = 0.070)" in stepper(build(state, EN)).steps[3].sentence


def test_the_draws_follow_the_law() -> None:
    """Hoeffding: with 20,000 seeds a frequency strays by 0.0191 or more with a probability below 1e-6."""
    emitted = [happen(State(seed=seed)).emitted for seed in range(20_000)]
    assert abs(emitted.count(0) / len(emitted) - 0.7) < 0.0191


@settings(deadline=None)
@given(pairs, st.integers(0, 10_000), st.sampled_from([EN, ZH]))
def test_every_draw_can_be_drawn(pair: Pair, seed: int, language: object) -> None:
    texts = EN if language is EN else ZH
    happened = happen(State(pair, seed=seed))
    steps = stepper(build(State(pair, seed=seed), texts)).steps
    assert pair.target[happened.emitted] > 0.0
    assert len(steps) == (4 if happened.accepted else 6)
    for step in steps:
        assert_inside(step)
