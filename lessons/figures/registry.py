"""The figures by name: a lesson's line `::figure{accept_dart}` puts one there."""
from __future__ import annotations

from typing import Protocol

from grader.language import Words
from lessons.figures.accept_dart import controls as accept_dart
from lessons.figures.convergence import controls as convergence
from lessons.figures.events import LearnerEvents
from lessons.figures.two_paths import controls as two_paths


class Show(Protocol):
    """Puts the figure on the page, in `words`' language; without `learner_events` a session remembers the answer."""

    def __call__(self, words: Words, learner_events: LearnerEvents | None = None) -> None: ...


FIGURES: dict[str, Show] = {
    "accept_dart": accept_dart.show,
    "two_paths": two_paths.show,
    "convergence": convergence.show,
}
