"""The rules that the figures compare: the right one and the known wrong ones, all from the exercise's own material."""
from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import cast

from exercises.expect import Text
from grader.catalogue import load
from lessons.figures import known_rules
from lessons.figures.frame import shared
from solutions.law import Rule
from solutions.rejection_rule.solution import rejection_rule

EXERCISE = "rejection_rule"
CORRECT = known_rules.CORRECT


def correct(target: Sequence[float], draft: Sequence[float], token: int) -> tuple[float, Sequence[float]]:
    return rejection_rule(list(target), list(draft), token)


@functools.cache
def wrong_names() -> dict[str, Text]:
    """Every known mistake's id, and what it is called."""
    return {mistake.id: mistake.name for mistake in load(EXERCISE).mistakes}


def in_menu(name: str, language: str) -> str:
    """A known mistake's name after the part of the rule that it gets wrong; "" for any other name."""
    for mistake in load(EXERCISE).mistakes:
        if mistake.id == name:
            parts = "+".join(sorted(mistake.blanks))
            return shared(language)(f"rule.{parts}", name=mistake.name.within(language))
    return ""


def rule(name: str) -> Rule:
    """The rule of that name: CORRECT or a known mistake's id. Raises KeyError for any other name."""
    return correct if name == CORRECT else cast(Rule, known_rules.function(EXERCISE, name))
