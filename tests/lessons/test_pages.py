"""Each page of the house runs, in both languages, without a browser: Streamlit's AppTest."""
from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from grader import catalogue
from grader.language import LANGUAGES
from lessons.judging import Access, Problem
from lessons.lesson_file import lessons, start_page
from lessons.pages import parts, shell, start

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_DATABASE_URL", f"sqlite:///{tmp_path / 'course.db'}")
    monkeypatch.setenv("COURSE_SECRET_KEY", "a key for the page tests")


def app(language: str = "en", **query: str) -> AppTest:
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    test.query_params["lang"] = language
    for name, value in query.items():
        test.query_params[name] = value
    return test.run()


def lesson_page(item: str) -> None:
    from lessons.pages import lesson

    lesson.show(item)


def open_lesson(item: str, language: str) -> AppTest:
    test = AppTest.from_function(lesson_page, default_timeout=60, kwargs={"item": item})
    test.query_params["lang"] = language
    return test.run()


def texts(test: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*test.markdown, *test.caption))


@pytest.mark.parametrize("language", LANGUAGES)
def test_start_page_maps_every_lesson_and_exercise(language: str) -> None:
    test = app(language)
    assert not test.exception
    words = shell.language_file(shell.TEXTS, language)
    assert test.title[0].value == start_page(language).title
    not_started = [element for element in test.markdown if words("mastery.not_started") in element.value]
    assert len(not_started) == len(lessons(language)) + len(catalogue.exercise_ids())
    assert all(item.summary in texts(test) for item in lessons(language))


def test_the_map_puts_exercises_beside_their_chapter_in_course_order() -> None:
    rows = list(start.course_map("en", {}))
    for lesson, row in zip(lessons("en"), rows, strict=False):
        own = [name for name in catalogue.exercise_ids() if catalogue.load(name).lesson == lesson.id]
        assert row.chapter is not None and row.chapter.label == f"{lesson.order} · {lesson.title}"
        assert [stop.slug for stop in row.exercises] == [shell.exercise_slug(name) for name in own]
    assert sum(len(row.exercises) for row in rows) == len(catalogue.exercise_ids())


def test_the_map_loses_no_exercise_of_a_chapter_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "lessons", lambda language: ())
    (row,) = start.course_map("en", {})
    assert row.chapter is None and len(row.exercises) == len(catalogue.exercise_ids())


def test_the_map_says_what_an_exercise_asks_for() -> None:
    words = shell.language_file(shell.TEXTS, "en")
    said = {name: parts.about(catalogue.load(name), words) for name in ("rejection_rule", "bug_hunt_kernel")}
    assert said["rejection_rule"] == "Blanks to fill: 2 · difficulty 2 of 5 · about 15 minutes"
    assert said["bug_hunt_kernel"] == "Faults to find · difficulty 4 of 5 · about 30 minutes"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_page_shows_goals_mastery_and_the_card(language: str) -> None:
    """The map's exercises keep their plain names there; the button says that it leads to an exercise."""
    test = app(language)
    shown = [element.value for element in test.markdown]
    folds = [box.label for box in test.expander]
    for part in start_page(language).parts:
        assert part.value in folds if part.kind == "note" else part.text in shown
    prefix = shell.language_file(shell.TEXTS, language)("lesson.exercise", title="")
    assert not [stop for row in start.course_map("en", {}) for stop in row.exercises if stop.label.startswith(prefix)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_card_s_code_runs_by_itself_and_fails_as_the_page_says(language: str) -> None:
    """Exactly the text shown, in a Python without site packages."""
    text = "\n".join(part.text for part in start_page(language).parts)
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert _alone(code).returncode == 0
    right, wrong = "owed[other] / sum(owed)", "target[other]"
    assert f"`{right}`" in text and f"`{wrong}`" in text and code.count(right) == 1
    failed = _alone(code.replace(right, wrong))
    assert failed.returncode == 1 and "AssertionError: [Fraction(61, 100), Fraction(39, 100)]" in failed.stderr


def _alone(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60)


def test_an_unknown_language_is_the_browsers() -> None:
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    test.query_params["lang"] = "fr"
    test.context = {"locale": "zh-CN"}
    assert test.run().title[0].value == "投机解码的验证"
    assert test.query_params["lang"] == "zh"


def test_the_switch_changes_page_and_url() -> None:
    test = app("en")
    test.segmented_control(key="language_choice").set_value("zh").run()
    assert test.title[0].value == "投机解码的验证"
    assert test.query_params["lang"] == "zh"


def test_a_reader_without_a_cookie_is_told_what_that_means() -> None:
    assert "sends no cookie" in texts(app())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("item", [item.id for item in lessons("en")])
def test_every_lesson_runs_and_marks_itself_opened(item: str, language: str) -> None:
    test = open_lesson(item, language)
    assert not test.exception
    lesson = next(lesson for lesson in lessons(language) if lesson.id == item)
    assert test.title[0].value == lesson.title
    assert [box.label for box in test.expander if box.label in {part.value for part in lesson.parts}] == [
        part.value for part in lesson.parts if part.kind == "note"
    ]
    learner = test.session_state["session_learner"]
    assert shell.open_store().states(learner) == {f"lesson/{item}": "in_progress"}


def test_answered_predictions_are_counted() -> None:
    item = lessons("en")[0]
    assert f"0 of {len(item.figures)} predictions answered" in texts(open_lesson(item.id, "en"))


def test_continue_names_the_first_open_stop() -> None:
    first = lessons("en")[0]
    assert f"Begin: {first.title}" in [button.label for button in app().button]


def test_reset_asks_first() -> None:
    """The dialog's own buttons are pressed in the browser tests: AppTest reruns no fragment."""
    test = app()
    learner = test.session_state["session_learner"]
    shell.open_store().mark(learner, "lesson/any", "in_progress")
    by_label(test.run(), "Reset progress …").click().run()
    assert {"Delete everything", "Keep it"} <= {button.label for button in test.button}
    assert shell.open_store().states(learner)


def test_progress_is_imported_and_a_wrong_file_refused() -> None:
    test = app()
    store, learner = shell.open_store(), test.session_state["session_learner"]
    store.mark("someone else", "lesson/rejection_rule", "in_progress")
    choose(test, "course-progress.json", json.dumps(store.export("someone else")).encode())
    assert [element.value for element in test.success] == ["Progress imported. What you had here before is kept."]
    kept = store.states(learner)
    assert kept == {"lesson/rejection_rule": "in_progress"}
    for data in (b"\xff\xfe", b"{", b"[]", b'{"attempts": 3}'):
        choose(test, "holiday.json", data)
        assert "holiday.json" in test.error[0].value and "othing was changed" in test.error[0].value
        assert not test.success
        assert store.states(learner) == kept


def by_label(test: AppTest, label: str) -> Any:
    return next(button for button in test.button if button.label == label)


def choose(test: AppTest, name: str, data: bytes) -> None:
    test.file_uploader[0].set_value([(name, data, "application/json")]).run()
    assert not test.exception


def explanation_page() -> None:
    from lessons.pages import shell

    shell.judge_or_explain()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("problem", list(Problem))
def test_a_page_without_a_judge_says_why(problem: Problem, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "judge", lambda: Access(None, problem, "bwrap is not installed"))
    test = AppTest.from_function(explanation_page)
    test.query_params["lang"] = language
    test.run()
    assert "python -m grader doctor" in test.warning[0].value
    assert "bwrap is not installed" in test.caption[0].value
    assert len(test.button) == (problem is Problem.ASK_FOR_BASIC)


def test_the_import_limit_is_smaller_than_the_servers() -> None:
    assert start.LARGEST_IMPORT_MIB < 200


def test_a_server_that_could_sign_no_cookie_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_SECRET_KEY", "short")
    with pytest.raises(SystemExit, match="COURSE_SECRET_KEY holds 5 characters"):
        runpy.run_path(str(ROOT / "app.py"), run_name="app")
