"""A lesson: its Markdown, its figures where the file places them, its exercise, and the way on."""
from __future__ import annotations

import streamlit as st

from lessons import lesson_file, progress
from lessons.lesson_file import Lesson
from lessons.pages import parts, shell


def show(lesson_id: str) -> None:
    every = lesson_file.lessons(shell.language())
    place = next(number for number, lesson in enumerate(every) if lesson.id == lesson_id)
    lesson = every[place]
    events = progress.LessonEvents(shell.store(), shell.learner(), lesson.id)
    events.opened()
    st.title(lesson.title)
    _standing(lesson)
    for part in lesson.parts:
        parts.show(part, events)
    _neighbours(every, place)


def _standing(lesson: Lesson) -> None:
    """How far the reader is on this page, and the rule that decides it."""
    words = shell.words()
    states = shell.store().states(shell.learner())
    answered = sum(progress.figure_item(lesson.id, figure) in states for figure in lesson.figures)
    with st.container(horizontal=True, vertical_alignment="center"):
        parts.chip(words, progress.lesson_mastery(states, lesson))
        if lesson.figures:
            st.caption(words("lesson.rule", answered=answered, all=len(lesson.figures)), width="content")


def _neighbours(every: tuple[Lesson, ...], place: int) -> None:
    """Previous and next lesson; before the first one and behind the last one is the start page."""
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
        else:
            shell.link("", words("lesson.to_start"), on)
