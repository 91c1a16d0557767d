"""The flat layout: its rows and offsets, and which mistakes a batch can see."""
from __future__ import annotations

import re

import pytest

from grader.language import words
from lessons.figures.ragged_layout.build import TEXTS, build
from lessons.figures.ragged_layout.layout import MISTAKES, State, batch_rounds, layout, result, right, starts
from lessons.figures.stepper import Step, Stepper
from solutions.batch_cases import padded, row_by_row
from tests.lessons.figures.drawing_bounds import assert_inside

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
STATES = (
    State(), State((0,)), State((0, 0, 0, 0)), State((3, 3, 3, 3), seed=4), State((1, 3), "equal", 2), State((2, 0)),
)  # fmt: skip


def steps(state: State, language: str = "en") -> tuple[Step, ...]:
    (plot,) = build(state, words(TEXTS, language)).plots
    assert isinstance(plot, Stepper)
    return plot.steps


def test_the_worked_layout() -> None:
    rows = layout((3, 0, 1))
    assert [row.request for row in rows] == [0, 0, 0, 0, 1, 2, 2]
    assert [row.draft for row in rows] == [0, 1, 2, None, None, 3, None]
    assert starts((3, 0, 1)) == ([0, 3, 3, 4], [0, 4, 5, 7])


@pytest.mark.parametrize("state", STATES)
def test_the_right_result_is_that_of_each_request_alone(state: State) -> None:
    emitted, rounds = row_by_row(batch_rounds(state)), batch_rounds(state)
    assert [list(row) for row in right(state).tokens] == padded(emitted, rounds)
    assert list(right(state).counts) == [len(tokens) for tokens in emitted]


def test_the_rows_that_name_themselves_tell_the_layout() -> None:
    """Each token that comes out is the number of its target row."""
    due, first = right(State()), starts(State().lengths)[1]
    for request, count in enumerate(due.counts):
        assert due.tokens[request][:count] == tuple(range(first[request], first[request] + count))


def test_the_first_look_shows_every_mistake() -> None:
    assert [name for name in MISTAKES if result(State(), name) == right(State())] == []
    assert not any(result(State(), name).error for name in MISTAKES)


@pytest.mark.parametrize("seed", range(4))
def test_equal_rows_hide_every_mix_up_of_rows(seed: int) -> None:
    state = State(rows="equal", seed=seed)
    assert [name for name in MISTAKES if result(state, name) != right(state)] == ["padded_with_zero"]


def test_steps_and_sentences() -> None:
    shown = steps(State())
    assert [step.title for step in shown[:3]] == ["Draft rows", "Target rows", "What comes out"]
    assert len(shown) == 3 + len(MISTAKES)
    assert "draft rows in all: 4" in shown[0].sentence and "0, 3, 3" in shown[0].sentence
    assert "4 + 3 = 7 target rows" in shown[1].sentence and "0, 4, 5, 7" in shown[1].sentence
    assert "✕ Numbers that are wrong: 2" in shown[3].sentence
    assert "can't see this" in steps(State(rows="equal"))[3].sentence


def test_padding_that_isn_t_needed_is_not_blamed_on_equal_rows() -> None:
    last = steps(State((0,), "equal"))[-1].sentence
    assert "isn't reached" in last and "can't see this" not in last


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_state_can_be_drawn(state: State, language: str) -> None:
    for step in steps(state, language):
        assert not re.search(r"[{}]", step.sentence)
        assert_inside(step)
    assert len(build(state, EN).table) == len(layout(state.lengths))


def test_a_link_is_read_back_and_what_is_wrong_in_it_is_told() -> None:
    state = State((2, 0, 3), "equal", 9)
    query = {f"ragged.{name}": value for name, value in state.to_query().items()}
    assert State.from_query(query) == (state, [])
    for lengths in ("9", "1,2,3,1,1", "x", ""):
        read, problems = State.from_query({"ragged.lengths": lengths})
        assert read == State() and problems
