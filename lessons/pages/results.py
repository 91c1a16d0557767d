"""The judge's report on a page: a verdict, the known mistake, and one card a check.

What a student's code said or returned is shown as text or code only, never as markup.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from grader.language import Words
from grader.reports.gradebook import number
from grader.verdicts import CheckResult, Report, Verdict
from grader.wording import wording

_COLOURS = {Verdict.PASS: "green", Verdict.FAIL: "orange", Verdict.ERROR: "orange", Verdict.MISSING: "gray"}


def show_report(report: Report, words: Words, submitted: bool) -> None:
    """`submitted`: every check ran and the attempt is stored; else only the visible checks ran."""
    if report.judge_fault:
        st.error(words("result.fault"))
        st.text(report.judge_fault)
        return
    _headline(report, words, submitted)
    for _, message in report.mistakes:
        st.warning(f"**{words('result.mistake')}**\n\n{message.within(words.language)}")
    for note in report.notes:
        st.text(note.within(words.language))
    failures = [result for result in report.checks if result.verdict is not Verdict.PASS]
    if _stops_everywhere(report):
        with st.container(border=True, key="same_end"):
            st.markdown(f"**{words('result.same_end')}**")
            _details(replace(failures[0], called=""), words)
        _folded("result.all_checks", failures, words)
    else:
        for result in failures:
            _card(result, words)
    passed = [result for result in report.checks if result.verdict is Verdict.PASS]
    _folded("result.passed_checks", passed, words)


def outcome(verdict: Verdict, language: str) -> str:
    """The judge's own words for a verdict."""
    return wording(language)(f"verdict.{verdict}")


def chip(verdict: Verdict, words: Words) -> None:
    """The verdict as a shape and a word; the colour only repeats them."""
    st.badge(f"{verdict.sign} {outcome(verdict, words.language)}", color=_COLOURS.get(verdict, "violet"))  # type: ignore[arg-type]


def _headline(report: Report, words: Words, submitted: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="headline"):
        chip(report.verdict, words)
        st.markdown(f"**{words('result.submitted' if submitted else 'result.checked')}**", width="content")
        st.markdown(_score(report, words, submitted), width="content")
    if report.passed:
        st.success(words("result.all_done" if submitted else "result.next_submit"))


def _score(report: Report, words: Words, submitted: bool) -> str:
    if submitted:
        possible = sum(check.points for check in report.checks)
        return words("result.points", earned=number(report.earned), points=number(possible))
    passed = sum(check.verdict is Verdict.PASS for check in report.checks)
    return words("result.of_visible", passed=passed, count=len(report.checks))


def _card(result: CheckResult, words: Words) -> None:
    with st.container(border=True, key=f"check_{result.check_id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            chip(result.verdict, words)
            st.markdown(f"**{result.title.within(words.language)}**", width="content")
            st.caption(" · ".join(_labels(result, words)), width="content")
        if not result.visible:
            st.markdown(result.idea.within(words.language))
        elif result.verdict is not Verdict.PASS:
            _details(result, words)


def _labels(result: CheckResult, words: Words) -> Iterable[str]:
    yield words(f"result.group.{result.group}")
    if not result.visible:
        yield words("result.hidden_check")
    yield words("result.worth", points=number(result.points))


def _details(result: CheckResult, words: Words) -> None:
    """Called, returned, expected and why: of a visible check only."""
    with st.container(gap="xsmall"):
        _labelled("called", result.called, words)
        if result.verdict is Verdict.FAIL:
            returned, expected = st.columns(2, gap="small")
            with returned:
                _labelled("returned", result.returned, words)
            with expected:
                _labelled("expected", result.expected, words)
        else:
            _labelled("error", result.returned, words)
            _labelled("line", result.line, words)
        if result.why:
            st.caption(words("result.why"))
            st.text(result.why.within(words.language))


def _labelled(name: str, text: str, words: Words) -> None:
    if text:
        st.caption(words(f"result.{name}"))
        st.code(text, language=None, wrap_lines=True)


def _stops_everywhere(report: Report) -> bool:
    """Whether the code ends in the same error whatever it is asked: then one telling is enough."""
    gave_values = report.verdict in (Verdict.PASS, Verdict.FAIL)
    ends = {(result.verdict, result.returned, result.line) for result in report.checks}
    return not gave_values and len(report.checks) > 1 and len(ends) == 1


def _folded(title: str, results: list[CheckResult], words: Words) -> None:
    if results:
        with st.expander(words(title, count=len(results))):
            for result in results:
                _card(result, words)
