"""Mastery: what a learner has begun and what is done, from what the store remembers.

A lesson is in progress once it was opened, and mastered when the reader has answered the prediction of every figure
on it. An exercise is in progress after the first typed draft or attempt, and mastered when a submission passed all
checks.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.store import Mastery as Mastery
from grader.store import Store
from lessons.lesson_file import Lesson

MARKS = {Mastery.NOT_STARTED: "○", Mastery.IN_PROGRESS: "◐", Mastery.MASTERED: "●"}


def lesson_item(lesson_id: str) -> str:
    return f"lesson/{lesson_id}"


def figure_item(lesson_id: str, figure: str) -> str:
    return f"figure/{lesson_id}/{figure}"


def exercise_item(exercise_id: str) -> str:
    return f"exercise/{exercise_id}"


def lesson_mastery(states: Mapping[str, str], lesson: Lesson) -> Mastery:
    """`states` is what the store holds for one learner, by item."""
    if lesson_item(lesson.id) not in states:
        return Mastery.NOT_STARTED
    answered = all(figure_item(lesson.id, figure) in states for figure in lesson.figures)
    return Mastery.MASTERED if answered and lesson.figures else Mastery.IN_PROGRESS


def exercise_mastery(states: Mapping[str, str], exercise_id: str) -> Mastery:
    return Mastery(states.get(exercise_item(exercise_id), Mastery.NOT_STARTED))


@dataclass(frozen=True)
class LessonEvents:
    """Takes down what a figure tells about its reader (lessons.figures.events.LearnerEvents)."""

    store: Store
    learner: str
    lesson_id: str

    def opened(self) -> None:
        self.store.mark(self.learner, lesson_item(self.lesson_id), Mastery.IN_PROGRESS)

    def answered(self, figure: str, right: bool) -> None:
        """A wrong guess counts like a right one: what matters is that there was a guess."""
        self.store.mark(self.learner, figure_item(self.lesson_id, figure), Mastery.MASTERED)

    def was_answered(self, figure: str) -> bool:
        return figure_item(self.lesson_id, figure) in self.store.states(self.learner)
