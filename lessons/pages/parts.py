"""What lesson files place on a page: text, folded notes, figures, quizzes, and the card that leads to an exercise."""
from __future__ import annotations

import streamlit as st

from grader import catalogue
from grader.language import Words
from lessons import progress
from lessons.figures.events import LearnerEvents
from lessons.figures.registry import FIGURES
from lessons.lesson_file import Part
from lessons.pages import match, quiz, shell
from lessons.progress import MARKS, Mastery


def show(part: Part, events: LearnerEvents | None = None) -> None:
    """`events` hears how the predictions of a figure go; without it the session alone remembers."""
    if part.kind == "text":
        st.markdown(part.text)
    elif part.kind == "note":
        with st.expander(part.value):
            st.markdown(part.text)
    elif part.kind == "figure":
        FIGURES[part.value](shell.words(), events)
    elif part.kind == "quiz":
        quiz.show(part.value)
    elif part.kind == "match":
        match.show(part.value)
    else:
        _exercise_card(part.value)


def _exercise_card(exercise_id: str) -> None:
    words = shell.words()
    exercise = catalogue.load(exercise_id)
    states = shell.store().states(shell.learner())
    with st.container(border=True, gap="xsmall", key=f"card_{exercise_id}"):
        shell.link(
            shell.exercise_slug(exercise_id),
            words("lesson.exercise", title=exercise.title.within(shell.language())),
            icon=":material/edit_note:",
        )
        st.caption(about(exercise, words))
        chip(words, progress.exercise_mastery(states, exercise_id))


def about(exercise: catalogue.Exercise, words: Words) -> str:
    """One line: what there is to do, how hard it is, and how long it takes."""
    key = "start.hunt_about" if any(exercise.starts.values()) else "start.exercise_about"
    slots = {"difficulty": exercise.difficulty, "minutes": exercise.minutes}
    return words(key, blanks=len(exercise.blank_ids), **slots)


def chip(words: Words, mastery: Mastery) -> None:
    """Mastery as a shape and a word; the colour only repeats them."""
    colour = {Mastery.NOT_STARTED: "gray", Mastery.IN_PROGRESS: "blue", Mastery.MASTERED: "green"}[mastery]
    st.markdown(f":{colour}-badge[{MARKS[mastery]} {words(f'mastery.{mastery}')}]", width="content")
