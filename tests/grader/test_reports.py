"""The gradebook's cells, the summary, and the words of the judge."""
from __future__ import annotations

import json
from typing import Any

import pytest

from grader.catalogue import Exercise
from grader.plain import printable
from grader.reports.gradebook import gradebook, number, summary
from grader.reports.rows import Marked, Row, row_from_json
from grader.verdicts import Verdict
from grader.wording import both


def mark(points: float | None, possible: float = 4, verdict: str = "pass", reason: str = "") -> Marked:
    return Marked(verdict, points, possible, reason, (), {})


@pytest.mark.parametrize(
    ("points", "cell"), [(None, ""), (0.0, "0"), (20.0, "20"), (2.5, "2.5"), (1 / 3, "0.333333"), (1e7, "10000000")]
)
def test_points_are_plain_numbers_and_undecided_is_no_zero(points: float | None, cell: str) -> None:
    assert number(points) == cell


def test_several_exercises_have_a_column_each_and_max_counts_what_anyone_handed_in() -> None:
    rows = [
        Row("b", "b", {"one": mark(4), "two": mark(1, verdict="fail")}),
        Row("a", "a", {"one": mark(3)}),
        Row("c", "c", {"one": mark(4), "two": mark(None, reason="blank 1 is open", verdict="missing")}),
    ]
    assert gradebook(rows, {"one": 4, "two": 4, "three": 9}).splitlines() == [
        "learner,one,two,three,total,max,status",
        "a,3,,,3,8,pass; not handed in: two",
        "b,4,1,,5,8,one: pass; two: fail",
        "c,4,,,,8,needs a person: blank 1 is open",
    ]


def test_the_summary_counts_in_how_many_answers_a_kind_of_thing_was_noticed() -> None:
    noticed = Marked("pass", 4, 4, "", (), {}, ("own_comparison", "exited"))
    other = Marked("fail", 1, 4, "", (), {}, ("exited",))
    rows = [Row("a", "a", {"one": noticed}), Row("b", "b", {"one": other, "two": mark(4)})]
    counted = json.loads(summary(rows, {}))["exercises"]
    assert counted["one"]["flags"] == {"exited": 2, "own_comparison": 1} and counted["two"]["flags"] == {}


def test_a_row_survives_its_own_json() -> None:
    row = Row("名", "stem", {"one": Marked("fail", 1.5, 4, "", ("no_min",), {"check": "fail"})}, "reason", "missing")
    assert row_from_json(row.as_json()) == row


def test_every_verdict_has_its_words_and_every_bad_end_its_reason() -> None:
    for verdict in Verdict:
        assert both(f"verdict.{verdict}").zh
    for verdict in set(Verdict) - {Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.MISSING, Verdict.UNREADABLE}:
        assert both(f"why.{verdict}", call=1, cpu=1, answer=1, memory=1, output=1).zh


def test_control_characters_are_shown_not_obeyed() -> None:
    assert printable("a\x1b[2J\r\n\u202e\ud800é中", keep="\n") == "a\\x1b[2J\\r\n\\u202e\\ud800é中"


def test_gradebook_of_nothing_counts_the_whole_course(exercise: Exercise) -> None:
    empty: list[Any] = [Row("a", "a", {}, "no file", "missing")]
    assert gradebook(empty, {exercise.id: 20}).splitlines()[1] == "a,,,20,needs a person: no file"
