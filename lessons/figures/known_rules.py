"""Functions that figures run and compare: an exercise's right one, and its known mistakes."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from grader.catalogue import Mistake, load
from grader.known_mistakes import wrong_function

CORRECT = "correct"


@functools.cache
def function(exercise: str, *names: str) -> Callable[..., Any]:
    """The exercise's main function: the reference for CORRECT alone, else with the known mistakes of those ids.

    Raises KeyError for any other name. Loading one that uses PyTorch imports it.
    """
    if names == (CORRECT,):
        right: Callable[..., Any] = load(exercise).solutions[exercise]
        return right
    return wrong_function(load(exercise), *(mistake(exercise, name) for name in names))


def mistake(exercise: str, name: str) -> Mistake:
    """The exercise's known mistake of that id. Raises KeyError where it has none."""
    known = {one.id: one for one in load(exercise).mistakes}
    if name not in known:
        raise KeyError(f"no rule is called {name!r}; known: {CORRECT}, {', '.join(known)}")
    return known[name]
