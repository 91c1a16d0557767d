"""The instructor's page: upload, grade, look, download.

Behind a password, and by the same functions as `python -m grader grade`.
"""
from __future__ import annotations

import hmac
import logging
import os
import shlex
from collections.abc import Callable
from typing import Any

import streamlit as st

from grader.catalogue import load
from grader.instructor import gate
from grader.instructor.uploads import MOST_BYTES, GradedBatch, grade_uploads, zipped
from grader.judge import Judge
from grader.language import LANGUAGES, NAMES, Words
from grader.reading.files import Unreadable
from grader.replaying import full_name
from grader.reports.gradebook import number, safe
from grader.reports.rows import Row
from grader.sandbox import Tier
from grader.wording import wording

ENTERED, BATCH = "instructor_ticket", "instructor_batch"  # keys of this session's state
JOBS = max(1, (os.cpu_count() or 2) - 1)  # students' checks go on meanwhile

log = logging.getLogger(__name__)


def render(words_language: str, judge_factory: Callable[[], Judge | None]) -> None:
    """The page in `words_language` (en or zh). `judge_factory` is asked for a judge only when there is work."""
    words = wording(words_language)
    st.title(words("page.title"))
    if not gate.is_set():
        st.info(words("page.shut"))
        st.markdown(words("page.how_to_open"))
    elif not _entered():
        _password(words)
    else:
        _desk(words, judge_factory)


def _entered() -> bool:
    return hmac.compare_digest(str(st.session_state.get(ENTERED, "")), gate.ticket())


def _client() -> str:
    """Who guesses. Behind a proxy all readers may share an address; then they share its waiting times."""
    return str(st.context.ip_address or "local")


def _password(words: Words) -> None:
    client = _client()
    with st.form("instructor_password", clear_on_submit=True, width=420):
        guess = st.text_input(words("page.password"), type="password", autocomplete="current-password")
        asked = st.form_submit_button(words("page.enter"), type="primary")
    if not asked:
        return
    if gate.GATE.enter(client, guess):
        st.session_state[ENTERED] = gate.ticket()
        st.rerun()
    wait = gate.GATE.wait(client)
    st.error(words("page.wait", seconds=int(wait) + 1) if wait > 0 else words("page.wrong"))


def _desk(words: Words, judge_factory: Callable[[], Judge | None]) -> None:
    batch: GradedBatch | None = st.session_state.get(BATCH)
    if batch is None:
        _uploading(words, judge_factory)
    else:
        _graded(words, batch)
    if st.button(words("page.leave"), type="tertiary"):
        for key in (ENTERED, BATCH):
            st.session_state.pop(key, None)
        st.rerun()


def _uploading(words: Words, judge_factory: Callable[[], Judge | None]) -> None:
    st.markdown(words("page.intro"))
    with st.form("instructor_upload"):
        uploads = st.file_uploader(
            words("page.upload"), type=["zip", "ipynb", "py"], accept_multiple_files=True, key="instructor_files"
        )
        language = st.radio(
            words("page.language"),
            LANGUAGES,
            index=LANGUAGES.index(words.language),
            format_func=NAMES.__getitem__,
            horizontal=True,
        )
        asked = st.form_submit_button(words("page.grade"), type="primary")
    if asked and not uploads:
        st.info(words("page.no_files"))
    elif asked and sum(upload.size for upload in uploads) > MOST_BYTES:
        st.error(words("page.too_much", limit=MOST_BYTES >> 20))
    elif asked:
        _grade([(upload.name, upload.getvalue()) for upload in uploads], str(language), words, judge_factory)


def _grade(
    files: list[tuple[str, bytes]], language: str, words: Words, judge_factory: Callable[[], Judge | None]
) -> None:
    judge = judge_factory()
    if judge is None or judge.tier is Tier.BASIC:
        st.error(words("page.no_judge"))
        return
    bar = st.progress(0.0, words("page.starting"))

    def progress(done: int, total: int, learner: str) -> None:
        bar.progress(done / total, words("page.working", done=done, total=total, learner=_plain(learner)))

    try:
        batch = grade_uploads(files, JOBS, language, judge, progress)
    except Unreadable as unreadable:
        st.error(words("page.failed", reason=_plain(unreadable.reason.within(words.language))))
    except Exception as error:  # a page never shows a traceback; the log has it
        log.exception("grading uploads failed")
        st.error(words("page.failed", reason=type(error).__name__))
    else:
        st.session_state[BATCH] = batch
        st.rerun()


def _graded(words: Words, batch: GradedBatch) -> None:
    person = sum(row.needs_a_person for row in batch.rows)
    st.success(words("page.graded", count=len(batch.rows), person=person))
    _downloads(words, batch)
    st.subheader(words("page.table"))
    narrow = {words("page.status"): st.column_config.TextColumn(width="medium")}  # the mistake stays in sight
    lines = [_line(row, words) | _worth_a_look(row, batch, words) for row in batch.rows]
    st.dataframe(lines, hide_index=True, column_config=narrow)
    if batch.rows:
        _one_report(words, batch)
    if st.button(words("page.again")):
        del st.session_state[BATCH]
        st.rerun()


def _downloads(words: Words, batch: GradedBatch) -> None:
    with st.container(horizontal=True):
        for key, data, name, mime in (
            ("download_gradebook", batch.gradebook, "gradebook.csv", "text/csv"),
            ("download_results", zipped(batch.results.items()), "gradescope-results.zip", "application/zip"),
            ("download_feedback", zipped(batch.pages.items()), "feedback.zip", "application/zip"),
        ):
            st.download_button(words(f"page.{key}"), data, name, mime, key=key, on_click="ignore")


def _line(row: Row, words: Words) -> dict[str, str]:
    """One line of the table. `safe`, because the table can be downloaded as CSV in the browser."""
    possible = sum(mark.possible for mark in row.marks.values())
    names = [_mistake(exercise_id, key, words) for exercise_id, mark in row.marks.items() for key in mark.mistakes]
    return {
        words("page.learner"): safe(row.learner),
        words("page.points"): f"{number(row.total)} / {number(possible)}" if row.total is not None else "",
        words("page.status"): safe(row.status()),
        words("page.mistake"): ", ".join(names),
    }


def _mistake(exercise_id: str, mistake_id: str, words: Words) -> str:
    known = {mistake.id: mistake.name for mistake in load(exercise_id).mistakes}
    return known[mistake_id].within(words.language) if mistake_id in known else mistake_id


@st.fragment
def _one_report(words: Words, batch: GradedBatch) -> None:
    st.subheader(words("page.open"))
    places = range(len(batch.rows))
    place = st.selectbox(
        words("page.of_learner"), places, format_func=lambda index: batch.rows[index].learner, key="instructor_learner"
    )
    row = batch.rows[place or 0]
    result = batch.result(row)
    st.text(result["output"])
    for exercise_id in row.marks:
        tests = [test for test in result["tests"] if test["extra_data"]["exercise"] == exercise_id]
        _exercise(exercise_id, tests, row.stem, words)
        _flags(batch.flags.get(row.stem, {}).get(exercise_id, []), words)
        for text in result["extra_data"]["course"]["blanks"][exercise_id].values():
            st.code(text, language="python", wrap_lines=True)
    name = f"{row.stem}.html"
    st.download_button(
        words("page.download_one"), batch.page(row), name, "text/html", key="download_one", on_click="ignore"
    )


def _exercise(exercise_id: str, tests: list[dict[str, Any]], stem: str, words: Words) -> None:
    st.markdown(f"**{load(exercise_id).title.within(words.language)}**")
    passed = []
    for test in tests:
        kept = test["extra_data"]
        seen = words("page.visible" if test["visibility"] == "visible" else "page.hidden")
        points = f"{number(test['score'])} / {number(test['max_score'])}"
        if kept["verdict"] == "pass":
            passed.append(f"- ✓ {test['name']} · {points} · {seen}")
            continue
        ended = words(f"verdict.{kept['verdict']}")
        with st.expander(f"✕ {test['name']} · {ended} · {points} · {seen}"):
            _values(kept, words)
            st.caption(words("page.replay"))
            st.code(_replay_command(stem, exercise_id, kept["check"]), language=None, wrap_lines=True)
    st.markdown("\n".join(passed))


def _worth_a_look(row: Row, batch: GradedBatch, words: Words) -> dict[str, str]:
    """One more cell, if the batch has any flag at all: how many things were noticed about this learner's answers."""
    count = sum(map(len, batch.flags.get(row.stem, {}).values()))
    return {words("page.flags"): str(count or "")} if batch.flags else {}


def _flags(noticed: list[str], words: Words) -> None:
    if noticed:
        st.markdown(f"**{words('page.flags')}**")
        st.caption(words("page.flags_say"))
        for line in noticed:
            st.text(f"⚑ {line}")


def _values(kept: dict[str, Any], words: Words) -> None:
    """What was called, returned and expected. Text of a student's making, so never as Markdown."""
    for key in ("called", "returned", "expected", "line"):
        if kept[key]:
            label = "error" if key == "returned" and kept["verdict"] != "fail" else key
            st.caption(words(f"feedback.{label}"))
            st.code(kept[key], language=None, wrap_lines=True)
    if kept["why"]:
        st.text(kept["why"])


def _replay_command(stem: str, exercise_id: str, check_id: str) -> str:
    """For a shell in the course's folder, the results unpacked into `results`."""
    return f"python -m grader replay {shlex.quote(f'results/{stem}.json')} {full_name(exercise_id, check_id)}"


def _plain(text: str) -> str:
    """Text from a file name in a widget that reads Markdown: every sign of it escaped."""
    return "".join(f"\\{one}" if one in r"\`*_{}[]()<>#+-.!|~:$&" else one for one in text if one.isprintable())
