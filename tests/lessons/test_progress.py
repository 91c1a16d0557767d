"""Mastery, by the rule that the start page states."""
from __future__ import annotations

from pathlib import Path

from grader.store import Store
from lessons.lesson_file import Lesson, Part
from lessons.progress import LessonEvents, Mastery, exercise_item, exercise_mastery, lesson_mastery

LESSON = Lesson("rule", "en", "T", 1, "", "S", (Part("figure", "dart", "", 1), Part("figure", "paths", "", 2)))


def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'course.db'}")


def test_a_lesson_goes_from_not_started_to_mastered(tmp_path: Path) -> None:
    events = LessonEvents(store(tmp_path), "learner", "rule")

    def mastery() -> Mastery:
        return lesson_mastery(events.store.states("learner"), LESSON)

    assert mastery() is Mastery.NOT_STARTED
    events.opened()
    assert mastery() is Mastery.IN_PROGRESS
    events.answered("dart", True)
    assert mastery() is Mastery.IN_PROGRESS
    events.answered("paths", False)
    assert mastery() is Mastery.MASTERED
    events.opened()
    assert mastery() is Mastery.MASTERED


def test_answers_are_known_by_figure_lesson_and_learner(tmp_path: Path) -> None:
    kept = store(tmp_path)
    LessonEvents(kept, "learner", "rule").answered("dart", False)
    assert LessonEvents(kept, "learner", "rule").was_answered("dart")
    assert not LessonEvents(kept, "learner", "rule").was_answered("paths")
    assert not LessonEvents(kept, "learner", "other").was_answered("dart")
    assert not LessonEvents(kept, "someone else", "rule").was_answered("dart")


def test_an_exercise_is_what_the_store_says(tmp_path: Path) -> None:
    kept = store(tmp_path)
    assert exercise_mastery(kept.states("learner"), "rule") is Mastery.NOT_STARTED
    for state in (Mastery.IN_PROGRESS, Mastery.MASTERED):
        kept.mark("learner", exercise_item("rule"), state)
        assert exercise_mastery(kept.states("learner"), "rule") is state
