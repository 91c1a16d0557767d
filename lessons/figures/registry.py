"""The figures by name: each folder here with controls is one; a lesson's `::figure{accept_dart}` puts it there."""
from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Protocol

from grader.language import Words
from lessons.figures.events import LearnerEvents
from lessons.figures.two_paths import controls as two_paths
from solutions.law import Rule


class Show(Protocol):
    """Puts the figure on the page, in `words`' language; without `learner_events` a session remembers the answer."""

    def __call__(self, words: Words, learner_events: LearnerEvents | None = None) -> None: ...


class ShowRule(Protocol):
    """The same with a student's own function as the rule; it may raise anything."""

    def __call__(self, words: Words, learner_events: LearnerEvents | None = None, rule: Rule | None = None) -> None: ...


def _found() -> dict[str, Show]:
    names = sorted(path.parent.name for path in Path(__file__).parent.glob("*/controls.py"))
    return {name: import_module(f"{__package__}.{name}.controls").show for name in names}


FIGURES = _found()
DRIVEN_BY_A_RULE: dict[str, ShowRule] = {"two_paths": two_paths.show}
