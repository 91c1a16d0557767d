"""The lab's page without a browser: what it offers, what it refuses, a run from the button to the table."""
from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from grader import catalogue
from grader.known_mistakes import solution_blanks
from grader.language import LANGUAGES, Words
from lessons.judging import Access
from lessons.lab import chart, limits, report
from lessons.lab.line import Line, State, Ticket
from lessons.pages import lab, lab_choice, shell
from solutions.lab.choice import GIB, Choice
from solutions.lab.measure_torch import Outcome

ENVIRONMENT = {"device": "A chip", "processor": "2 x A chip", "threads": "1", "system": "Linux", "torch": "2"}


def outcome(run: str, **changed: Any) -> dict[str, Any]:
    measured = {"equal": 16, "law_error": 0.0, "peak": 2**20, "seconds": 0.001, "best": 0.0009, "calls": 9}
    return vars(Outcome(run, **(measured | changed)))


def event(**changed: Any) -> dict[str, Any]:
    outcomes = [
        outcome("naive", seconds=0.02),
        outcome("textbook", seconds=0.01, equal=13, boundary=1, wrong=2),
        outcome("numpy", seconds=0.0004, equal=15, boundary=1, peak=None),
        outcome("eager", law_error=0.25),
        vars(Outcome("compiled", "skipped", "no_compiler")),
        vars(Outcome("own", "failed", message="ValueError: a `bad` *answer*")),
    ]
    found = {"event": "result", "choice": Choice().as_data(), "environment": ENVIRONMENT, "outcomes": outcomes}
    return found | {"bandwidth": 3e10, "alpha": 0.79, "bytes": 3e6, "cold": True, "draft_tokens": 64, **changed}


class Held(Line):
    """A line whose runs are told by the test."""

    def enter(self, learner: str, request: dict[str, Any]) -> Ticket:
        self.ticket = Ticket(learner, request)
        return self.ticket

    def place(self, ticket: Ticket) -> int:
        return 0

    def cancel(self, ticket: Ticket) -> None:
        ticket.state = State.CANCELLED


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Held:
    monkeypatch.setenv("COURSE_DATABASE_URL", f"sqlite:///{tmp_path / 'course.db'}")
    monkeypatch.setenv("COURSE_SECRET_KEY", "a key for the lab's page")
    monkeypatch.setattr(limits, "devices", lambda: {"cpu": "A chip"})
    monkeypatch.setattr(shell, "judge", lambda: Access(None))
    one = Held()
    monkeypatch.setattr(lab, "LINE", one)
    return one


def page() -> None:
    from lessons.pages import lab

    lab.show()


def opened(language: str = "en") -> AppTest:
    test = AppTest.from_function(page, default_timeout=60)
    test.query_params["lang"] = language
    return ran(test)


def ran(changed: Any) -> AppTest:
    """The page, or a control of it that was changed."""
    test: AppTest = changed.run()
    assert not test.exception, test.exception
    return test


def said(test: AppTest) -> str:
    parts = (*test.markdown, *test.caption, *test.warning, *test.error, *test.info)
    return "\n".join(str(one.value) for one in parts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_from_the_button_to_the_table(held: Held, language: str) -> None:
    words = Words(lab.TEXTS, language)
    test = opened(language)
    assert words("story.duty.title") in [one.value for one in test.subheader]
    ran(test.button(key="lab_run").click())
    assert held.ticket.request == {"choice": Choice().as_data(), "own": None}
    assert test.button(key="lab_run").disabled
    held.ticket.state, held.ticket.progress = State.RUNNING, {"part": 0.4, "stage": "check", "run": "numpy"}
    ran(test)
    held.ticket.result, held.ticket.state = event(), State.DONE
    ran(test)
    assert not test.button(key="lab_run").disabled
    table = next(one.value for one in test.markdown if one.value.startswith("| " + words("column.run")))
    assert len(table.splitlines()) == 2 + 6 and words("run.naive") in table
    assert words("reason.no_compiler", run=words("run.compiled")).rstrip(".。") in said(test).replace("\\", "")


def test_cancel_ends_the_run_and_says_so(held: Held) -> None:
    test = opened()
    ran(test.button(key="lab_run").click())
    ran(test.button(key="lab_cancel").click())
    assert held.ticket.state is State.CANCELLED
    ran(test)
    assert "Cancelled" in said(test) and not test.button(key="lab_run").disabled


def test_what_does_not_fit_names_the_size_the_limit_and_what_does(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "limit", lambda: GIB)
    test = opened()
    test.selectbox(key="lab.requests").set_value(4096)
    ran(test.selectbox(key="lab.size").set_value(128256))
    assert test.button(key="lab_run").disabled
    [error] = [one.value for one in test.error]
    assert "B = 4,096, K = 4, V = 128,256 in float32 needs about" in error and "1.0 GiB now" in error
    assert "Choose B = 16 or less" in error
    monkeypatch.setattr(limits, "limit", lambda: 2**20)
    assert "no batch of this K fits" not in ran(test).error[0].value
    monkeypatch.setattr(limits, "limit", lambda: 1)
    assert "no batch of this K fits" in ran(test).error[0].value


def test_without_a_way_there_is_nothing_to_run(held: Held) -> None:
    test = opened()
    ran(test.pills(key="lab.runs.cpu.False").set_value([]))
    assert test.button(key="lab_run").disabled and "at least one way" in said(test)


def test_the_reader_s_own_function_runs_at_the_tier_the_app_allows(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    class Judge:
        tier = "kernel"

    monkeypatch.setattr(shell, "judge", lambda: Access(Judge()))  # type: ignore[arg-type]
    blanks = solution_blanks(catalogue.load(lab_choice.EXERCISE))
    monkeypatch.setattr(shell, "learner", lambda: "session-ann")
    test = opened()
    assert "own" not in test.pills(key="lab.runs.cpu.False").options
    shell.store().save_draft("session-ann", lab_choice.EXERCISE, blanks)
    ran(test)
    ran(test.pills(key="lab.runs.cpu.True").set_value(["numpy", "own"]))
    ran(test.button(key="lab_run").click())
    assert held.ticket.request["choice"]["runs"] == ("numpy", "own")
    assert held.ticket.request["own"] == {"blanks": blanks, "tier": "kernel"}


def test_a_gpu_is_offered_where_there_is_one(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "devices", lambda: {"cpu": "A chip", "cuda": "A card"})
    test = opened()
    ran(test.segmented_control(key="lab.device").set_value("cuda"))
    ran(test.button(key="lab_run").click())
    choice = held.ticket.request["choice"]
    assert choice["device"] == "cuda" and set(choice["runs"]) == {"naive", "textbook", "eager", "triton"}


def test_mps_is_named_with_the_reason_it_is_not_used(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "devices", lambda: {"cpu": "A chip", "mps": "Apple GPU"})
    assert "MPS" in said(opened())


# --- the report ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_table_and_notes_tell_right_from_wrong(language: str) -> None:
    result, words = report.Result(event()), Words(lab.TEXTS, language)
    lines = {line[words("column.run")]: line for line in report.table(result, words)}
    assert "✓" in lines[words("run.naive")][words("column.rows")]
    assert lines[words("run.textbook")][words("column.rows")].startswith("✕")
    assert lines[words("run.eager")][words("column.law")].startswith("✕")
    assert lines[words("run.own")][words("column.median")] == "–"
    assert lines[words("run.numpy")][words("column.of_floor")] == "25%"
    assert lines[words("run.numpy")][words("column.tokens")] == "160,000"
    assert [row.run for row in result.rows if row.right] == ["naive", "numpy"]
    assert len(report.notes(result, words)) == 3
    assert "ValueError" in report.notes(result, words)[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentences_fit_what_was_measured(language: str) -> None:
    words = Words(lab.TEXTS, language)
    result = report.Result(event())
    assert words("run.numpy") in report.sentence(result, words) and "50" in report.sentence(result, words)
    assert "100 µs" in report.facts(result, words)
    assert "100 µs" not in report.facts(report.Result(event(cold=False)), words)
    one = report.Result(event(outcomes=[outcome("naive", seconds=2.0)]))
    assert "2 s" in report.sentence(one, words)
    none = report.Result(event(outcomes=[vars(Outcome("compiled", "skipped", "no_compiler"))]))
    assert report.sentence(none, words) == words("fact.nothing")
    assert "2 x A chip" in report.environment(result, words)


def test_the_chart_has_a_mark_for_each_time_and_the_floor() -> None:
    words = Words(lab.TEXTS, "en")
    figure = chart.draw(report.Result(event()), words)
    assert [one.x[0] for one in figure.data] == [0.0004, 0.001, 0.01, 0.02]
    assert [one.marker.symbol for one in figure.data] == ["circle", "x", "x", "circle"]
    assert figure.layout.xaxis.type == "log" and len(figure.layout.shapes) == 4
    assert not chart.draw(report.Result(event(cold=False)), words).layout.shapes


def test_the_csv_has_a_line_for_each_run_with_all_it_depends_on() -> None:
    lines = list(csv.DictReader(io.StringIO(report.as_csv(report.Result(event())))))
    assert [line["run"] for line in lines] == ["naive", "textbook", "numpy", "eager", "compiled", "own"]
    assert (lines[0]["seconds"], lines[0]["size"], lines[0]["env_threads"]) == ("0.02", "32000", "1")
    assert float(lines[0]["floor_seconds"]) == pytest.approx(1e-4)
    assert float(lines[0]["of_floor"]) == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("seconds", "text"), [(1.234e-5, "12.3 µs"), (9.999e-4, "1 ms"), (0.25, "250 ms"), (12.0, "12 s"), (1e-3, "1 ms")]
)
def test_times_have_three_digits_and_a_unit(seconds: float, text: str) -> None:
    assert report.duration(seconds) == text
