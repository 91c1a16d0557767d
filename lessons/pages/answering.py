"""Answering an exercise: the inputs, Check and Submit, and the latest report."""
from __future__ import annotations

import json
from dataclasses import dataclass

import streamlit as st

from grader.catalogue import BLANK
from grader.judge import Judge, seed_for
from grader.verdicts import Report
from lessons.pages import shell
from lessons.pages.bench import Bench
from lessons.pages.editor import code_editor
from lessons.pages.results import show_report
from lessons.progress import Mastery, exercise_item
from lessons.running import ANSWERS


@dataclass(frozen=True)
class Judged:
    """The latest report on the page, and the code that it is about."""

    report: Report
    blanks: dict[str, str]
    submitted: bool


def plain_switch(bench: Bench) -> bool:
    """Whether the reader prefers a text field for each blank."""
    return st.toggle(
        bench.words("exercise.plain"),
        key="plain_mode",
        help=bench.words("exercise.plain_help"),
        persist_state="session",
        on_change=bench.draft.renew,
    )


def editor(bench: Bench) -> bool:
    """The code editor. True where Ctrl+Enter asks for a check."""
    exercise, words = bench.exercise, bench.words
    typed = code_editor(
        exercise.stub.rstrip("\n").split(BLANK),
        bench.draft.blanks,
        bench.labels,
        exercise.columns,
        key=f"editor_{exercise.id}_{words.language}",
        revision=bench.draft.revision,
        label=words("editor.label", title=bench.say(exercise.title), count=len(exercise.blank_ids)),
        words=words,
    )
    bench.draft.keep({name: typed.blanks.get(name, "") for name in exercise.blank_ids})
    return typed.check


def plain_inputs(bench: Bench) -> None:
    """The stub with numbered blanks, and one field for each."""
    pieces = bench.exercise.stub.rstrip("\n").split(BLANK)
    numbered = pieces[0] + "".join(f"___({number})___{after}" for number, after in enumerate(pieces[1:], 1))
    st.code(numbered, language="python", wrap_lines=True)
    columns = zip(bench.numbered.items(), bench.exercise.columns, strict=True)
    bench.draft.keep({name: _field(bench, name, label, column is not None) for (name, label), column in columns})


def _field(bench: Bench, name: str, label: str, statements: bool) -> str:
    """Statements get several lines, and a text that has several, from the editor, keeps them."""
    text = bench.draft.blanks.get(name, "")
    key = f"plain.{bench.exercise.id}.{name}.{bench.draft.revision}"
    st.session_state.setdefault(key, text)
    if statements or "\n" in text:
        return st.text_area(label, key=key, height="content") or ""
    return st.text_input(label, key=key) or ""


def buttons(bench: Bench, judge: Judge | None, wants_check: bool) -> bool:
    """Check, Submit and Start over. Without a judge the first two are off. True where there is a fresh report."""
    words, off = bench.words, judge is None
    with st.container(horizontal=True):
        check = st.button(words("exercise.check"), key="check", help=words("exercise.check_help"), disabled=off)
        submit = st.button(
            words("exercise.submit"), key="submit", help=words("exercise.submit_help"), disabled=off, type="primary"
        )
        _start_over(bench)
    if judge is None or not (check or submit or wants_check):
        return False
    _judge(bench, judge, submitted=submit)
    return has_result(bench)


def has_result(bench: Bench) -> bool:
    """Whether this session has judged the exercise."""
    return _place(bench) in st.session_state


def latest(bench: Bench, fresh: bool) -> None:
    """The latest report stays on the page while the reader types on, and says when it is out of date.

    A fresh one comes into view, and only in the run that made it: nothing moves by itself later.
    """
    judged: Judged | None = st.session_state.get(_place(bench))
    if judged is None:
        return
    if judged.blanks != bench.draft.blanks:
        st.caption(bench.words("exercise.changed"))
    show_report(judged.report, bench.words, judged.submitted)
    if fresh:
        script = (shell.ASSETS / "result.js").read_text("utf-8")
        st.html(f"<script>\n{script}</script>", unsafe_allow_javascript=True)


def _start_over(bench: Bench) -> None:
    """Back to what was handed out, after a question."""
    with st.popover(bench.words("exercise.reset"), type="tertiary"):
        st.markdown(bench.words("exercise.reset_warning"))
        st.button(bench.words("exercise.reset_yes"), key="reset", on_click=_put_back, args=(bench,))


def _put_back(bench: Bench) -> None:
    bench.draft.clear()
    st.session_state.pop(_place(bench), None)


def _judge(bench: Bench, judge: Judge, submitted: bool) -> None:
    """Run the checks. A submission is in the store before the page says so; one the judge failed on is not kept."""
    exercise, blanks = bench.exercise, bench.draft.blanks
    if bench.open:
        st.session_state.pop(_place(bench), None)
        _ask_to_fill(bench)
        return
    seed = seed_for(json.dumps(blanks, sort_keys=True).encode(), exercise.id)
    with ANSWERS.turn(bench.learner) as free:
        if not free:  # in another tab, or on another device
            st.info(bench.words("exercise.still_judging"))
            return
        with st.spinner(bench.words("exercise.judging")):
            report = judge.judge_blanks(exercise, blanks, hidden=submitted, seed=seed)
    if submitted and not report.judge_fault:
        bench.store.save_attempt(bench.learner, exercise.id, blanks, report)
        state = Mastery.MASTERED if report.passed else Mastery.IN_PROGRESS
        bench.store.mark(bench.learner, exercise_item(exercise.id), state)
    st.session_state[_place(bench)] = Judged(report, blanks, submitted)


def _ask_to_fill(bench: Bench) -> None:
    for kind, labels in (("empty", bench.empty), ("untouched", bench.untouched)):
        if labels:
            key = f"exercise.{kind}_one" if len(labels) == 1 else f"exercise.{kind}_many"
            st.info(bench.words(key, blanks=bench.words("exercise.and").join(labels)))


def _place(bench: Bench) -> str:
    return f"result.{bench.learner}.{bench.exercise.id}"
