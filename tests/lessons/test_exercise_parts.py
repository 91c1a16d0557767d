"""The parts of the exercise page that can be tried without a page: draft, honest attempts, own rule, texts."""
from __future__ import annotations

import contextlib
import string
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from grader import catalogue
from grader.language import LANGUAGES, words
from grader.store import Attempt, Store
from lessons.pages.bench import TEXTS
from lessons.pages.draft import Draft
from lessons.pages.hints_and_answer import honest
from lessons.pages.own_rule import OwnRule

BLANKS = ("accept", "residual")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(f"sqlite:///{tmp_path / 'course.db'}")
    yield made
    made.close()


def test_a_draft_is_stored_when_it_changes_and_outlives_the_session(store: Store) -> None:
    Draft("rejection_rule", "ada", store, {}).keep({"accept": "p", "residual": ""})
    assert Draft("rejection_rule", "ada", store, {}).blanks == {"accept": "p", "residual": ""}
    assert Draft("rejection_rule", "bo", store, {}).blanks == {}
    assert store.states("ada") == {"exercise/rejection_rule": "in_progress"}


def test_an_oversize_text_is_cut_so_that_what_is_kept_can_be_exported_and_imported(store: Store) -> None:
    draft = Draft("rejection_rule", "ada", store, {})
    draft.keep({"accept": "p" * 100_000})
    assert draft.blanks == store.draft("ada", "rejection_rule")
    store.import_("bo", store.export("ada"))
    assert store.draft("bo", "rejection_rule") == draft.blanks


def test_empty_blanks_begin_nothing(store: Store) -> None:
    Draft("rejection_rule", "ada", store, {}).keep({"accept": "", "residual": ""})
    assert store.states("ada") == {}


def test_clearing_a_draft_makes_the_editor_take_the_empty_text(store: Store) -> None:
    memory: dict[Any, Any] = {}
    draft = Draft("rejection_rule", "ada", store, memory)
    draft.keep({"accept": "p"})
    assert draft.revision == 0
    draft.clear()
    again = Draft("rejection_rule", "ada", store, memory)
    assert (again.blanks, again.revision) == ({}, 1)


def attempt(accept: str, residual: str) -> Attempt:
    return Attempt("x", datetime.now(UTC), {"accept": accept, "residual": residual}, "fail", 0.0, 1.0)


@pytest.mark.parametrize(
    ("attempts", "count"),
    [
        ([], 0),
        ([attempt("1", "2"), attempt("1", "2"), attempt("1", " 2 ")], 1),
        ([attempt("1", "2"), attempt("1", "3"), attempt("1", "2")], 3),
        ([attempt("1", ""), attempt("", "2"), attempt(" ", "\n")], 0),
        ([attempt("1", "2"), attempt("", ""), attempt("1", "2")], 2),
    ],
)
def test_honest_attempts_fill_every_blank_and_differ_from_the_one_before(attempts: list[Attempt], count: int) -> None:
    assert honest(attempts, BLANKS) == count


class FakeJudge:
    """A judge whose isolated function is `rule`; counts the processes it was asked for."""

    def __init__(self, rule: Callable[..., Any]) -> None:
        self.rule, self.started = rule, 0

    @contextlib.contextmanager
    def function(self, exercise: object, blanks: dict[str, str]) -> Iterator[Callable[..., Any]]:
        self.started += 1
        yield self.rule


def own_rule(rule: Callable[..., Any]) -> tuple[OwnRule, FakeJudge]:
    judge = FakeJudge(rule)
    shape = "returned {returned}; needs {count}"
    return OwnRule(judge, catalogue.load("rejection_rule"), {}, shape, "ann"), judge  # type: ignore[arg-type]


def test_one_process_answers_every_token_that_the_draft_can_propose() -> None:
    asked: list[int] = []

    def rule(target: list[float], draft: list[float], token: int) -> tuple[float, list[float]]:
        asked.append(token)
        return 0.25 * token, target

    mine, judge = own_rule(rule)
    assert [mine([0.5, 0.5, 0.0], [0.5, 0.0, 0.5], token) for token in (0, 2, 0)] == [
        (0.0, [0.5, 0.5, 0.0]),
        (0.5, [0.5, 0.5, 0.0]),
        (0.0, [0.5, 0.5, 0.0]),
    ]
    assert (asked, judge.started) == ([0, 2], 1)
    mine([0.4, 0.6, 0.0], [0.5, 0.0, 0.5], 0)
    assert judge.started == 2


UNDRAWABLE = [
    None,
    0.5,
    (0.5,),
    (0.5, [1.0]),
    (0.5, [1.0, "0"]),
    (True, [1.0, 0.0]),
    (0.5, [float("nan"), 1.0]),
    (10**400, [1.0, 0.0]),
    ("p", [1, 0]),
]


@pytest.mark.parametrize("value", UNDRAWABLE, ids=lambda value: repr(value)[:30])
def test_a_value_that_no_figure_can_draw_is_a_failure_that_shows_it(value: object) -> None:
    mine, _ = own_rule(lambda *arguments: value)
    with pytest.raises(ValueError, match="returned .* needs 2"):
        mine([0.5, 0.5], [0.5, 0.5], 0)


def test_a_wrong_rule_is_drawn_not_refused() -> None:
    mine, _ = own_rule(lambda target, draft, token: (1.75, [-0.3, 0.3]))
    assert mine([0.5, 0.5], [0.5, 0.5], 1) == (1.75, [-0.3, 0.3])


def test_both_languages_have_the_same_texts_with_the_same_slots() -> None:
    english, chinese = (words(TEXTS, language) for language in LANGUAGES)
    assert english.keys() == chinese.keys()
    for key in english.keys():
        slots = [{name for _, name, _, _ in string.Formatter().parse(text(key)) if name} for text in (english, chinese)]
        assert slots[0] == slots[1], key


def test_every_group_of_checks_has_a_text() -> None:
    known = words(TEXTS, "en").keys()
    groups = {check.group for name in catalogue.exercise_ids() for check in catalogue.load(name).checks}
    assert {f"result.group.{group}" for group in groups} <= known
