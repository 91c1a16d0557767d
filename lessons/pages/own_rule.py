"""The student's own function as the rule of a figure: run in isolation, its answers checked and remembered."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exercises.expect import is_number, show
from grader.catalogue import Exercise
from grader.judge import Judge
from lessons.running import ANSWERS

REMEMBERED = 64  # pairs of distributions; a reader who plays longer pays for a new process again
LARGEST = 1e300
PATIENCE = 30.0  # seconds for another answer of the same reader to end


class OwnRule:
    """(target, draft, draft token) -> (accept probability, residual), by the blanks that the student typed.

    A figure asks for every token of one pair of distributions: they are answered together by one isolated process.
    Raises StudentFailure where the code fails, ValueError where it returns what no figure can draw. A wrong rule is
    drawn.
    """

    def __init__(self, judge: Judge, exercise: Exercise, blanks: dict[str, str], shape: str, learner: str) -> None:
        """`shape` says what a figure needs, with the slots {returned} and {count}."""
        self._learner = learner
        self._judge, self._exercise, self.blanks, self._shape = judge, exercise, blanks, shape
        self._known: dict[tuple[tuple[float, ...], tuple[float, ...]], dict[int, tuple[float, list[float]]]] = {}

    def __call__(self, target: Sequence[float], draft: Sequence[float], draft_token: int) -> tuple[float, list[float]]:
        laws = tuple(target), tuple(draft)
        if laws not in self._known:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[laws] = self._answers(*laws)
        return self._known[laws][draft_token]

    def _answers(
        self, target: tuple[float, ...], draft: tuple[float, ...]
    ) -> dict[int, tuple[float, list[float]]]:
        """The answer for every token that the draft can propose."""
        with (
            ANSWERS.turn(self._learner, PATIENCE),  # a figure would rather be drawn late than not
            self._judge.function(self._exercise, self.blanks) as function,
        ):
            return {
                token: self._pair(function(list(target), list(draft), token), len(target))
                for token, mass in enumerate(draft)
                if mass > 0.0
            }

    def _pair(self, value: Any, count: int) -> tuple[float, list[float]]:
        """The value as numbers, or ValueError: what it holds comes from the student's process."""
        if isinstance(value, (tuple, list)) and len(value) == 2 and _is_finite(value[0]) and _is_row(value[1], count):
            return float(value[0]), [float(mass) for mass in value[1]]
        raise ValueError(self._shape.format(returned=show(value, 120), count=count))


def _is_row(value: Any, count: int) -> bool:
    return isinstance(value, (tuple, list)) and len(value) == count and all(map(_is_finite, value))


def _is_finite(value: Any) -> bool:
    """Neither NaN nor infinite, nor an integer too large to be drawn."""
    return is_number(value) and abs(value) < LARGEST
