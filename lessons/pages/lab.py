"""The lab: how fast a batch is verified on this machine, by several ways, and whether each is right."""
from __future__ import annotations

from pathlib import Path

import streamlit as st

from grader.language import Words, flowing
from grader.language import words as language_file
from lessons.figures import palette
from lessons.figures.chart import CONFIG
from lessons.figures.frame import plain
from lessons.lab import chart, limits, report
from lessons.lab.line import Line, Refused, State, Ticket
from lessons.pages import bench, lab_choice, shell

TEXTS = Path(__file__).resolve().parent.parent / "lab" / "texts"
LINE = Line()  # one for the process: one run at a time, whoever asks
TICKET, SHOWN = "lab.ticket", "lab.shown"
EVERY = 1.0  # seconds between two looks at a run
STORY = ("bytes", "textbook", "logits", "duty")


def show() -> None:
    words = language_file(TEXTS, shell.language())
    st.title(words("title"))
    st.markdown(flowing(words("intro")))
    _ask(words.language)
    ticket = _ticket()
    if ticket is not None:
        st.fragment(_watch, run_every=EVERY if ticket.open else None)(words.language)
    for part in STORY:
        st.subheader(words(f"story.{part}.title"))
        st.markdown(flowing(words(f"story.{part}.text")))
    st.markdown(flowing(words("sources")))


def _ticket() -> Ticket | None:
    found: Ticket | None = st.session_state.get(TICKET)
    return found


@st.fragment
def _ask(language: str) -> None:
    """The choices, and the button that gets in line."""
    words = language_file(TEXTS, language)
    with st.container(border=True):
        st.subheader(words("ask"), anchor="lab-choice")
        with st.spinner(words("looking")):
            devices = limits.devices()
        exercise = bench.open_bench(lab_choice.EXERCISE)
        judge = shell.judge().judge
        choice = lab_choice.inputs(words, devices, own=judge is not None and not exercise.open)
        ticket = _ticket()
        busy = ticket is not None and ticket.open
        if st.button(words("run_now"), key="lab_run", type="primary", disabled=choice is None or busy) and choice:
            own = {"blanks": exercise.draft.blanks, "tier": str(judge.tier)} if judge and "own" in choice.runs else None
            try:
                st.session_state[TICKET] = LINE.enter(shell.learner(), {"choice": choice.as_data(), "own": own})
            except Refused as refused:
                st.warning(words(str(refused)))
            else:
                st.rerun()


def _watch(language: str) -> None:
    """The run's progress while it is on, then what it found. Asking for its place says that the reader is there."""
    ticket, words = _ticket(), language_file(TEXTS, language)
    if ticket is None:
        return
    before = LINE.place(ticket)
    if ticket.open:
        _progress(ticket, before, words)
        return
    just_ended = st.session_state.get(SHOWN) is not ticket
    if just_ended:
        st.session_state[SHOWN] = ticket
        st.rerun()  # the whole page: it stops looking every second, and the button works again
    if ticket.result is not None and ticket.state is State.DONE:
        _result(report.Result(ticket.result), words)
    else:
        st.warning(words(f"state.{ticket.state}"))


def _progress(ticket: Ticket, before: int, words: Words) -> None:
    told = ticket.progress
    if before or not told:
        text = words("state.waiting", count=before) if before else words("state.running")
    else:
        run = words(f"run.{told['run']}") if told["run"] else ""
        text = words(f"stage.{told['stage']}", run=run)
    st.progress(float(told.get("part", 0.0)), text=text)
    st.button(words("cancel"), key="lab_cancel", on_click=LINE.cancel, args=(ticket,))


def _result(result: report.Result, words: Words) -> None:
    with st.container(border=True):
        st.subheader(words("found"), anchor="lab-result")
        fact = report.sentence(result, words)
        st.markdown(plain(fact))
        if result.timed:
            st.html(f"<style>{palette.css_for_charts()}</style>")
            st.plotly_chart(chart.draw(result, words), key="lab_chart", config=CONFIG, alt=fact)
        st.markdown(plain(report.facts(result, words)))
        with st.container(key="lab_table"):
            st.markdown(_markdown(report.table(result, words)))
        for note in report.notes(result, words):
            st.caption(plain(note))
        st.caption(words("measured_on", line=plain(report.environment(result, words))))
        with st.expander(words("columns.title")):
            st.markdown(flowing(words("columns.text")))
        with st.expander(words("csv.title")):
            text = report.as_csv(result)
            st.download_button(words("csv.download"), text, "verification-lab.csv", "text/csv", on_click="ignore")
            st.code(text, language=None)


def _markdown(lines: list[dict[str, str]]) -> str:
    """A Markdown table: a wide one scrolls in its own place."""
    rows = [list(lines[0]), ["---"] * len(lines[0]), *(map(plain, line.values()) for line in lines)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
