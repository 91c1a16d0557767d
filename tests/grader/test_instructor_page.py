"""The instructor's page without a browser: shut, guarded, and from upload to downloads."""
from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from grader.catalogue import Exercise
from grader.instructor import gate
from grader.instructor import page as page_module
from grader.instructor.gate import Gate
from grader.instructor.uploads import grade_uploads, zipped
from grader.judge import Judge
from grader.sandbox import Tier
from grader.wording import wording

PASSWORD = "correct horse"


def page(language: str, judge: object) -> None:
    from grader import instructor

    instructor.render(language, lambda: judge)  # type: ignore[arg-type, return-value]


@pytest.fixture(autouse=True)
def _setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(gate.SETTING, PASSWORD)
    monkeypatch.setattr(gate, "GATE", Gate())
    monkeypatch.setattr(page_module, "_client", lambda: "one address")


def opened(language: str = "en", judge: Judge | None = None) -> AppTest:
    at = AppTest.from_function(page, default_timeout=60, args=(language, judge)).run()
    assert not at.exception
    return at


def guess(at: AppTest, password: str) -> AppTest:
    at.text_input[0].set_value(password)
    at.button[0].click()
    at.run()
    assert not at.exception
    return at


def texts(at: AppTest) -> str:
    kinds = (at.markdown, at.info, at.error, at.success, at.text, at.caption, at.code, at.title, at.subheader)
    return "\n".join(str(one.value) for kind in kinds for one in kind)


@pytest.mark.parametrize("value", ["", None])
def test_without_a_password_the_page_is_shut_and_says_how_to_open_it(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is None:
        monkeypatch.delenv(gate.SETTING)
    else:
        monkeypatch.setenv(gate.SETTING, value)
    for language in ("en", "zh"):
        at = opened(language)
        assert gate.SETTING in texts(at) and not at.text_input and not at.button and not at.file_uploader


def test_a_wrong_password_keeps_out_and_guessing_gets_slow() -> None:
    at = opened()
    for _ in range(gate.FREE_TRIES - 1):
        guess(at, "wrong")
        assert wording("en")("page.wrong") in texts(at) and not at.file_uploader
    assert "Too many attempts" in texts(guess(at, "wrong"))
    assert not guess(opened(), PASSWORD).file_uploader  # a new session waits as well


def test_the_right_password_enters_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    at = guess(opened(), PASSWORD)
    assert at.file_uploader
    monkeypatch.setenv(gate.SETTING, "another")
    assert not at.run().file_uploader


def test_leaving_shuts_the_page_again() -> None:
    at = guess(opened(), PASSWORD)
    at.button[-1].click().run()
    assert not at.file_uploader and at.text_input


def uploads(exercise: Exercise, right: dict[str, str]) -> list[tuple[str, bytes, str]]:
    return [
        ("ann.py", exercise.fill(right).encode(), "text/x-python"),
        ("ben.py", exercise.fill(right | {"residual": "p"}).encode(), "text/x-python"),
        ("<b>cai.ipynb", b"%PDF-1.4", "application/json"),
    ]


def test_a_batch_too_big_to_hold_in_memory_is_sent_to_the_command_line(
    exercise: Exercise, right: dict[str, str], judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "MOST_BYTES", 100)
    at = guess(opened(judge=judge), PASSWORD)
    at.file_uploader[0].set_value(uploads(exercise, right))
    at.button[0].click().run()
    assert "python -m grader grade" in texts(at) and not at.dataframe


@pytest.mark.parametrize("language", ["en", "zh"])
def test_from_upload_to_table_report_and_downloads(
    judge: Judge, exercise: Exercise, right: dict[str, str], language: str
) -> None:
    words = wording(language)
    at = guess(opened(language, judge), PASSWORD)
    at.file_uploader[0].set_value(uploads(exercise, right))
    at.button[0].click().run()
    assert not at.exception and words("page.graded", count=3, person=1) in texts(at)
    table = at.dataframe[0].value
    assert list(table.columns) == [words(f"page.{key}") for key in ("learner", "points", "status", "mistake")]
    assert list(table[words("page.learner")]) == ["<b>cai", "ann", "ben"]
    assert table[words("page.points")][1] == "20 / 20" and table[words("page.mistake")][2]
    assert len(at.get("download_button")) == 4
    at.selectbox[0].set_value(2).run()
    assert not at.exception and "rejection_rule(" in texts(at) and at.expander
    assert "python -m grader replay results/ben.json rejection_rule/" in texts(at)
    at.button[0].click().run()
    assert at.file_uploader and not at.dataframe


@pytest.mark.parametrize("basic", [False, True])
def test_no_judge_or_basic_isolation_grades_nothing(exercise: Exercise, right: dict[str, str], basic: bool) -> None:
    at = guess(opened(judge=Judge(Tier.BASIC, accept_basic=True) if basic else None), PASSWORD)
    at.file_uploader[0].set_value(uploads(exercise, right))
    at.button[0].click().run()
    assert wording("en")("page.no_judge") in texts(at) and not at.dataframe


def test_a_fault_of_ours_shows_no_traceback(
    judge: Judge, exercise: Exercise, right: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(page_module, "grade_uploads", broken)
    at = guess(opened(judge=judge), PASSWORD)
    at.file_uploader[0].set_value(uploads(exercise, right))
    at.button[0].click().run()
    assert "RuntimeError" in texts(at) and "secret detail" not in texts(at) and not at.exception


def test_uploads_are_graded_like_a_folder_and_zipped_the_same_each_time(
    judge: Judge, exercise: Exercise, right: dict[str, str]
) -> None:
    files = [(name, data) for name, data, _ in uploads(exercise, right)]
    batch = grade_uploads(files, 1, "en", judge, lambda done, total, learner: None)
    rows = list(csv.DictReader(io.StringIO(batch.gradebook.decode())))
    assert [row["status"][:5] for row in rows] == ["needs", "pass", "fail"]
    packed = zipped(batch.results.items())
    assert packed == zipped(reversed(batch.results.items()))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert json.loads(archive.read("ann.json"))["tests"] and len(archive.namelist()) == 3


def test_a_zip_and_hostile_or_equal_upload_names(judge: Judge, exercise: Exercise, right: dict[str, str]) -> None:
    source = exercise.fill(right).encode()
    packed = zipped([("ann/answer.py", source), ("ben/answer.py", source)])
    batch = grade_uploads([("class.zip", packed)], 1, "en", judge, lambda *_: None)
    assert [row.learner for row in batch.rows] == ["ann", "ben"]
    names = ["../../x.py", "C:\\y.py", "x.py", ".py", "\0.py", "é" * 300 + ".py"]
    batch = grade_uploads([(name, source) for name in names], 1, "en", judge, lambda *_: None)
    assert all(row.total == 20 for row in batch.rows) and {"x", "y"} <= {row.learner for row in batch.rows}
