"""Two tiny exercises for tests: statements and an expression in two functions, and a free body with a start text."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from exercises.expect import Text, call
from grader import catalogue
from grader.catalogue import Check, Exercise, Mistake, load
from grader.sandbox import Limits

WHY = Text("because", "因为")
TOTAL_STUB = '''LIMIT = 100.0


def total(values):
    """The sum of the squares, at most LIMIT."""
    result = 0.0
    for value in values:
        ______
    return min(result, LIMIT)


def mean(values):
    """The mean of the values."""
    return ______
'''
TOTAL = {"add": "square = value * value\nresult += square", "mean": "sum(values) / len(values)"}
HUNT_STUB = '''def hunt(items):
    """How many items are not negative."""
    ______
'''
HUNT_START = "count = 0\nfor item in items:\n    if item > 0:\n        count += 1\nreturn count"
HUNT = {"body": HUNT_START.replace(">", ">=")}


def sums_two(total: Callable[..., Any]) -> None:
    call(total, [1.0, 2.0]).equals(5.0, WHY)


def sums_nothing(total: Callable[..., Any]) -> None:
    call(total, []).equals(0.0, WHY)


def counts_positive(hunt: Callable[..., Any]) -> None:
    call(hunt, [1, 2, -1]).equals(2, WHY)


def counts_zero(hunt: Callable[..., Any]) -> None:
    call(hunt, [0, -1]).equals(1, WHY)


def total_exercise() -> Exercise:
    solution = _filled(TOTAL_STUB, "        ______", "        square = value * value\n        result += square")
    solution = solution.replace("______", TOTAL["mean"])
    labels = {"add": "Add up", "mean": "Mean"}
    return _small("total", TOTAL_STUB, solution, labels, (sums_two, sums_nothing), (([3.0],),))


def hunt_exercise() -> Exercise:
    solution = _filled(HUNT_STUB, "    ______", "\n".join(f"    {line}" for line in HUNT["body"].split("\n")))
    made = _small("hunt", HUNT_STUB, solution, {"body": "Repair"}, (counts_positive, counts_zero), (([0, 1],),))
    name = Text("zero left out", "漏掉了零")
    mistake = Mistake("as_found", name, Text("0 is not negative.", "0 不是负数。"), {"body": HUNT_START + "  # same\n"})
    return dataclasses.replace(made, start_texts=(("body", HUNT_START),), mistakes=(mistake,))


def _filled(stub: str, blank: str, text: str) -> str:
    return stub.replace(blank, text, 1)


def _small(
    name: str,
    stub: str,
    solution: str,
    labels: dict[str, str],
    checks: tuple[Callable[..., None], ...],
    probes: tuple[tuple[Any, ...], ...],
) -> Exercise:
    space: dict[str, Any] = {}
    exec(solution, space)
    made = (_check(function.__name__, function, at == 0) for at, function in enumerate(checks))
    return dataclasses.replace(
        load("rejection_rule"),
        id=name,
        title=Text(name, name),
        figure="",
        stub=stub,
        solution_source=solution,
        solution=space[name],
        blank_ids=tuple(labels),
        blank_labels=tuple(Text(label, label) for label in labels.values()),
        checks=tuple(made),
        limits=Limits(),
        mistakes=(),
        probes=probes,
    )


def _check(name: str, function: Callable[..., None], visible: bool) -> Check:
    title = Text(name, name)
    return Check(id=name, title=title, idea=title, group="main", points=1, visible=visible, function=function)


def put_into_catalogue(monkeypatch: pytest.MonkeyPatch, *exercises: Exercise) -> None:
    """`load` finds these too, wherever it is called as catalogue.load, and known mistakes are looked up in them."""
    own, real = {exercise.id: exercise for exercise in exercises}, load
    for place in ("grader.catalogue.load", "grader.known_mistakes.load"):
        monkeypatch.setattr(place, lambda name: own.get(name) or real(name))
    assert catalogue.load(exercises[0].id) is exercises[0]
