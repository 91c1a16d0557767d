"""The timeline: what its rounds emit and cost, and that no drawing contradicts its words."""
from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.language import words
from lessons.figures.frame import Drawn
from lessons.figures.stepper import Stepper
from lessons.figures.timeline.build import TEXTS, bill, build
from lessons.figures.timeline.simulate import KINDS, LONG_RUN, MAX_DRAFTS, ROUNDS, State, accepted, rounds
from solutions.expected_tokens.solution import expected_tokens, speedup
from tests.lessons.figures.drawing_bounds import assert_inside

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
shares = st.integers(0, 100).map(lambda percent: percent / 100)
states = st.builds(State, st.integers(1, MAX_DRAFTS), shares, shares, shares, st.integers(0, 99))


def stepper(drawn: Drawn) -> Stepper:
    (plot,) = drawn.plots
    assert isinstance(plot, Stepper)
    return plot


def test_the_accepted_run_ends_at_the_first_rejection() -> None:
    assert accepted([0.1, 0.2, 0.9, 0.1], 0.7) == 2
    assert accepted([0.1, 0.2], 0.7) == 2
    assert accepted([0.7], 0.7) == 0, "the coin's comparison is strict"
    assert accepted([0.0], 0.0) == 0
    assert accepted([], 0.7) == 0


def test_the_first_look_shows_all_three_endings() -> None:
    assert [one.accepted for one in rounds(State())] == [1, 0, 4, 2]


def test_the_worked_bill() -> None:
    """11 tokens; 4 rounds of 4 x 0.1 + 1 each."""
    total = bill(State())
    assert total.tokens == 11 and total.time == pytest.approx(5.6)
    assert total.speed == pytest.approx(11 / 5.6)


def test_the_question_s_answer_is_what_the_rounds_give() -> None:
    total = bill(State(alpha=0.0))
    assert total.tokens == ROUNDS and total.time / total.tokens == pytest.approx(1.4)
    assert f"{total.time / total.tokens:g} times" in EN("predict.option_longer")


def test_rows_that_cost_as_much_as_the_first_leave_no_gain() -> None:
    total = bill(State(alpha=1.0, draft_cost=0.0, row_cost=1.0))
    assert total.speed == pytest.approx(1.0)
    assert "no difference" in build(State(alpha=1.0, draft_cost=0.0, row_cost=1.0), EN).alt


@pytest.mark.parametrize("state", [*KINDS.values(), State(drafts=8, alpha=0.9)])
def test_the_long_run_is_near_the_exact_mean(state: State) -> None:
    """Five standard errors; the seeds are fixed."""
    exact = expected_tokens(state.alpha, state.drafts)
    assert bill(state).mean_tokens == pytest.approx(exact, abs=0.2)
    assert bill(state).mean_speed == pytest.approx(speedup(state.alpha, state.drafts, state.draft_cost), abs=0.2)


def test_every_draft_accepted_emits_one_more_than_was_drafted() -> None:
    assert all(one.emitted == 5 for one in rounds(State(alpha=1.0)))


def test_steps_and_sentences() -> None:
    steps = stepper(build(State(), EN)).steps
    assert [step.title for step in steps] == [
        "Plain decoding", "Round 1", "Round 2", "Round 3", "Round 4", "The bill",
    ]
    assert "11 tokens take 11 passes" in steps[0].sentence
    assert "gives 5 rows. ✓ 1 accepted, the next ✕ rejected and ↻ replaced: 2 tokens in 1.4." in steps[1].sentence
    assert "✕ The first draft token is rejected" in steps[2].sentence and "1 token in 1.4." in steps[2].sentence
    assert "★ bonus token: 5 tokens in 1.4." in steps[3].sentence
    assert "4 rounds: 11 tokens in 5.6, 1.96 times the speed" in steps[5].sentence and "(faster)" in steps[5].sentence


def test_a_slow_draft_is_called_slower() -> None:
    assert "(slower)" in build(KINDS["slow"], EN).alt


def test_the_texts_name_the_long_run() -> None:
    assert all(f"{LONG_RUN:,}" in texts("drawing.cost_many") for texts in (EN, ZH))


def test_the_table_adds_up() -> None:
    *played, total, plain = build(State(), EN).table
    for heading in ("Accepted", "Tokens out", "Drafting", "Target passes", "Time"):
        assert sum(row[heading] for row in played) == pytest.approx(total[heading])  # type: ignore[misc]
    assert plain["Time"] == plain["Tokens out"] == total["Tokens out"]


@settings(deadline=None, max_examples=60)
@given(states, st.sampled_from([EN, ZH]))
def test_every_state_can_be_drawn(state: State, texts: object) -> None:
    steps = stepper(build(state, EN if texts is EN else ZH)).steps
    assert len(steps) == ROUNDS + 2
    for step in steps:
        assert not re.search(r"[{}]", step.sentence)
        assert_inside(step)



@settings(deadline=None)
@given(states)
def test_rounds_follow_each_other_without_gaps(state: State) -> None:
    played = rounds(state)
    assert played[0].begins == 0.0
    for one, after in itertools.pairwise(played):
        assert after.begins == one.ends
    assert all(1 <= one.emitted <= state.drafts + 1 for one in played)
