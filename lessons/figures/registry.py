"""The figures by name: a lesson's line `::figure{accept_dart}` puts one there, an exercise names one for its rule."""
from __future__ import annotations

from typing import Protocol

from grader.language import Words
from lessons.figures.accept_dart import controls as accept_dart
from lessons.figures.convergence import controls as convergence
from lessons.figures.events import LearnerEvents
from lessons.figures.overlap import controls as overlap
from lessons.figures.proof import controls as proof
from lessons.figures.timeline import controls as timeline
from lessons.figures.two_paths import controls as two_paths
from solutions.law import Rule


class Show(Protocol):
    """Puts the figure on the page, in `words`' language; without `learner_events` a session remembers the answer."""

    def __call__(self, words: Words, learner_events: LearnerEvents | None = None) -> None: ...


class ShowRule(Protocol):
    """The same with a student's own function as the rule; it may raise anything."""

    def __call__(self, words: Words, learner_events: LearnerEvents | None = None, rule: Rule | None = None) -> None: ...


FIGURES: dict[str, Show] = {
    "timeline": timeline.show,
    "accept_dart": accept_dart.show,
    "two_paths": two_paths.show,
    "convergence": convergence.show,
    "overlap": overlap.show,
    "proof": proof.show,
}
DRIVEN_BY_A_RULE: dict[str, ShowRule] = {"two_paths": two_paths.show}
