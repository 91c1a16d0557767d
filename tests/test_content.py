"""The content gate: every exercise's stub fails, its solution passes, and every known mistake is caught and named.

Rewrite the golden files of what students read with REWRITE_GOLDEN=1, and read the difference before keeping it.
"""
from __future__ import annotations

import ast
import itertools
import json
import math
import operator
import os
import random
import tomllib
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exercises.expect import Mismatch, Text, is_array, is_number, parameters
from grader.catalogue import BLANK, ROOT, Check, Exercise, Functions, Mistake, exercise_ids, load, points
from grader.known_mistakes import match, probed, solution_blanks, wrong_functions
from grader.reading.pairing import is_blank
from lessons.figures.registry import DRIVEN_BY_A_RULE
from solutions.cases import Probe

HERE = Path(__file__).parent
SEEDS = (1, 2, 3)
EXERCISES = [load(name) for name in exercise_ids()]
CASES = [(exercise, mistake) for exercise in EXERCISES for mistake in exercise.mistakes]

each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
each_mistake = pytest.mark.parametrize(
    ("exercise", "mistake"), CASES, ids=[f"{exercise.id}-{mistake.id}" for exercise, mistake in CASES]
)


class StudentError(Exception):
    """What the student's own function raised; any other exception out of a check is a fault of the check."""


def student(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with what it raises marked as its own."""

    def called(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception as error:
            raise StudentError(f"{type(error).__name__}: {error}") from error

    called.__name__ = function.__name__
    called.parameters = parameters(function)  # type: ignore[attr-defined]
    return called


def failure(check: Check, answer: Functions, seed: int = 1) -> Exception | None:
    """How the check fails on the answer, None where it passes."""
    try:
        check.run({name: student(function) for name, function in answer.items()}, random.Random(seed))
    except (Mismatch, StudentError) as failed:
        return failed
    return None


def failing(exercise: Exercise, answer: Functions, seed: int = 1) -> list[str]:
    return [check.id for check in exercise.checks if failure(check, answer, seed)]


def written(exercise: Exercise, blanks: dict[str, str], preamble: str = "") -> Functions:
    """The functions of an answer with these blanks."""
    space: dict[str, Any] = {"__name__": "answer"}
    exec(exercise.fill(blanks, preamble), space)
    return {name: space[name] for name in exercise.functions}


def has_one_blank_a_line(exercise: Exercise) -> bool:
    """An exercise of one function whose blanks are expressions: without any of them there is no answer at all."""
    return len(exercise.functions) == 1 and not any(line.strip() == BLANK for line in exercise.stub.splitlines())


def other_answers(exercise: Exercise, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((HERE / "solutions/answers" / f"{exercise.id}.toml").read_text())[kind]
    return found


def test_there_is_an_exercise() -> None:
    assert EXERCISES


@each_exercise
def test_every_check_fails_on_the_stub(exercise: Exercise) -> None:
    assert failing(exercise, written(exercise, {})) == [check.id for check in exercise.checks]


@each_exercise
def test_visible_checks_need_each_blank(exercise: Exercise) -> None:
    """Every one of them, where the blanks are parts of one function's only way; else at least one needs it."""
    enough = all if has_one_blank_a_line(exercise) else any
    right = solution_blanks(exercise)
    for name in right:
        open_one = written(exercise, {other: text for other, text in right.items() if other != name})
        assert enough(failure(check, open_one) for check in exercise.visible), name


@each_exercise
@pytest.mark.parametrize("seed", range(25))
def test_the_solution_passes(exercise: Exercise, seed: int) -> None:
    assert failing(exercise, exercise.solutions, seed) == []


@each_exercise
def test_the_solution_is_the_stub_with_its_blanks_filled(exercise: Exercise) -> None:
    assert exercise.fill(solution_blanks(exercise)) == exercise.solution_source
    assert exercise.stub.count(BLANK) == len(exercise.blank_ids)


@each_exercise
def test_blanks_of_statements_are_kept_apart_by_a_locked_line(exercise: Exercise) -> None:
    """Without one the first blank would take the statements of both."""
    for node in ast.walk(ast.parse(exercise.stub)):
        bodies = (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
        for body in (one for one in bodies if isinstance(one, list)):
            blanks = [isinstance(one, ast.Expr) and is_blank(one.value) for one in body]
            assert not any(map(operator.and_, blanks, blanks[1:]))


@each_exercise
@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_written_differently_pass(exercise: Exercise, seed: int) -> None:
    answers = other_answers(exercise, "right")
    assert len(answers) >= 6
    for answer in answers:
        functions = written(exercise, answer["blanks"], answer.get("preamble", ""))
        assert failing(exercise, functions, seed) == [], answer["why"]
        assert match(exercise, functions) == (), answer["why"]


@each_exercise
def test_answers_that_repeat_the_visible_numbers_fail_a_hidden_check(exercise: Exercise) -> None:
    for answer in other_answers(exercise, "hard_coded"):
        functions = written(exercise, answer["blanks"], answer.get("preamble", ""))
        assert not any(failure(check, functions) for check in exercise.visible), answer["why"]
        assert failing(exercise, functions), answer["why"]


@each_exercise
def test_other_wrong_answers_fail_just_the_checks_that_are_listed(exercise: Exercise) -> None:
    for answer in other_answers(exercise, "wrong"):
        functions = written(exercise, answer["blanks"], answer.get("preamble", ""))
        assert failing(exercise, functions) == answer["fails"], answer["why"]


@each_exercise
def test_every_check_catches_something(exercise: Exercise) -> None:
    answers: list[Functions] = [wrong_functions(exercise, mistake) for mistake in exercise.mistakes]
    answers += [written(exercise, one["blanks"], one.get("preamble", "")) for one in other_answers(exercise, "wrong")]
    caught = {check for answer in answers for check in failing(exercise, answer)}
    assert caught == {check.id for check in exercise.checks}


@each_mistake
def test_every_mistake_fails_a_hidden_check_at_every_seed(exercise: Exercise, mistake: Mistake) -> None:
    functions = wrong_functions(exercise, mistake)
    hidden = [check for check in exercise.checks if not check.visible]
    for seed in SEEDS:
        assert any(failure(check, functions, seed) for check in hidden)


@each_mistake
def test_every_mistake_is_recognised_as_itself(exercise: Exercise, mistake: Mistake) -> None:
    assert [found.id for found in match(exercise, wrong_functions(exercise, mistake))] == [mistake.id]


@each_exercise
def test_mistakes_behave_differently_by_far(exercise: Exercise) -> None:
    """Further apart than any tolerance of the matching, so that rounding never decides which message a student gets."""
    answers = {mistake.id: wrong_functions(exercise, mistake) for mistake in exercise.mistakes}
    answers["solution"] = exercise.solutions
    behaviours = {name: [tried(answer, probe) for probe in exercise.probes] for name, answer in answers.items()}
    for one, other in itertools.combinations(behaviours, 2):
        assert any(map(far_apart, behaviours[one], behaviours[other])), f"{one} and {other} look alike on the probes"


@each_exercise
def test_a_check_meets_any_value_with_a_mismatch(exercise: Exercise) -> None:
    """Whatever an answer returns, a check passes or fails by a Mismatch that can be shown; it never breaks."""
    for value in awkward_values(exercise):
        answer = dict.fromkeys(exercise.functions, lambda *arguments, value=value, **named: value)
        failures = [failure(check, answer) for check in exercise.checks]
        assert any(failures), "a value that every check accepts"
        assert all(failed is None or isinstance(failed, Mismatch) for failed in failures)
        assert all(len(str(failed)) < 5000 for failed in failures)


@each_exercise
def test_an_answer_that_returns_nothing_passes_no_check(exercise: Exercise) -> None:
    nothing = dict.fromkeys(exercise.functions, lambda *arguments, **named: None)
    assert failing(exercise, nothing) == [check.id for check in exercise.checks]


@each_exercise
def test_students_read_both_languages(exercise: Exercise) -> None:
    for text in student_texts(exercise):
        assert text.en.strip() and text.zh.strip(), text
        assert any("\u4e00" <= letter <= "\u9fff" for letter in text.zh), text
        assert not any("\u4e00" <= letter <= "\u9fff" for letter in text.en), text


@each_exercise
def test_hints_points_and_names(exercise: Exercise) -> None:
    assert 1 <= len(exercise.hints) <= 3
    assert all(check.points > 0 for check in exercise.checks)
    assert exercise.points % 5 == 0 and points(exercise.id) == exercise.points
    assert 1 <= exercise.difficulty <= 5 and exercise.minutes > 0
    assert len({mistake.id for mistake in exercise.mistakes}) == len(exercise.mistakes) >= 12
    assert len({mistake.name for mistake in exercise.mistakes}) == len(exercise.mistakes)
    assert len({check.id for check in exercise.checks}) == len(exercise.checks)
    assert all(set(mistake.blanks) <= set(exercise.blank_ids) for mistake in exercise.mistakes)


@each_exercise
def test_nothing_handed_out_gives_the_answer_away(exercise: Exercise) -> None:
    files = [path for path in (ROOT / "exercises" / exercise.id).iterdir() if path.is_file()]
    squeezed = "".join("".join(path.read_text("utf-8").split()) for path in files)
    for text in solution_blanks(exercise).values():
        assert "".join(text.split()) not in squeezed


@each_exercise
def test_ideas_of_hidden_checks_give_no_numbers(exercise: Exercise) -> None:
    for check in exercise.checks:
        if not check.visible:
            assert not any(letter.isdigit() for letter in check.idea.en.replace("0 and 1", "")), check.id


@each_exercise
def test_messages_are_those_of_the_golden_file(exercise: Exercise) -> None:
    golden = HERE / "golden" / f"{exercise.id}.json"
    messages = {mistake.id: told(exercise, mistake) for mistake in exercise.mistakes}
    if os.environ.get("REWRITE_GOLDEN"):
        golden.write_text(json.dumps(messages, ensure_ascii=False, indent=1) + "\n", "utf-8")
    assert messages == json.loads(golden.read_text("utf-8"))


def told(exercise: Exercise, mistake: Mistake) -> dict[str, Any]:
    """What a student who made the mistake reads."""
    functions = wrong_functions(exercise, mistake)
    failures = {check.id: failure(check, functions) for check in exercise.visible}
    return {
        "name": mistake.name._asdict(),
        "message": mistake.message._asdict(),
        "visible": {name: shown(failed) for name, failed in failures.items() if failed},
        "hidden": [check.id for check in exercise.checks if not check.visible and failure(check, functions)],
    }


def shown(failed: Exception) -> dict[str, Any]:
    if isinstance(failed, Mismatch):
        parts = {"called": failed.called, "returned": failed.returned, "expected": failed.expected}
        return parts | {"why": failed.why._asdict()}
    return {"error": str(failed)}


def student_texts(exercise: Exercise) -> Iterator[Text]:
    yield from (exercise.title, exercise.prompt, exercise.answer, *exercise.hints, *exercise.blank_labels)
    for check in exercise.checks:
        yield from (check.title, check.idea)
    for mistake in exercise.mistakes:
        yield from (mistake.name, mistake.message)
    for seed in SEEDS:
        variant = exercise.variants.make(seed)
        yield from (variant.question, *variant.fields.values())
        yield from (message for _, _, message in variant.judge({}))


def tried(answer: Functions, probe: Probe | tuple[Any, ...]) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return probed(answer, probe)
    except Exception as error:
        return type(error).__name__


def far_apart(one: Any, other: Any) -> bool:
    if is_array(one) or is_array(other):
        return far_apart(*(value.tolist() if is_array(value) else value for value in (one, other)))
    if is_number(one) and is_number(other):
        return not (one == other or abs(one - other) <= 1e-3)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and len(one) == len(other):
        return any(map(far_apart, one, other))
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return any(far_apart(one[key], other[key]) for key in one)
    return bool(one != other)


def awkward_values(exercise: Exercise) -> list[Any]:
    """Values that no honest answer returns."""
    nan, infinity = float("nan"), float("inf")
    single = [None, True, 7, 10**5000, nan, "ab", b"x", {}, {"a": 1}, set(), object(), 1j, [], (), np.array([1.0])]
    halves = [None, True, nan, infinity, -infinity, 10**400, 10**5000, "x", [], [[]], {}, [None], [nan], np.ones(2)]
    tensors = awkward_tensors() if "torch" in exercise.preload else []
    several = [(1.0,), (1.0, [1.0], 2.0), *itertools.product(halves, repeat=2)]
    return [*single, *awkward_arrays(), *tensors, *several]


def awkward_arrays() -> list[Any]:
    """Arrays of the wrong number format or shape, and with no numbers in them; alone and in a list."""
    values = (2.5, True, [], [[]], [True], ["a"], [None], [1j], [np.nan], [[1.0, np.inf]])
    numbers = [np.array(value) for value in values]
    empty = [np.zeros((0, 3)), np.zeros((3, 0), np.float32), np.zeros((2, 3, 4), np.float16), np.ones(5, np.int8)]
    return [*numbers, *empty, [np.ones(2)], [np.array(1), np.ones(3)], (np.zeros((2, 2)), np.array([-1, 7]))]


def awkward_tensors() -> list[Any]:
    import torch

    numbers = [torch.tensor(value) for value in (2.5, 3, True, [], [[]], [True], [1j], [math.nan], [[1.0, math.inf]])]
    formats = [torch.ones(3, dtype=kind) for kind in (torch.bfloat16, torch.float16, torch.int8, torch.int32)]
    return [*numbers, *formats, [torch.ones(2)], [torch.tensor([3])], torch.ones(3).to_sparse(), torch.empty(0, 3)]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_the_figure_that_the_exercise_names_can_be_driven_by_a_rule(exercise: Exercise) -> None:
    assert exercise.figure in {"", *DRIVEN_BY_A_RULE}
