"""Blanks for statements from end to end: filled, handed out, judged in isolation, known mistakes named."""
from __future__ import annotations

import ast
from typing import Any

import pytest

from grader import notebooks
from grader.catalogue import BLANK
from grader.judge import Judge
from grader.known_mistakes import solution_blanks
from grader.reading.files import Cell, Submission
from grader.verdicts import Report, Verdict
from tests.grader.small_exercises import (
    HUNT,
    HUNT_START,
    TOTAL,
    TOTAL_STUB,
    hunt_exercise,
    put_into_catalogue,
    total_exercise,
)


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    put_into_catalogue(monkeypatch, hunt_exercise(), total_exercise())


def written(*sources: str) -> Submission:
    return Submission(tuple(Cell(source, "code", None, None, at) for at, source in enumerate(sources)), ())


def verdicts(report: Report) -> list[str]:
    return [str(check.verdict) for check in report.checks]


# Filling


@pytest.mark.parametrize("exercise", [total_exercise(), hunt_exercise()])
def test_the_solution_is_the_stub_with_its_blanks_filled(exercise: Any) -> None:
    right = solution_blanks(exercise)
    assert right == (TOTAL if exercise.id == "total" else HUNT)
    assert exercise.fill(right) == exercise.solution_source
    assert exercise.fill({}) == exercise.stub


@pytest.mark.parametrize(
    "text",
    [
        TOTAL["add"],
        f"\n\n{TOTAL['add']}\n\n",
        "        square = value * value\n        result += square",
        "square = value * value\n        result += square",  # as it stands in the stub
        "\tsquare = value * value\n\tresult += square\n",
    ],
)
def test_statements_may_be_given_at_any_indentation(text: str) -> None:
    assert total_exercise().fill(TOTAL | {"add": text}) == total_exercise().solution_source


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("if value:\n  result += 1\nelse:\n  pass", "if value:\n          result += 1\n        else:\n          pass"),
        ("for x in y:\n        a()\n    b()", "for x in y:\n            a()\n        b()"),
        ('x = """\n a\nb"""\ny = 1', 'x = """\n a\nb"""\n        y = 1'),
        ("x = [\n1,\n]\ny = 1", "x = [\n        1,\n        ]\n        y = 1"),
        ("x = (1\ny = 2", "x = (1\n        y = 2"),  # broken all the same
        ("# later", f"# later\n        {BLANK}"),
        ("  # one\n\n  # two\n", f"# one\n\n        # two\n        {BLANK}"),
        ("", BLANK),
    ],
)
def test_what_stands_in_the_blank(text: str, wanted: str) -> None:
    assert f"    for value in values:\n        {wanted}\n    return" in total_exercise().fill(TOTAL | {"add": text})


def test_the_start_text_is_handed_out_and_the_stub_keeps_its_blank() -> None:
    exercise = hunt_exercise()
    assert exercise.starts == {"body": HUNT_START} and exercise.stub.count(BLANK) == 1
    assert exercise.handed_out == exercise.solution_source.replace(">=", ">")
    answer = notebooks._answer(exercise)
    assert HUNT_START.replace("\n", "\n    ") in answer.source and BLANK not in answer.source
    ast.parse(answer.source)


# Judging


@pytest.mark.parametrize(("exercise", "right"), [(total_exercise(), TOTAL), (hunt_exercise(), HUNT)])
def test_right_statements_pass(judge: Judge, exercise: Any, right: dict[str, str]) -> None:
    report = judge.judge_blanks(exercise, right, hidden=True, seed=1)
    assert report.passed and report.blanks == right
    file = judge.judge(exercise, written(exercise.fill(right)), hidden=True, seed=1)
    assert file.passed and file.blanks == right


@pytest.mark.parametrize("text", ["", "# nothing", "pass", "..."])
def test_no_statement_is_missing(judge: Judge, text: str) -> None:
    report = judge.judge_blanks(hunt_exercise(), {"body": text}, hidden=True, seed=1)
    assert report.verdict is Verdict.MISSING and "blank 1" in report.notes[-1].en


def test_the_start_text_is_missing_on_the_page_and_in_the_notebook(judge: Judge) -> None:
    exercise = hunt_exercise()
    for text in (HUNT_START, f"# I looked\n{HUNT_START}  # here"):
        assert judge.judge_blanks(exercise, {"body": text}, hidden=True, seed=1).verdict is Verdict.MISSING
    assert judge.judge(exercise, written(exercise.handed_out), hidden=True, seed=1).verdict is Verdict.MISSING


def test_a_known_mistake_in_statements_is_named(judge: Judge) -> None:
    text = "return sum(item > 0 for item in items)"
    report = judge.judge_blanks(hunt_exercise(), {"body": text}, hidden=True, seed=1)
    assert [name for name, _ in report.mistakes] == ["as_found"]


def test_a_broken_statement_is_an_error_with_its_line(judge: Judge) -> None:
    report = judge.judge_blanks(hunt_exercise(), {"body": "return 1 +"}, hidden=False, seed=1)
    assert report.verdict is Verdict.ERROR and report.checks[0].line == "return 1 +"
    part = judge.judge_blanks(total_exercise(), TOTAL | {"add": "result += value *"}, hidden=False, seed=1)
    assert part.verdict is Verdict.ERROR and "invalid syntax: result += value *" in part.checks[0].returned


def test_a_changed_signature_is_told_and_the_function_as_written_counts(judge: Judge) -> None:
    own = "def hunt(items, least=0):\n    return sum(item >= least for item in items)\n"
    report = judge.judge(hunt_exercise(), written(own), hidden=True, seed=1)
    assert report.passed and report.blanks == {}
    unused = own.replace(", least=0", ", *more").replace("least", "0")
    kept = judge.judge(hunt_exercise(), written(unused), hidden=True, seed=1)
    assert kept.passed and kept.blanks == {"body": "return sum(item >= 0 for item in items)"}
    assert any("outside the blanks" in note.en for note in kept.notes)


def test_one_of_two_functions_is_judged_without_the_other(judge: Judge) -> None:
    exercise = total_exercise()
    head, tail = exercise.solution_source.split("def mean")
    report = judge.judge(exercise, written(head), hidden=True, seed=1)
    assert verdicts(report) == ["pass", "pass"] and report.blanks == {"add": TOTAL["add"]}
    assert any("No function mean" in note.en for note in report.notes)
    other = judge.judge(exercise, written("def mean" + tail), hidden=True, seed=1)
    assert verdicts(other) == ["error", "error"] and other.earned == 0
    assert "NotImplementedError" in other.checks[0].returned and "total is not filled in" in other.checks[0].returned
    assert judge.judge(exercise, written(TOTAL_STUB), hidden=True, seed=1).verdict is Verdict.MISSING
