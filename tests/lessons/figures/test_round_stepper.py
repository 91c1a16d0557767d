"""The stepper through a round: it plays the reference, and no drawing contradicts its words."""
from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.language import Words, words
from lessons.figures.frame import Drawn
from lessons.figures.round_stepper.build import TEXTS, build
from lessons.figures.round_stepper.play import DRAFTS, MAX_DRAFTS, State, play
from lessons.figures.stepper import Step, Stepper
from tests.lessons.figures.drawing_bounds import assert_inside

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
states = st.builds(State, st.integers(1, MAX_DRAFTS), st.sampled_from(list(DRAFTS)), st.integers(0, 999))


def steps(drawn: Drawn) -> tuple[Step, ...]:
    (plot,) = drawn.plots
    assert isinstance(plot, Stepper)
    return plot.steps


def test_the_first_look_is_the_round_of_the_question() -> None:
    played = play(State())
    assert [place.passes for place in played.places] == [True, False, True, True]
    assert len(played.emitted) == 2


def test_steps_and_sentences_of_the_first_look() -> None:
    shown = steps(build(State(), EN))
    assert [step.title for step in shown] == [
        "The draft", "Draft token 1", "Draft token 2", "The replacement", "The cut",
    ]
    assert "“… cat dog bird dog”" in shown[0].sentence and "5 rows" in shown[0].sentence
    assert "✓ cat stays" in shown[1].sentence and "✕ dog is rejected" in shown[2].sentence
    assert "↻ cat comes out" in shown[3].sentence
    assert "begins “… cat dog”, and the text is “… cat cat” now" in shown[4].sentence
    assert "1 of 4 accepted, 2 out" in shown[4].sentence


def test_a_round_without_a_rejection_ends_with_the_bonus_token() -> None:
    seed = next(seed for seed in range(99) if not play(State(2, "close", seed)).rejected)
    last = steps(build(State(2, "close", seed), EN))[-1]
    assert last.title == "The bonus token" and "★" in last.sentence and "2 of 2 accepted, 3 out" in last.sentence


def test_a_rejection_of_the_last_token_drops_nothing() -> None:
    seed = next(seed for seed in range(99) if play(State(1, "distant", seed)).rejected)
    assert "Nothing stands behind" in steps(build(State(1, "distant", seed), EN))[-1].sentence


@settings(deadline=None, max_examples=60)
@given(states)
def test_a_longer_round_begins_like_a_shorter_one(state: State) -> None:
    long = play(State(MAX_DRAFTS, state.draft, state.seed))
    assert play(state).places == long.places[: state.drafts]


@settings(deadline=None, max_examples=60)
@given(states)
def test_the_emitted_tokens_are_the_passing_run_and_one_more(state: State) -> None:
    """The reference verifies the round; the coins that are told must agree with it."""
    played = play(state)
    assert [place.passes for place in played.places[: played.kept]] == [True] * played.kept
    assert played.emitted[: played.kept] == played.drafted[: played.kept]
    if played.rejected:
        assert not played.places[played.kept].passes
        assert played.places[played.kept].residual[played.emitted[-1]] > 0.0
    else:
        assert played.bonus[played.emitted[-1]] > 0.0


@settings(deadline=None, max_examples=40)
@given(states, st.sampled_from(["en", "zh"]))
def test_every_state_can_be_drawn(state: State, language: str) -> None:
    texts: Words = words(TEXTS, language)
    drawn = build(state, texts)
    assert len(drawn.table) == state.drafts + 1
    for step in steps(drawn):
        assert not re.search(r"[{}]", step.sentence)
        assert_inside(step)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_chips_name_what_became_of_each_token(language: str) -> None:
    texts = words(TEXTS, language)
    chips = steps(build(State(), texts))[-1].columns[0][0]
    for kind in ("accepted", "unreached"):
        assert texts(f"drawing.chip_{kind}") in chips
    assert "✕" in chips and "↻" in chips and texts("drawing.bonus_rejected") in chips


def test_the_table_is_the_round() -> None:
    played = play(State())
    table = build(State(), EN).table
    assert [row["Uniform"] for row in table] == [*(place.coin for place in played.places), played.final_draw]
    assert [row["Verdict"] for row in table] == ["✓ accepted", "✕ rejected", "· not reached", "· not reached", "drawn"]
