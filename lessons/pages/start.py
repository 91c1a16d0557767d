"""The start page: what the course is, the map with the reader's progress, and the progress as a file."""
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
from lessons.lesson_file import lessons
from lessons.pages import shell
from lessons.progress import MARKS, Mastery

FILE_NAME = "course-progress.json"
LARGEST_IMPORT_MIB = 5


class Stop(NamedTuple):
    """One line of the map."""

    slug: str
    title: str
    about: str
    mastery: Mastery


def show() -> None:
    words = shell.words()
    states = shell.store().states(shell.learner())
    stops = list(_stops(shell.language(), states))
    st.title(words("start.title"))
    st.markdown(words("start.about"))
    _continue_button(words, stops)
    st.header(words("start.map"))
    for stop in stops:
        _row(words, stop)
    st.caption(words("start.rules"))
    _own_progress(words)


def _stops(language: shell.Language, states: Mapping[str, str]) -> Iterator[Stop]:
    """Lessons in order, each followed by its exercises; exercises without a lesson come last."""
    exercises = {name: catalogue.load(name) for name in catalogue.exercise_ids()}
    for lesson in lessons(language):
        yield Stop(shell.lesson_slug(lesson.id), lesson.title, lesson.summary, progress.lesson_mastery(states, lesson))
        for name in [name for name, exercise in exercises.items() if exercise.lesson == lesson.id]:
            yield _exercise_stop(exercises.pop(name), language, states)
    for exercise in exercises.values():
        yield _exercise_stop(exercise, language, states)


def _exercise_stop(exercise: catalogue.Exercise, language: shell.Language, states: Mapping[str, str]) -> Stop:
    mastery = progress.exercise_mastery(states, exercise.id)
    title = shell.words()("lesson.exercise", title=exercise.title.within(language))
    return Stop(shell.exercise_slug(exercise.id), title, about(exercise, shell.words()), mastery)


def about(exercise: catalogue.Exercise, words: Words) -> str:
    """One line: what there is to do, how hard it is, and how long it takes."""
    key = "start.hunt_about" if any(exercise.starts.values()) else "start.exercise_about"
    slots = {"difficulty": exercise.difficulty, "minutes": exercise.minutes}
    return words(key, blanks=len(exercise.blank_ids), **slots)


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


def _row(words: Words, stop: Stop) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"stop_{stop.slug}"):
        with st.container(gap="xxsmall"):
            shell.link(stop.slug, stop.title)
            st.caption(stop.about)
        chip(words, stop.mastery)


def chip(words: Words, mastery: Mastery) -> None:
    """Mastery as a shape and a word; the colour only repeats them."""
    colour = {Mastery.NOT_STARTED: "gray", Mastery.IN_PROGRESS: "blue", Mastery.MASTERED: "green"}[mastery]
    st.markdown(f":{colour}-badge[{MARKS[mastery]} {words(f'mastery.{mastery}')}]", width="content")


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
