"""The start page: what the course is, the map with the reader's progress, the card, and the progress as a file."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import streamlit as st

from grader import catalogue
from grader.language import Words
from grader.store import NotAnExport
from lessons import progress
from lessons.figures.frame import plain
from lessons.lesson_file import Lesson, lessons, start_page
from lessons.pages import parts, shell
from lessons.progress import Mastery

FILE_NAME = "course-progress.json"
LARGEST_IMPORT_MIB = 5
SHARES = (11, 9)  # of a row's width: the chapter, its exercises


class Stop(NamedTuple):
    """A chapter or an exercise on the map. `label` names it there, `title` where it stands alone."""

    slug: str
    label: str
    title: str
    about: str
    mastery: Mastery


class Row(NamedTuple):
    """One row of the map: a chapter and its exercises. The last row may have exercises without a chapter."""

    chapter: Stop | None
    exercises: tuple[Stop, ...]

    @property
    def stops(self) -> tuple[Stop, ...]:
        return (*([self.chapter] if self.chapter else []), *self.exercises)


def show() -> None:
    words, page = shell.words(), start_page(shell.language())
    states = shell.store().states(shell.learner())
    rows = list(course_map(shell.language(), states))
    st.title(page.title)
    st.markdown(page.summary)
    _continue_button(words, [stop for row in rows for stop in row.stops])
    _map(words, rows)
    for part in page.parts:
        parts.show(part)
    _own_progress(words)


def course_map(language: shell.Language, states: Mapping[str, str]) -> Iterator[Row]:
    """Chapters in order, each with its exercises; exercises without a chapter come last."""
    exercises = {name: catalogue.load(name) for name in catalogue.exercise_ids()}
    for lesson in lessons(language):
        own = [name for name, exercise in exercises.items() if exercise.lesson == lesson.id]
        written = tuple(_exercise(exercises.pop(name), language, states) for name in own)
        yield Row(_chapter(lesson, states), written)
    if exercises:
        yield Row(None, tuple(_exercise(exercise, language, states) for exercise in exercises.values()))


def _chapter(lesson: Lesson, states: Mapping[str, str]) -> Stop:
    label = f"{lesson.order} · {lesson.title}"
    mastery = progress.lesson_mastery(states, lesson)
    return Stop(shell.lesson_slug(lesson.id), label, lesson.title, lesson.summary, mastery)


def _exercise(exercise: catalogue.Exercise, language: shell.Language, states: Mapping[str, str]) -> Stop:
    name, words = exercise.title.within(language), shell.words()
    title, mastery = words("lesson.exercise", title=name), progress.exercise_mastery(states, exercise.id)
    return Stop(shell.exercise_slug(exercise.id), name, title, parts.about(exercise, words), mastery)


def _continue_button(words: Words, stops: list[Stop]) -> None:
    """One way on: to the first thing that isn't mastered."""
    following = next((stop for stop in stops if stop.mastery is not Mastery.MASTERED), None)
    if following is None:
        st.success(words("start.all_done"))
        return
    fresh = all(stop.mastery is Mastery.NOT_STARTED for stop in stops)
    label = words("start.begin" if fresh else "start.continue", title=following.title)
    if st.button(label, type="primary"):
        shell.go(following.slug)


def _map(words: Words, rows: list[Row]) -> None:
    st.header(words("start.map"))
    with st.container(gap="xsmall", key="map"):
        with st.container(key="map_head"):
            for column, heading in zip(st.columns(SHARES), ("start.read", "start.write"), strict=True):
                column.caption(words(heading))
        for number, row in enumerate(rows):
            with st.container(key=f"map_row_{number}"):
                left, right = st.columns(SHARES)
                with left:
                    _stop(words, row.chapter) if row.chapter else st.caption(words("start.further"))
                with right, st.container(gap="xsmall"):
                    for stop in row.exercises:
                        _stop(words, stop)


def _stop(words: Words, stop: Stop) -> None:
    with st.container(gap=None, key=f"stop_{stop.slug}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            shell.link(stop.slug, stop.label)
            parts.chip(words, stop.mastery)
        st.caption(stop.about)


def _own_progress(words: Words) -> None:
    st.header(words("progress.title"))
    st.markdown(words("progress.how") if shell.is_remembered() else words("progress.session_only"))
    _say_what_happened()
    store, learner = shell.store(), shell.learner()  # asked for here: the download runs outside the reader's session
    with st.container(horizontal=True):
        st.download_button(
            words("progress.export"),
            data=lambda: json.dumps(store.export(learner), ensure_ascii=False, indent=1),
            file_name=FILE_NAME,
            mime="application/json",
            on_click="ignore",
        )
        if st.button(words("progress.reset")):
            _confirm_reset(words)
    _import(words)


def _import(words: Words) -> None:
    """Choosing a file imports it: nothing can be lost, what is kept here is only added to."""
    key = f"import_{st.session_state.setdefault('imports', 0)}"  # a new key empties the chooser
    with st.expander(words("progress.import")):
        st.file_uploader(
            words("progress.choose"),
            type="json",
            max_upload_size=LARGEST_IMPORT_MIB,
            key=key,
            on_change=_take_in,
            args=(words, key),
        )


def _take_in(words: Words, key: str) -> None:
    chosen = st.session_state[key]
    st.session_state["imports"] += 1
    try:
        shell.store().import_(shell.learner(), json.loads(chosen.getvalue().decode("utf-8-sig")))
    except NotAnExport as problem:
        slots = {"name": chosen.name, "problem": problem.text.within(words.language)}
        _tell("error", plain(words("progress.not_progress", **slots)))
    except (ValueError, RecursionError):  # no UTF-8, no JSON, or nested without end
        _tell("error", plain(words("progress.not_json", name=chosen.name)))
    else:
        _tell("success", words("progress.imported"))


def _confirm_reset(words: Words) -> None:
    @st.dialog(words("progress.reset_title"))
    def dialog() -> None:
        st.markdown(words("progress.reset_warning"))
        with st.container(horizontal=True):
            if st.button(words("progress.reset_yes")):
                shell.store().reset(shell.learner())
                _tell("success", words("progress.reset_done"))
                st.rerun()
            if st.button(words("progress.reset_no")):
                st.rerun()

    dialog()


def _tell(kind: str, message: str) -> None:
    """For the next run of the page, which shows the changed map."""
    st.session_state["progress_message"] = (kind, message)


def _say_what_happened() -> None:
    kind, message = st.session_state.pop("progress_message", ("", ""))
    if kind == "error":
        st.error(message)
    elif kind:
        st.success(message)
