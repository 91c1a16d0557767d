"""Wrong answers are recognised by what they do, alone and in pairs; right and unknown ones are not accused."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.catalogue import ContentError, Exercise
from grader.judge import Judge
from grader.known_mistakes import Seen, behaviour, match, same, solution_blanks, wrong_blanks
from grader.proxy import StudentFailure
from grader.verdicts import Verdict


def function(exercise: Exercise, blanks: dict[str, str]) -> Callable[..., Any]:
    space: dict[str, Any] = {}
    exec(exercise.fill(blanks), space)
    made: Callable[..., Any] = space[exercise.id]
    return made


def test_every_known_mistake_is_named_as_itself(exercise: Exercise, right: dict[str, str]) -> None:
    for mistake in exercise.mistakes:
        if not mistake.preamble:
            found = match(exercise, function(exercise, right | mistake.blanks))
            assert [one.id for one in found] == [mistake.id]


def test_another_spelling_of_a_mistake_is_the_same_mistake(judge: Judge, exercise: Exercise, right: Any) -> None:
    report = judge.judge_blanks(exercise, right | {"residual": "(lambda a: a)(p)"}, hidden=True, seed=1)
    plain = judge.judge_blanks(exercise, right | {"residual": "p"}, hidden=True, seed=1)
    assert len(report.mistakes) == 1 and report.mistakes == plain.mistakes


def test_two_mistakes_in_two_blanks_are_both_named(judge: Judge, exercise: Exercise, right: dict[str, str]) -> None:
    accept = next(one for one in exercise.mistakes if wrong_blanks(one, solution_blanks(exercise)) == {"accept"})
    residual = next(one for one in exercise.mistakes if wrong_blanks(one, solution_blanks(exercise)) == {"residual"})
    blanks = right | accept.blanks | {"residual": residual.blanks["residual"]}
    report = judge.judge_blanks(exercise, blanks, hidden=True, seed=1)
    assert {key for key, _ in report.mistakes} == {accept.id, residual.id}


def test_right_and_unknown_answers_match_nothing(exercise: Exercise, right: dict[str, str]) -> None:
    assert match(exercise, function(exercise, right)) == ()
    assert match(exercise, function(exercise, right | {"accept": "0.123456"})) == ()


def test_a_known_mistake_is_named_beside_an_unknown_one(exercise: Exercise, right: dict[str, str]) -> None:
    found = match(exercise, function(exercise, right | {"accept": "0.123456", "residual": "p"}))
    assert [mistake.id for mistake in found] == ["residual_is_target"]


def test_an_answer_that_fails_with_right_values_is_not_accused(
    judge: Judge, exercise: Exercise, right: dict[str, str]
) -> None:
    changing = "target_probs.append(0.0) or min(1.0, target_probs[draft_token] / qx)"  # zip stops at the shorter list
    report = judge.judge_blanks(exercise, right | {"accept": changing}, hidden=True, seed=1)
    assert not report.passed and report.mistakes == ()


def test_a_right_answer_is_never_told_of_a_mistake(judge: Judge, exercise: Exercise, right: dict[str, str]) -> None:
    assert judge.judge_blanks(exercise, right, hidden=True, seed=1).mistakes == ()


def test_a_probe_that_never_ends_matches_nothing() -> None:
    def slow(*_: Any) -> None:
        raise StudentFailure(Verdict.TIMEOUT)

    assert behaviour(slow, ((1,), (2,))) is None


def test_probes_are_handed_out_as_copies() -> None:
    probe = ([1, 2],)
    assert behaviour(lambda values: values.pop(), (probe, probe)) == (Seen(2), Seen(2))


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (1.0, 1, True), (0.1 + 0.2, 0.3, True), (1.0, 1.0001, False), (float("nan"), float("nan"), True),
        (float("nan"), 1.0, False), (float("inf"), float("inf"), True), (10**400, 10**400, True), (10**400, 1.0, False),
        (True, 1, False), ([1, 2], (1.0, 2.0), True), ([1], [1, 2], False), ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1}, {"b": 1}, False), ("1", 1, False), (None, None, True), (np.float64(0.5), 0.5, True),
        (np.array([1.0, 2.0]), [1, 2], True), (np.array([1.0]), np.array([2.0]), False), (1j, 1j, True),
    ],
)  # fmt: skip
def test_what_counts_as_the_same_value(one: Any, other: Any, alike: bool) -> None:
    assert same(one, other) is alike and same(other, one) is alike


def test_the_solutions_blanks_are_read_off_it(exercise: Exercise, right: dict[str, str]) -> None:
    assert solution_blanks(exercise) == right


def test_a_solution_that_is_not_the_filled_stub_is_a_content_error(exercise: Exercise) -> None:
    with pytest.raises(ContentError, match="rejection_rule"):
        solution_blanks(dataclasses.replace(exercise, solution_source="def other(): pass"))
