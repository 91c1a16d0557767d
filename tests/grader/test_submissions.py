"""The folder of awkward submissions, graded as an instructor would: every file is judged as its list says."""
from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from grader.batch import BatchResult, grade_folder
from grader.catalogue import load
from grader.judge import Judge
from grader.reports.rows import Row

FOLDER = Path(__file__).resolve().parent.parent / "submissions"
EXPECTED: list[dict[str, Any]] = tomllib.loads((FOLDER / "EXPECTED.toml").read_text("utf-8"))["submission"]
EXERCISE = "rejection_rule"
REACH_OUT = {  # returns objects that equal everything; os._exit; reads /etc/hostname; fetches a page
    "okafor_chidi", "vogel_karl", "weber_lukas", "white_noah",
}  # fmt: skip


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("graded")


@pytest.fixture(scope="module")
def graded(judge: Judge, out: Path) -> BatchResult:
    return grade_folder(FOLDER, out, 2, "en", judge)


@pytest.fixture(scope="module")
def rows(graded: BatchResult) -> dict[str, Row]:
    return {row.learner: row for row in graded.rows}


def test_every_learner_has_a_row_and_nobody_else(graded: BatchResult) -> None:
    assert [row.learner for row in graded.rows] == sorted(one["learner"] for one in EXPECTED)
    assert graded.any_unjudged and len(EXPECTED) >= 80


def test_nobody_is_given_an_exercise_that_was_not_handed_in(graded: BatchResult) -> None:
    assert {exercise_id for row in graded.rows for exercise_id in row.marks} == {EXERCISE}


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda one: one["learner"])
def test_the_file_is_judged_as_its_list_says(rows: dict[str, Row], expected: dict[str, Any]) -> None:
    row = rows[expected["learner"]]
    mark = row.marks.get(EXERCISE)
    verdict = mark.verdict if mark else row.verdict
    assert verdict in expected["verdict"].split(" or "), (expected["awkward"], row)
    assert sorted(mark.mistakes if mark else []) == sorted(expected["mistakes"]), expected["awkward"]
    got = points(row)
    assert got == expected["points"] or (expected["points"] == "any" and got != "person"), (expected["awkward"], row)


def points(row: Row) -> str:
    """In the words of EXPECTED.toml."""
    if row.total is None:
        return "person"
    full = load(EXERCISE).points
    return "all" if row.total == full else "none" if row.total == 0 else "some"


def test_whoever_needs_a_person_is_told_why(rows: dict[str, Row]) -> None:
    for expected in EXPECTED:
        if expected["points"] == "person":
            status = rows[expected["learner"]].status()
            assert status.startswith("needs a person: ") and len(status) > 30, status


def test_only_submissions_that_reach_out_are_flagged(graded: BatchResult, out: Path) -> None:
    results = (json.loads(path.read_bytes()) for path in (out / "results").glob("*.json"))
    courses = [result["extra_data"]["course"] for result in results]
    flagged = {course["learner"] for course in courses if course["flags"]}
    assert len(courses) == len(EXPECTED)
    assert flagged == REACH_OUT
