"""The student notebooks: valid, the same bytes each time, and at work in a real kernel without this project."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from grader.catalogue import ContentError, Exercise, exercise_ids, load
from grader.judge import Judge
from grader.known_mistakes import solution_blanks
from grader.notebooks import notebook, split_checks, write_notebooks
from grader.reading.files import read_submission
from grader.release import judged_with, release
from grader.submitting import judge_files
from grader.verdicts import Verdict


@pytest.fixture
def made(exercise: Exercise) -> Any:
    return notebook(exercise, "en")


def answer_cell(made: Any) -> Any:
    (cell,) = (cell for cell in made.cells if "exercise" in cell.metadata.get("course", {}))
    return cell


def run(made: Any, folder: Path) -> list[str]:
    """Run all cells in a kernel whose folder is not this project; returns what the check cells printed."""
    NotebookClient(made, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    outputs = (cell.outputs for cell in made.cells if cell.cell_type == "code" and cell.id.startswith("check-"))
    return [output["text"].strip() for one in outputs for output in one]


def test_the_notebook_is_valid_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    write_notebooks(first, "en")
    write_notebooks(second, "en")
    assert {path.name for path in first.iterdir()} == {f"{name}.ipynb" for name in exercise_ids()}
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes()
        read = nbformat.read(path, as_version=nbformat.NO_CONVERT)
        nbformat.validate(read)
        assert (read.nbformat, read.nbformat_minor) == (4, 5)


def test_the_answer_cell_carries_marker_metadata_and_a_stable_id(made: Any, exercise: Exercise) -> None:
    cell = answer_cell(made)
    assert cell.source == f"# exercise: rejection_rule\n{exercise.stub.rstrip()}"
    assert cell.metadata["course"] == {"exercise": exercise.id, "release": release(exercise.id)}
    assert cell.id == "answer-rejection_rule"
    assert read_submission(json.dumps(made).encode(), "x.ipynb").cells[cell_index(made)].marker == exercise.id


def cell_index(made: Any) -> int:
    return int(made.cells.index(answer_cell(made)))


def test_blanks_stand_nowhere_but_in_the_answer_cell_as_code(made: Any) -> None:
    code = [cell for cell in made.cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if "______" in cell.source] == ["answer-rejection_rule"]


def test_helper_and_checks_are_folded_and_fixed_and_hints_fold_open(made: Any, exercise: Exercise) -> None:
    cells = {cell.id: cell for cell in made.cells}
    assert cells["helper"].metadata["jupyter"] == {"source_hidden": True} and not cells["helper"].metadata["editable"]
    assert [key for key in cells if key.startswith("check-")] == [f"check-{check.id}" for check in exercise.visible]
    hints = [cells[key].source for key in cells if key.startswith("hint-")]
    assert len(hints) == len(exercise.hints) and all(hint.startswith("<details><summary>") for hint in hints)


def test_nothing_hidden_gets_into_a_notebook(made: Any, exercise: Exercise) -> None:
    text = json.dumps(made)
    assert "max(p - q, 0.0)" not in text and "solutions" not in text
    assert not [check.id for check in exercise.checks if not check.visible and check.id in text]


def test_the_filled_notebook_runs_in_a_kernel_and_ticks_every_check(
    made: Any, exercise: Exercise, right: dict[str, str], tmp_path: Path
) -> None:
    answer_cell(made).source = f"# exercise: {exercise.id}\n{exercise.fill(right)}"
    assert run(made, tmp_path) == [f"✓ {check.title.en}" for check in exercise.visible]


@pytest.mark.parametrize("other", [name for name in exercise_ids() if name != "rejection_rule"])
def test_the_filled_notebook_of_every_other_exercise_runs_too(other: str, tmp_path: Path) -> None:
    exercise = load(other)
    made = notebook(exercise, "en")
    answer_cell(made).source = exercise.fill(solution_blanks(exercise))
    assert run(made, tmp_path) == [f"✓ {check.title.en}" for check in exercise.visible]


@pytest.mark.parametrize("bare", [False, True])
def test_a_notebook_that_holds_every_exercise_is_judged_for_each(judge: Judge, bare: bool) -> None:
    """All notebooks of the course merged, as a student may hand them in; also where ids and metadata are gone."""
    every = [load(name) for name in exercise_ids()]
    answers = {f"answer-{exercise.id}": exercise.fill(solution_blanks(exercise)) for exercise in every}
    made = notebook(every[0], "en")
    made.cells = [cell for exercise in every for cell in notebook(exercise, "en").cells]
    for number, cell in enumerate(made.cells):
        cell.source = answers.get(cell.id, cell.source)
        if bare:
            cell.id, cell.metadata = f"cell-{number}", {}
    judged = judge_files([("all.ipynb", json.dumps(made).encode())], exercise_ids(), judge, hidden=True)
    assert [(exercise.id, report.passed) for exercise, report in judged.reports] == [(one.id, True) for one in every]


def test_the_unfilled_notebook_stops_at_the_first_check(made: Any, tmp_path: Path) -> None:
    with pytest.raises(CellExecutionError, match="______"):
        run(made, tmp_path)
    cells = {cell.id: cell for cell in made.cells}
    assert answer_cell(made).outputs == [] == cells["helper"].outputs


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", r"returned 0\.25; expected 0\.5.*half of the"), ("zh", r"返回 0\.25；应为 0\.5.*一半")],
)
def test_a_wrong_answer_stops_with_call_value_and_expectation(
    exercise: Exercise, right: dict[str, str], tmp_path: Path, language: str, told: str
) -> None:
    made = notebook(exercise, language)
    answer_cell(made).source = exercise.fill(right | {"accept": "0.25"})
    with pytest.raises(CellExecutionError, match=told):
        run(made, tmp_path)


def test_the_filled_notebook_of_either_language_is_judged_right(
    judge: Judge, exercise: Exercise, right: dict[str, str]
) -> None:
    for language in ("en", "zh"):
        made = notebook(exercise, language)
        answer_cell(made).source = f"# exercise: {exercise.id}\n{exercise.fill(right)}"
        submission = read_submission(json.dumps(made).encode(), "rejection_rule.ipynb")
        assert judge.judge(exercise, submission, hidden=True, seed=1).passed


def test_the_language_is_the_only_difference(exercise: Exercise) -> None:
    english, chinese = notebook(exercise, "en"), notebook(exercise, "zh")
    assert [cell.id for cell in english.cells] == [cell.id for cell in chinese.cells]
    assert exercise.title.zh in chinese.cells[0].source and "提示 1" in json.dumps(chinese, ensure_ascii=False)


def test_checks_that_import_what_a_notebook_lacks_are_a_content_error(
    exercise: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "exercises" / exercise.id
    folder.mkdir(parents=True)
    (folder / "checks.py").write_text("import math\nfrom solutions.law import total_variation\n")
    monkeypatch.setattr("grader.notebooks.ROOT", tmp_path)
    with pytest.raises(ContentError, match="line 2 imports solutions.law"):
        split_checks(exercise)


def test_release_and_judging_hashes_are_stable_and_apart(exercise: Exercise) -> None:
    assert release(exercise.id) == release(exercise.id) != judged_with(exercise.id)


def noted(judge: Judge, made: Any) -> list[str]:
    judged = judge_files([("rejection_rule.ipynb", json.dumps(made).encode())], exercise_ids(), judge, hidden=False)
    return [note.en for _, report in judged.reports for note in report.notes if "another release" in note.en]


def test_a_notebook_of_another_release_is_judged_the_same_with_a_note(
    judge: Judge, exercise: Exercise, right: dict[str, str]
) -> None:
    made = notebook(exercise, "en")
    answer_cell(made).source = f"# exercise: {exercise.id}\n{exercise.fill(right)}"
    assert noted(judge, made) == []
    answer_cell(made).metadata["course"]["release"] = "last\x1b year"
    (said,) = noted(judge, made)
    assert "last\\x1b year" in said and release(exercise.id) in said


@pytest.mark.parametrize("release_", [None, 7, ["x"], ""])
def test_a_release_that_is_none_is_no_other_release(
    judge: Judge, exercise: Exercise, right: dict[str, str], release_: object
) -> None:
    made = notebook(exercise, "en")
    answer_cell(made).source = f"# exercise: {exercise.id}\n{exercise.fill(right)}"
    answer_cell(made).metadata["course"]["release"] = release_
    assert noted(judge, made) == []


def test_the_reason_for_a_person_stays_the_last_note(judge: Judge, exercise: Exercise) -> None:
    made = notebook(exercise, "en")
    answer_cell(made).metadata["course"]["release"] = "another"
    ((_, report),) = judge_files(
        [("x.ipynb", json.dumps(made).encode())], exercise_ids(), judge, hidden=False
    ).reports
    assert report.verdict is Verdict.MISSING and "another release" in report.notes[0].en
    assert "Not filled" in report.notes[-1].en
