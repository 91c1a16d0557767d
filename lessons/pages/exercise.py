"""An exercise: the task, the code editor, checking and submitting, help, and the student's own rule in the figure."""
from __future__ import annotations

from datetime import timedelta, timezone
from itertools import pairwise

import nbformat
import streamlit as st

from grader import catalogue, leniency, notebooks
from grader.catalogue import Exercise
from grader.judge import Judge
from grader.language import Words
from grader.reports.gradebook import number
from grader.store import Attempt
from grader.verdicts import Verdict
from grader.wording import wording
from lessons import lesson_file, progress
from lessons.figures.registry import DRIVEN_BY_A_RULE
from lessons.pages import answering, parts, shell
from lessons.pages.bench import Bench, open_bench, page_words
from lessons.pages.hints_and_answer import show_answer, show_hints
from lessons.pages.own_rule import OwnRule
from lessons.pages.results import outcome
from lessons.pages.start import course_map


def show(exercise_id: str) -> None:
    exercise, words = catalogue.load(exercise_id), page_words()
    st.title(exercise.title.within(words.language))
    _about(exercise, words)
    st.markdown(exercise.prompt.within(words.language))
    st.caption(leniency.told(exercise.lenient, wording(words.language)))
    _workbench(exercise_id)
    _onward(exercise_id)


def _about(exercise: Exercise, words: Words) -> None:
    slots = {"difficulty": exercise.difficulty, "minutes": exercise.minutes, "points": number(exercise.points)}
    st.caption(words("exercise.about", **slots))
    if exercise.lesson in {lesson.id for lesson in lesson_file.lessons(shell.language())}:
        shell.link(shell.lesson_slug(exercise.lesson), words("exercise.lesson"), icon=":material/menu_book:")


def _onward(exercise_id: str) -> None:
    """The way on, as on the map: its chapter's next exercise, the next chapter, or back to the start."""
    words = shell.words()
    stops = [stop for row in course_map(shell.language(), {}) for stop in row.stops]
    following = {stop.slug: after for stop, after in pairwise(stops)}.get(shell.exercise_slug(exercise_id))
    st.divider()
    with st.container(horizontal=True, horizontal_alignment="right"):
        if following:
            label = words("lesson.onward", title=following.title)
            shell.link(following.slug, label, ":material/arrow_forward:")
        else:
            shell.link("", words("lesson.to_start"), ":material/arrow_forward:")


@st.fragment
def _workbench(exercise_id: str) -> None:
    """Everything that depends on the typed code, in one fragment: inputs and their buttons must rerun together."""
    bench = open_bench(exercise_id)
    with st.container(horizontal=True, vertical_alignment="center", key="your_code"):
        st.header(bench.words("exercise.code"), anchor=False, width="content")
        mastery = st.container(width="content")
        plain = answering.plain_switch(bench)
    wants_check = False
    if plain:
        answering.plain_inputs(bench)
    else:
        wants_check = answering.editor(bench)
    judge = shell.judge_or_explain()  # after the inputs: the first call may take a second
    fresh = answering.buttons(bench, judge, wants_check)
    answering.latest(bench, fresh)
    with mastery:
        parts.chip(shell.words(), progress.exercise_mastery(bench.store.states(bench.learner), exercise_id))
    attempts = bench.store.attempts(bench.learner, exercise_id)
    show_hints(bench.exercise, bench.words, tried=bool(attempts) or answering.has_result(bench))
    show_answer(bench.exercise, attempts, bench.words)
    _own_rule(bench, judge)
    _attempts(bench, attempts)
    _take_along(bench)


def _own_rule(bench: Bench, judge: Judge | None) -> None:
    """The figure driven by the reader's own function, for an exercise that has such a figure."""
    draw = DRIVEN_BY_A_RULE.get(bench.exercise.figure)
    if draw is None or judge is None:
        return
    words = bench.words
    st.header(words("figure.title"), anchor=False)
    st.markdown(words("figure.about"))
    if not st.toggle(words("figure.switch"), key=f"own_rule.{bench.exercise.id}", persist_state="session"):
        return
    if bench.open:
        st.info(words("figure.empty"))
        return
    events = progress.LessonEvents(bench.store, bench.learner, bench.exercise.lesson)
    draw(shell.words(), events, rule=_rule(bench, judge))


def _rule(bench: Bench, judge: Judge) -> OwnRule:
    """The same object while the code stays the same, so that it keeps what it has computed."""
    key = f"rule.{bench.exercise.id}"
    rule: OwnRule | None = st.session_state.get(key)
    if rule is None or rule.blanks != bench.draft.blanks:
        shape = bench.words("figure.shape")
        rule = OwnRule(judge, bench.exercise, bench.draft.blanks, shape, bench.learner)
        st.session_state[key] = rule
    return rule


def _attempts(bench: Bench, attempts: list[Attempt]) -> None:
    if not attempts:
        return
    words = bench.words
    zone = timezone(-timedelta(minutes=st.context.timezone_offset or 0))  # the browser counts westward
    with st.expander(words("exercise.attempts", count=len(attempts))):
        st.table(
            [
                {
                    words("exercise.when"): f"{attempt.at.astimezone(zone):%Y-%m-%d %H:%M}",
                    words("exercise.points"): f"{number(attempt.earned)} / {number(attempt.possible)}",
                    words("exercise.outcome"): outcome(Verdict(attempt.verdict), words.language),
                }
                for attempt in reversed(attempts)
            ],
            hide_index=True,
        )


def _take_along(bench: Bench) -> None:
    """The same exercise as files: the typed code, and the notebook."""
    exercise, words = bench.exercise, bench.words
    filled = {name: text for name, text in bench.draft.blanks.items() if text.strip()}
    with st.expander(words("exercise.take_along")):
        st.markdown(words("exercise.take_along_about"))
        with st.container(horizontal=True):
            st.download_button(
                words("exercise.python_file"),
                data=exercise.fill(filled),
                file_name=f"{exercise.id}.py",
                mime="text/x-python",
                on_click="ignore",
            )
            st.download_button(
                words("exercise.notebook"),
                data=lambda: _notebook(exercise, words.language),
                file_name=f"{exercise.id}.ipynb",
                mime="application/x-ipynb+json",
                on_click="ignore",
            )


def _notebook(exercise: Exercise, language: str) -> str:
    text: str = nbformat.writes(notebooks.notebook(exercise, language))  # type: ignore[no-untyped-call]
    return text
