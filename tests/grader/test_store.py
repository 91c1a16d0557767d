"""Attempts, drafts and progress: on disk when acknowledged, safe for many writers, portable."""
from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from grader.store import Store, open_store
from grader.verdicts import Report, Verdict

BLANKS = {"accept": "min(1, p / q)", "residual": "拒绝"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'deep' / 'course.db'}")
    yield store
    store.close()


@pytest.fixture
def report_() -> Report:
    return Report("rule", Verdict.FAIL)


def test_an_attempt_is_on_disk_when_it_is_acknowledged(store: Store, tmp_path: Path, report: Any) -> None:
    given = report()
    attempt = store.save_attempt("ann", "rule", BLANKS, given)
    with sqlite3.connect(tmp_path / "deep" / "course.db") as other:  # a connection of its own sees it
        assert other.execute("select learner, exercise_id from attempts").fetchall() == [("ann", "rule")]
        assert other.execute("pragma journal_mode").fetchone() == ("wal",)
    assert store.attempts("ann", "rule") == [attempt]
    assert attempt.passed and attempt.blanks == BLANKS and attempt.earned == given.earned
    assert store.attempts("ben", "rule") == [] == store.attempts("ann", "other")


def test_a_new_process_finds_what_the_last_one_kept(store: Store, tmp_path: Path, report_: Report) -> None:
    store.save_attempt("ann", "rule", BLANKS, report_)
    store.save_draft("ann", "rule", BLANKS)
    store.mark("ann", "lesson/one", "mastered")
    store.close()
    again = Store(f"sqlite:///{tmp_path / 'deep' / 'course.db'}")
    assert len(again.attempts("ann", "rule")) == 1
    assert again.draft("ann", "rule") == BLANKS and again.states("ann") == {"lesson/one": "mastered"}
    again.close()


def test_a_draft_is_the_last_text_typed(store: Store) -> None:
    assert store.draft("ann", "rule") == {}
    store.save_draft("ann", "rule", {"accept": "a"})
    store.save_draft("ann", "rule", {"accept": "broken \ud800 paste"})
    assert store.draft("ann", "rule") == {"accept": "broken ? paste"}


def test_progress_never_falls_back_and_unknown_states_are_refused(store: Store) -> None:
    for state in ("in_progress", "mastered", "in_progress", "not_started"):
        store.mark("ann", "exercise/rule", state)
    assert store.states("ann") == {"exercise/rule": "mastered"}
    with pytest.raises(ValueError, match="'done'"):
        store.mark("ann", "exercise/rule", "done")


def test_many_writers_lose_nothing(store: Store, tmp_path: Path, report_: Report) -> None:
    second = Store(f"sqlite:///{tmp_path / 'deep' / 'course.db'}")

    def write(number: int) -> None:
        chosen = (store, second)[number % 2]
        for _ in range(5):
            chosen.save_attempt("ann", "rule", BLANKS, report_)
            chosen.save_draft("ann", "rule", BLANKS)
            chosen.mark("ann", "exercise/rule", "in_progress")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(8)))
    second.close()
    assert len(store.attempts("ann", "rule")) == 40


def test_an_export_imports_elsewhere_and_twice_is_once(store: Store, tmp_path: Path, report_: Report) -> None:
    store.save_attempt("ann", "rule", BLANKS, report_)
    store.save_draft("ann", "rule", BLANKS)
    store.mark("ann", "lesson/one", "in_progress")
    exported = json.loads(json.dumps(store.export("ann")))
    elsewhere = Store(f"sqlite:///{tmp_path / 'else.db'}")
    elsewhere.mark("new id", "lesson/one", "mastered")
    for _ in range(2):
        elsewhere.import_("new id", exported)
    assert elsewhere.attempts("new id", "rule") == store.attempts("ann", "rule")
    assert elsewhere.draft("new id", "rule") == BLANKS and elsewhere.states("new id") == {"lesson/one": "mastered"}
    elsewhere.close()


def test_the_newer_draft_wins_an_import(store: Store) -> None:
    store.save_draft("ann", "rule", {"accept": "old"})
    exported = store.export("ann")
    store.save_draft("ann", "rule", {"accept": "new"})
    store.import_("ann", exported)
    assert store.draft("ann", "rule") == {"accept": "new"}


def spoil(*path: Any, value: Any) -> Callable[[Any], Any]:
    def change(data: Any) -> Any:
        place = data
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        return data

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda data: None,
        lambda data: [data],
        lambda data: {},
        spoil("version", value=2),
        spoil("attempts", value={}),
        spoil("attempts", value=[1]),
        spoil("attempts", value=[{}] * 5001),
        spoil("attempts", 0, "at", value="yesterday"),
        spoil("attempts", 0, "at", value="2026-01-01"),
        spoil("attempts", 0, "at", value="0001-01-01T00:00:00+00:00"),
        spoil("attempts", 0, "at", value="9999-12-31T23:59:59+00:00"),
        spoil("attempts", 0, "exercise", value="x" * 101),
        spoil("attempts", 0, "blanks", value=[]),
        spoil("attempts", 0, "blanks", value={"a": 1}),
        spoil("attempts", 0, "blanks", value={"a": "x" * 20_001}),
        spoil("attempts", 0, "outcome", value=None),
        spoil("attempts", 0, "outcome", "earned", value="many"),
        spoil("attempts", 0, "outcome", "earned", value=float("nan")),
        spoil("attempts", 0, "outcome", "possible", value=float("inf")),
        spoil("attempts", 0, "outcome", "earned", value=-1),
        spoil("attempts", 0, "outcome", "verdict", value="splendid"),
        spoil("attempts", 0, "outcome", "mistakes", value=[[]]),
        spoil("attempts", 0, "outcome", "more", value="x" * 20_001),
        spoil("drafts", 0, "at", value=None),
        spoil("progress", value=[]),
        spoil("progress", "lesson/one", value="done"),
        spoil("progress", "x" * 301, value="mastered"),
    ],
)
def test_what_is_no_export_is_refused_and_changes_nothing(store: Store, report_: Report, change: Any) -> None:
    store.save_attempt("ann", "rule", BLANKS, report_)
    store.save_draft("ann", "rule", BLANKS)
    store.mark("ann", "lesson/one", "in_progress")
    data = change(json.loads(json.dumps(store.export("ann"))))
    with pytest.raises(ValueError, match=r"\w"):
        store.import_("ben", data)
    assert store.export("ben")["attempts"] == [] and store.states("ben") == {}


def test_reset_forgets_one_learner_only(store: Store, report_: Report) -> None:
    for learner in ("ann", "ben"):
        store.save_attempt(learner, "rule", BLANKS, report_)
        store.save_draft(learner, "rule", BLANKS)
        store.mark(learner, "lesson/one", "mastered")
    kept = store.export("ben")
    store.reset("ann")
    assert store.export("ann")["attempts"] == [] and store.draft("ann", "rule") == {} and store.states("ann") == {}
    assert store.export("ben") == kept


def test_the_setting_names_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_DATABASE_URL", f"sqlite:///{tmp_path / 'named.db'}")
    open_store().close()
    assert (tmp_path / "named.db").exists()
