"""The exercise page where a blank takes statements, or is handed out with a text in it."""
from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from grader.store import Store
from tests.grader.small_exercises import HUNT, HUNT_START, TOTAL, hunt_exercise, put_into_catalogue, total_exercise
from tests.lessons.test_exercise_page import opened, press, texts

LEARNER = "session-test"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    put_into_catalogue(monkeypatch, total_exercise(), hunt_exercise())
    url = f"sqlite:///{tmp_path / 'course.db'}"
    monkeypatch.setenv("COURSE_DATABASE_URL", url)
    monkeypatch.setenv("COURSE_SECRET_KEY", "a key for the page tests only")
    return Store(url)


def typed_into(at: AppTest, item: str, name: str, text: str) -> None:
    every = (*at.text_area, *at.text_input)
    next(one for one in every if str(one.key).startswith(f"plain.{item}.{name}.")).set_value(text)


def test_statements_get_a_text_area_and_pass(store: Store) -> None:
    at = opened("en", "total")
    assert [area.label for area in at.text_area] == ["Blank 1: Add up"]
    for name, text in TOTAL.items():
        typed_into(at, "total", name, text)
    press(at, "submit")
    assert "You have mastered this exercise" in texts(at)
    assert [attempt.blanks for attempt in store.attempts(LEARNER, "total")] == [TOTAL]


def test_only_comments_are_an_empty_blank(store: Store) -> None:
    at = opened("en", "total")
    typed_into(at, "total", "add", "# later\n")
    typed_into(at, "total", "mean", TOTAL["mean"])
    press(at, "check")
    assert [box.value for box in at.info] == ["Blank 1: Add up is still empty. Fill it in, then check."]


def test_a_start_text_is_there_is_no_answer_and_comes_back_with_start_over(store: Store) -> None:
    at = opened("en", "hunt")
    (area,) = at.text_area
    assert area.value == HUNT_START and store.draft(LEARNER, "hunt") == {}
    assert store.states(LEARNER) == {}, "what was handed out is no progress"
    press(at, "submit")
    assert [box.value for box in at.info] == ["Blank 1: Repair is still as it was handed out. Change it, then check."]
    assert store.attempts(LEARNER, "hunt") == []
    typed_into(at, "hunt", "body", HUNT["body"])
    press(at, "submit")
    assert "You have mastered this exercise" in texts(at)
    press(at, "reset")
    assert [area.value for area in at.text_area] == [HUNT_START] and store.draft(LEARNER, "hunt") == {}


def test_a_start_text_that_was_deleted_stays_deleted(store: Store) -> None:
    at = opened("en", "hunt")
    typed_into(at, "hunt", "body", "")
    at.run()
    assert store.draft(LEARNER, "hunt") == {"body": ""}
    assert [area.value for area in opened("en", "hunt").text_area] == [""]


def test_statements_from_the_editor_are_kept_dedented(store: Store) -> None:
    at = opened("en", "hunt")
    at.toggle(key="plain_mode").set_value(False).run()
    shown = "if True:\n        return sum(item >= 0 for item in items)\n    "
    at.session_state["editor_hunt_en"] = {"typed": {"blanks": {"body": shown}, "rev": 1}}
    press(at, "submit")
    assert "You have mastered this exercise" in texts(at)
    (attempt,) = store.attempts(LEARNER, "hunt")
    assert attempt.blanks == {"body": "if True:\n    return sum(item >= 0 for item in items)"}
