"""A lesson: its Markdown, its figures where the file places them, its exercise, and the way on."""
from __future__ import annotations

import streamlit as st

from grader import catalogue
from lessons import lesson_file, progress
from lessons.figures.registry import FIGURES
from lessons.lesson_file import Lesson, Part
from lessons.pages import match, quiz, shell
from lessons.pages.start import about, chip


def show(lesson_id: str) -> None:
    every = lesson_file.lessons(shell.language())
    place = next(number for number, lesson in enumerate(every) if lesson.id == lesson_id)
    lesson = every[place]
    events = progress.LessonEvents(shell.store(), shell.learner(), lesson.id)
    events.opened()
    st.title(lesson.title)
    _standing(lesson)
    for part in lesson.parts:
        _part(part, events)
    _neighbours(every, place)


def _standing(lesson: Lesson) -> None:
    """How far the reader is on this page, and the rule that decides it."""
    words = shell.words()
    states = shell.store().states(shell.learner())
    answered = sum(progress.figure_item(lesson.id, figure) in states for figure in lesson.figures)
    with st.container(horizontal=True, vertical_alignment="center"):
        chip(words, progress.lesson_mastery(states, lesson))
        if lesson.figures:
            st.caption(words("lesson.rule", answered=answered, all=len(lesson.figures)), width="content")


def _part(part: Part, events: progress.LessonEvents) -> None:
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


def _neighbours(every: tuple[Lesson, ...], place: int) -> None:
    """Previous and next lesson; the first one's previous is the start page."""
    words = shell.words()
    back, on = ":material/arrow_back:", ":material/arrow_forward:"
    st.divider()
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        before = every[place - 1] if place else None
        if before:
            shell.link(shell.lesson_slug(before.id), words("lesson.previous", title=before.title), back)
        else:
            shell.link("", words("lesson.to_start"), back)
        if place + 1 < len(every):
            after = every[place + 1]
            shell.link(shell.lesson_slug(after.id), words("lesson.next", title=after.title), on)
