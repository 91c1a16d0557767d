"""A folder graded: every learner has a row, a second run redoes only what changed, an interrupted one ends the same."""
from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader import batch, submitting
from grader.batch import grade_folder
from grader.catalogue import ROOT, Exercise, exercise_ids, load
from grader.judge import Judge
from grader.known_mistakes import solution_blanks

COLUMNS = ["learner", *exercise_ids(), "total", "max", "status"]
SCHEMA = json.loads((Path(__file__).parent / "results.schema.json").read_text("utf-8"))


def table(out: Path) -> dict[str, dict[str, str]]:
    return {row["learner"]: row for row in csv.DictReader(io.StringIO((out / "gradebook.csv").read_text("utf-8")))}


def result(out: Path, stem: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((out / "results" / f"{stem}.json").read_bytes())
    return data


def hand_in_all(a_class: Any) -> Any:
    exercise = load("rejection_rule")
    right = solution_blanks(exercise)
    a_class.hand_in("ann.py", exercise.fill(right))
    a_class.hand_in("ben.py", exercise.fill(right | {"residual": "p"}))
    a_class.hand_in("cai.py", exercise.stub)
    a_class.hand_in("dot.ipynb", b"%PDF-1.7 not a notebook")
    a_class.hand_in("eve/notes.py", "x = 1\n")
    a_class.hand_in("fay.py", exercise.fill(right | {"accept": "1 / 0"}))
    return a_class


@pytest.fixture
def mixed(a_class: Any) -> Any:
    return hand_in_all(a_class)


@pytest.fixture(scope="module")
def graded(new_class: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The same class, graded once for the tests that only read."""
    made = hand_in_all(new_class(tmp_path_factory.mktemp("graded")))
    made.outcome = made.grade()
    return made


def test_every_learner_has_a_row_with_points_or_a_reason(graded: Any) -> None:
    outcome = graded.outcome
    rows = table(graded.out)
    assert list(rows) == ["ann", "ben", "cai", "dot", "eve", "fay"] and outcome.any_unjudged
    assert list(rows["ann"]) == COLUMNS
    assert (rows["ann"]["rejection_rule"], rows["ann"]["total"], rows["ann"]["max"]) == ("20", "20", "20")
    assert {row["two_paths"] for row in rows.values()} == {""}, "nobody handed it in, so it doesn't count either"
    assert [rows[name]["status"] for name in ("ann", "ben", "fay")] == ["pass", "fail", "error"]
    for name in ("cai", "dot", "eve"):
        assert (rows[name]["rejection_rule"], rows[name]["total"]) == ("", "")
        assert rows[name]["status"].startswith("needs a person: ")
    assert "PDF" in rows["dot"]["status"]


def test_results_are_gradescopes_format_with_an_entry_for_each_check(graded: Any, exercise: Exercise) -> None:
    for name in ("ann", "ben", "cai", "dot", "eve", "fay"):
        jsonschema.validate(result(graded.out, name), SCHEMA)
    tests = result(graded.out, "ben")["tests"]
    assert [test["name"] for test in tests] == [check.title.en for check in exercise.checks]
    for test, check in zip(tests, exercise.checks, strict=True):
        assert {"name", "score", "max_score", "status", "output", "visibility"} <= test.keys()
        assert test["visibility"] == ("visible" if check.visible else "hidden")
        assert (test["status"] == "passed") == (test["score"] == test["max_score"])
    assert sum(test["score"] for test in tests) == float(table(graded.out)["ben"]["total"])


def test_what_needs_a_person_claims_no_score(graded: Any) -> None:
    for name in ("cai", "dot", "eve"):
        data = result(graded.out, name)
        assert data["tests"] == [] and "score" not in data and "needs a person" in data["output"]


def test_hidden_numbers_stay_out_of_what_students_see(graded: Any) -> None:
    hidden = [test for test in result(graded.out, "ben")["tests"] if test["visibility"] == "hidden"]
    failed = [test for test in hidden if test["status"] == "failed"]
    page = (graded.out / "feedback" / "ben.html").read_text("utf-8")
    assert failed and all(test["extra_data"]["called"] for test in failed)
    for test in failed:
        for key in ("called", "returned", "expected"):
            value = test["extra_data"][key]
            assert not value or (value not in test["output"] and value not in page)


def test_feedback_begins_with_what_did_not_pass(graded: Any) -> None:
    page = (graded.out / "feedback" / "ben.html").read_text("utf-8")
    tones = re.findall('<article class="([a-z]+)">', page)
    assert {"pass", "fail"} <= set(tones) and tones == sorted(tones, key=lambda tone: tone == "pass")


def test_the_known_mistake_is_named_everywhere(graded: Any, exercise: Exercise) -> None:
    row = next(row for row in graded.outcome.rows if row.learner == "ben")
    (name,) = row.marks["rejection_rule"].mistakes
    message = next(mistake.message.en for mistake in exercise.mistakes if mistake.id == name)
    assert message in result(graded.out, "ben")["output"]
    summary = json.loads((graded.out / "summary.json").read_text("utf-8"))
    assert summary["exercises"]["rejection_rule"]["known_mistakes"] == {name: 1}
    assert summary["exercises"]["rejection_rule"]["verdicts"] == {"error": 1, "fail": 1, "missing": 1, "pass": 1}
    assert summary["without_an_exercise"] == {"missing": 1, "unreadable": 1}


def test_the_summary_counts_by_verdict_by_check_and_by_known_mistake(graded: Any, exercise: Exercise) -> None:
    summary = json.loads((graded.out / "summary.json").read_text("utf-8"))
    marks = [row.marks[exercise.id] for row in graded.outcome.rows if row.marks]
    assert summary["learners"] == 6 and summary["needs_a_person"] == ["cai", "dot", "eve"]
    assert summary["verdicts"] == summary["exercises"][exercise.id]["verdicts"]
    assert summary["known_mistakes"] == summary["exercises"][exercise.id]["known_mistakes"]
    assert summary["exercises"][exercise.id]["flags"] == {}
    checks = summary["exercises"][exercise.id]["checks"]
    assert list(checks) == [check.id for check in exercise.checks]
    for check_id, counts in checks.items():
        assert sum(counts.values()) == 3  # cai and eve left nothing to check, dot's file can't be read
        for verdict, count in counts.items():
            assert count == sum(mark.checks.get(check_id) == verdict for mark in marks)
    assert "import" not in summary and summary["tier"] == graded.judge.tier


def test_a_second_run_judges_only_what_changed(
    mixed: Any, exercise: Exercise, right: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mixed.grade()
    before, seen = mixed.files(), []
    real = batch.judge_files

    def counted(files: Any, *rest: Any, **named: Any) -> Any:
        seen.append(files[0][0])
        return real(files, *rest, **named)

    monkeypatch.setattr(batch, "judge_files", counted)
    assert mixed.grade().kept == 6 and not seen and mixed.files() == before
    mixed.hand_in("ben.py", exercise.fill(right))
    assert mixed.grade().kept == 5 and seen == ["ben.py"]
    assert table(mixed.out)["ben"]["status"] == "pass"


@pytest.mark.parametrize("damage", ["feedback/ann.html", "results/ann.json"])
def test_a_damaged_or_missing_result_is_judged_again(mixed: Any, damage: str) -> None:
    mixed.grade()
    before = mixed.files()
    (mixed.out / damage).write_bytes(b"{}")
    assert mixed.grade().kept == 5 and mixed.files() == before
    (mixed.out / damage).unlink()
    assert mixed.grade().kept == 5 and mixed.files() == before


def test_another_language_is_another_result(mixed: Any) -> None:
    mixed.grade()
    assert mixed.grade("zh").kept == 0
    assert "返回" in (mixed.out / "feedback" / "ben.html").read_text("utf-8")
    assert table(mixed.out)["cai"]["status"].startswith("needs a person: 没有答案")


def test_changed_content_or_a_changed_judge_is_another_result(mixed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mixed.grade()
    monkeypatch.setattr(batch, "judged_with", lambda exercise_id: "another release")
    assert mixed.grade().kept == 0


def test_a_learner_who_is_gone_leaves_the_results_and_other_files_stay(mixed: Any) -> None:
    mixed.grade()
    (mixed.out / "results" / "mine.json").write_text('{"my": "file"}')
    (mixed.submissions / "ben.py").unlink()
    mixed.grade()
    assert "ben" not in table(mixed.out)
    assert not (mixed.out / "results" / "ben.json").exists() and not (mixed.out / "feedback" / "ben.html").exists()
    assert (mixed.out / "results" / "mine.json").exists()


def test_an_interrupted_run_goes_on_and_ends_with_the_same_bytes(mixed: Any, tmp_path: Path) -> None:
    mixed.grade()
    whole = mixed.files()

    class Killed(BaseException):
        pass

    def stop(done: int, total: int, learner: str) -> None:
        if done == 2:
            raise Killed

    for round_ in (1, 2):  # twice, as a run that is interrupted again
        with pytest.raises(Killed):
            grade_folder(mixed.submissions, tmp_path / "resumed", 1, "en", mixed.judge, stop)
        assert round_ and not (tmp_path / "resumed" / "gradebook.csv").exists()
    (tmp_path / "resumed" / "results" / ".partial-1-abc").write_bytes(b"half a fi")
    resumed = grade_folder(mixed.submissions, tmp_path / "resumed", 1, "en", mixed.judge)
    files = {path.relative_to(tmp_path / "resumed").as_posix(): path.read_bytes()
             for path in (tmp_path / "resumed").rglob("*") if path.is_file()}  # fmt: skip
    assert resumed.kept >= 2 and files == whole


def test_a_run_killed_at_any_moment_is_finished_by_the_next(mixed: Any, tmp_path: Path) -> None:
    mixed.grade()
    out = tmp_path / "killed"
    command = [sys.executable, "-m", "grader", "grade", str(mixed.submissions), "--out", str(out), "--jobs", "1"]
    for enough in (1, 3):
        run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while len(list((out / "results").glob("[a-z]*.json"))) < enough and run.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        run.kill()
        run.wait()
    resumed = grade_folder(mixed.submissions, out, 2, "en", mixed.judge)
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert resumed.kept >= 3 and files == mixed.files()


def test_a_fault_of_ours_costs_one_learner_a_person_and_nobody_else_anything(
    mixed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = submitting.judge_files

    def faulty(files: Any, *rest: Any, **named: Any) -> Any:
        if files[0][0] == "ben.py":
            raise RuntimeError("a bug")
        return real(files, *rest, **named)

    monkeypatch.setattr(batch, "judge_files", faulty)
    assert mixed.grade().any_unjudged
    rows = table(mixed.out)
    assert rows["ann"]["status"] == "pass" and "a bug" in rows["ben"]["status"] and rows["ben"]["total"] == ""
    monkeypatch.undo()
    assert mixed.grade().kept == 5  # a fault is worth another try
    assert table(mixed.out)["ben"]["status"] == "fail"


def test_several_files_of_one_learner_are_one_submission(
    a_class: Any, exercise: Exercise, right: dict[str, str]
) -> None:
    a_class.hand_in("gil/broken.ipynb", b"{")
    a_class.hand_in("gil/rule.py", exercise.fill(right))
    a_class.grade()
    assert table(a_class.out)["gil"]["status"] == "pass"
    assert "broken.ipynb" in result(a_class.out, "gil")["output"]


def test_a_zip_is_as_good_as_a_folder(mixed: Any, judge: Judge, tmp_path: Path) -> None:
    mixed.grade()
    archive = tmp_path / "class.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(mixed.submissions.rglob("*")):
            packed.write(path, path.relative_to(mixed.submissions))
    grade_folder(archive, tmp_path / "from-zip", 2, "en", judge)
    assert table(tmp_path / "from-zip") == table(mixed.out)


def test_an_empty_folder_gives_an_empty_gradebook(a_class: Any) -> None:
    outcome = a_class.grade()
    assert not outcome.rows and not outcome.any_unjudged
    assert (a_class.out / "gradebook.csv").read_text() == ",".join(COLUMNS) + "\n"


def test_an_exercise_that_others_handed_in_is_an_empty_cell_and_no_zero(a_class: Any) -> None:
    """Two files, one file with both functions, and a learner who answered one exercise only."""
    handed_in = ("rejection_rule", "two_paths")
    rule, paths = (exercise.fill(solution_blanks(exercise)) for exercise in map(load, handed_in))
    wrong = load("two_paths").fill(solution_blanks(load("two_paths")) | {"reject": "1.0"})
    a_class.hand_in("ann/rejection_rule.py", rule)
    a_class.hand_in("ann/two_paths.py", paths)
    a_class.hand_in("ben.py", rule)
    a_class.hand_in("cai.py", f"{wrong}\n\n{rule}")
    outcome = a_class.grade()
    rows = table(a_class.out)
    assert not outcome.any_unjudged
    columns, others = [*handed_in, "total", "max", "status"], set(exercise_ids()) - set(handed_in)
    assert [rows["ann"][column] for column in columns] == ["20", "20", "40", "40", "pass"]
    assert [rows["ben"][column] for column in columns] == ["20", "", "20", "40", "pass; not handed in: two_paths"]
    assert {row[name] for row in rows.values() for name in others} <= {""}
    assert rows["cai"]["rejection_rule"] == "20" and 0 < float(rows["cai"]["two_paths"]) < 20
    assert rows["cai"]["status"] == "rejection_rule: pass; two_paths: fail"
    summary = json.loads((a_class.out / "summary.json").read_text("utf-8"))
    assert summary["exercises"]["two_paths"]["known_mistakes"] == {"always_rejects": 1}
    assert len(result(a_class.out, "ann")["tests"]) == sum(len(load(name).checks) for name in handed_in)
