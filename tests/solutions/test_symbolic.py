"""Symbolic uniforms: every way through a function with its exact probability, and a clear word where there is none."""
from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from solutions import symbolic
from solutions.symbolic import NotTraceable, Uniform, array_of, outcomes

HALF = np.float64(0.5)
SUMS = np.cumsum([0.25, 0.0, 0.5, 0.25])
NAN, INFINITY = float("nan"), float("inf")


def law_of(function: Callable[[list[Uniform]], Any], count: int = 1) -> dict[Any, Any]:
    law: Counter[Any] = Counter()
    for outcome in outcomes(function, count):
        law[outcome.value] += outcome.probability
    return dict(law)


@pytest.mark.parametrize(
    "accepts",
    [
        lambda u: u * 0.5 < 0.375, lambda u: 0.375 > u * 0.5, lambda u: u < 0.375 / 0.5, lambda u: not u >= 0.75,
        lambda u: not 0.75 <= u, lambda u: u <= 0.75, lambda u: min(1.0, 1.5 / 2) > u, lambda u: 1.0 - u > 0.25,
        lambda u: u - 0.75 < 0, lambda u: (u - 0.5) / (1 - 0.5) < 0.5, lambda u: -u > -0.75, lambda u: u + u < 1.5,
        lambda u: 2 * u - u < 0.75, lambda u: u < 0.375 + u * 0.5, lambda u: 0.75 - u > 0, lambda u: max(u, 0.6) < 0.75,
        lambda u: u * HALF < np.float64(0.375), lambda u: np.float64(0.375) > HALF * u, lambda u: np.float32(0.75) > u,
        lambda u: np.less(u * HALF, 0.375), lambda u: u < np.float64(0.75), lambda u: np.minimum(u, 0.8) < 0.75,
        lambda u: (array_of([u]) * np.array([0.5]) < np.array([0.375]))[0], lambda u: (np.array([0.75]) > u).all(),
    ],
)  # fmt: skip
def test_a_coin_can_be_compared_in_many_ways(accepts: Callable[[Uniform], Any]) -> None:
    assert law_of(lambda u: bool(accepts(u[0]))) == {True: 0.75, False: 0.25}


@pytest.mark.parametrize(
    "drawn",
    [
        lambda u: np.searchsorted(SUMS, u, side="right"), lambda u: SUMS.searchsorted(u, side="right"),
        lambda u: np.argmax(SUMS > u), lambda u: np.argmax(u < SUMS), lambda u: np.sum(SUMS <= u),
        lambda u: np.flatnonzero(SUMS > u)[0], lambda u: np.where(SUMS > u)[0][0], lambda u: (SUMS <= u).sum(),
        lambda u: bisect_right(SUMS.tolist(), u), lambda u: next(i for i, total in enumerate(SUMS) if u < total),
        lambda u: np.searchsorted(SUMS * 3, u * 3, side="right"), lambda u: np.count_nonzero(np.less_equal(SUMS, u)),
    ],
)  # fmt: skip
def test_a_token_can_be_drawn_in_many_ways(drawn: Callable[[Uniform], Any]) -> None:
    assert law_of(lambda u: int(drawn(u[0]))) == {0: 0.25, 2: 0.5, 3: 0.25}


def test_the_box_of_each_way_is_given() -> None:
    found = list(outcomes(lambda u: (u[0] < 0.25, u[0] < 0.5 and u[1] < 0.5), 2))
    assert [(outcome.value, outcome.box) for outcome in found] == [
        ((True, True), ((0, 0.25), (0, 0.5))),
        ((True, False), ((0, 0.25), (0.5, 1))),
        ((False, True), ((0.25, 0.5), (0, 0.5))),
        ((False, False), ((0.25, 0.5), (0.5, 1))),
        ((False, False), ((0.5, 1), (0, 1))),
    ]


def test_fractions_stay_exact() -> None:
    law = law_of(lambda u: u[0] * Fraction(2, 3) < Fraction(1, 7))
    assert law == {True: Fraction(3, 14), False: Fraction(11, 14)}


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_the_boxes_fill_the_cube(count: int) -> None:
    rng = random.Random(count)
    cuts = [[rng.random() for _ in range(3)] for _ in range(count)]
    found = list(outcomes(lambda u: tuple(bisect_left(sorted(cut), x) for cut, x in zip(cuts, u, strict=True)), count))
    assert len(found) == 4**count
    assert sum(outcome.probability for outcome in found) == pytest.approx(1.0, abs=1e-12)
    assert all(0 <= low < high <= 1 for outcome in found for low, high in outcome.box)


def test_without_a_comparison_there_is_one_way() -> None:
    assert list(outcomes(lambda u: 7, 2)) == [(7, 1, ((0, 1), (0, 1)))]
    assert list(outcomes(lambda u: 7, 0)) == [(7, 1, ())]


@pytest.mark.parametrize(
    ("compare", "value"),
    [
        (lambda u: u < NAN, False), (lambda u: u > NAN, False), (lambda u: u != NAN, True),
        (lambda u: u * NAN < 1, False),
        (lambda u: u < INFINITY, True), (lambda u: u < -INFINITY, False), (lambda u: u * INFINITY < 1, False),
        (lambda u: u < 0, False), (lambda u: u >= 0, True), (lambda u: u < 1, True), (lambda u: u >= 1, False),
        (lambda u: u * 0.0 < 0.0, False), (lambda u: u * 0.0 <= 0.0, True), (lambda u: u - u == 0, True),
        (lambda u: u == 0.5, False), (lambda u: u != 0.5, True), (lambda u: u == "a", False),
    ],
)  # fmt: skip
def test_comparisons_that_do_not_split(compare: Callable[[Uniform], bool], value: bool) -> None:
    assert law_of(lambda u: compare(u[0])) == {value: 1}


@pytest.mark.parametrize(
    ("untraceable", "named"),
    [
        (lambda u: float(u[0]), r"float\(\)"),
        (lambda u: np.asarray(u, dtype=np.float64), r"float\(\)"),
        (lambda u: int(u[0] * 3), r"int\(\)"),
        (lambda u: [1, 2][u[0]], "an index"),
        (lambda u: 1 if u[0] else 0, "the truth"),
        (lambda u: np.log(u[0]) < -1, "np.log"),
        (lambda u: np.log(array_of(u)) < -1, "np.log"),
        (lambda u: np.sqrt(array_of(u))[0] < 1, "np.sqrt"),
        (lambda u: np.tanh(u[0]) < 1, "np.tanh"),
        (lambda u: 0.5 / u[0] > 1, "a number divided by"),
        (lambda u: u[0] ** 2 < 1, "a power"),
        (lambda u: abs(u[0]) < 1, r"abs\(\)"),
        (lambda u: round(u[0]), r"round\(\)"),
        (lambda u: u[0] // 0.5, "//"),
        (lambda u: u[0] % 0.5 < 1, "%"),
        (lambda u: u[0] * u[1] < 0.5, "product of symbolic uniforms"),
        (lambda u: u[0] / u[1] < 0.5, "ratio of symbolic uniforms"),
        (lambda u: u[0] < u[1], "two symbolic uniforms"),
        (lambda u: u[0] < random.random(), "not do the same"),
    ],
)
def test_what_cannot_be_followed_is_named(untraceable: Callable[[list[Uniform]], Any], named: str) -> None:
    with pytest.raises(NotTraceable, match=named):
        list(outcomes(untraceable, 2))


def test_other_types_are_python_s_own_matter() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        list(outcomes(lambda u: u[0] + "a", 1))


def test_an_error_of_the_function_passes() -> None:
    with pytest.raises(ZeroDivisionError):
        list(outcomes(lambda u: 1 / 0, 1))


def test_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbolic, "MOST_RUNS", 100)
    with pytest.raises(NotTraceable, match="more than 100 ways"):
        list(outcomes(lambda u: [x < 0.5 for x in u], 7))


def test_floats_make_an_array_of_floats() -> None:
    assert array_of([0.25, 0.5]).dtype == np.float64 and array_of([]).shape == (0,)
