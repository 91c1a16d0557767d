"""Means, speedups, best numbers and break-even rates, against exact fractions and the laws that they obey."""
from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.catalogue import Mistake, load
from grader.known_mistakes import match, solution_blanks, wrong_functions
from solutions.expected_tokens.exact import EXACT_UP_TO, exact_mean, exact_speedup, mean_by_enumeration
from solutions.expected_tokens.solution import best_draft_length, break_even, expected_tokens, speedup

EXERCISE = load("expected_tokens")
rates = st.floats(0.0, 1.0)
costs = st.floats(0.001, 2.0)
few = settings(max_examples=60, deadline=None)


def relative_error(got: float, exact: Fraction) -> float:
    return float(abs(Fraction(got) - exact) / exact)


def speedup_at(alpha: float, K: int, c: float) -> Fraction:
    return exact_speedup(min(max(alpha, 0.0), 1.0), K, c)


@few
@given(rates, st.integers(0, 9))
def test_the_mean_is_that_of_the_law_of_the_emitted_length(alpha: float, K: int) -> None:
    """Over every outcome of K independent coins: the run before the first rejection, and one token more."""
    by_outcomes = mean_by_enumeration(alpha, K)
    assert by_outcomes == exact_mean(alpha, K)
    assert relative_error(expected_tokens(alpha, K), by_outcomes) < 1e-14


@few
@given(rates, st.integers(0, 10**6))
def test_the_mean_keeps_fourteen_digits(alpha: float, K: int) -> None:
    assert relative_error(expected_tokens(alpha, K), exact_mean(alpha, K)) < 1e-14


@pytest.mark.parametrize("distance", [2.0**-53, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("K", [1, 2, 37, 4096, 10**6])
def test_the_mean_keeps_fourteen_digits_near_one(distance: float, K: int) -> None:
    alpha = 1.0 - distance
    assert relative_error(expected_tokens(alpha, K), exact_mean(alpha, K)) < 1e-14
    plain = (1.0 - alpha ** (K + 1)) / (1.0 - alpha)
    assert relative_error(plain, exact_mean(alpha, K)) < 1e-8, "the closed form as it stands keeps half of the digits"


def test_the_limits_of_the_mean() -> None:
    assert expected_tokens(1.0, 7) == 8.0 and expected_tokens(1.0, math.inf) == math.inf
    assert expected_tokens(0.0, 7) == expected_tokens(0.0, math.inf) == expected_tokens(0.0, 0) == 1.0
    assert expected_tokens(0.75, math.inf) == expected_tokens(0.75, 10**6) == 4.0
    assert expected_tokens(5e-324, 3) == 1.0


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.9, 0.999, 1.0 - 1e-12])
def test_many_digits_agree_with_exact_fractions(alpha: float) -> None:
    """Where exact_mean changes from the one to the other, the step is one more power."""
    step = exact_mean(alpha, EXACT_UP_TO + 1) - exact_mean(alpha, EXACT_UP_TO)
    assert abs(step - Fraction(alpha) ** (EXACT_UP_TO + 1)) < Fraction(1, 10**50)


@pytest.mark.parametrize(
    ("alpha", "K", "published"),
    [(0.6, 2, 1.96), (0.7, 3, 2.53), (0.8, 2, 2.44), (0.8, 5, 3.69), (0.9, 2, 2.71), (0.9, 10, 6.86)],
)
def test_the_published_table_comes_out(alpha: float, K: int, published: float) -> None:
    """Leviathan et al., arXiv 2211.17192, table 1: drafting that costs nothing."""
    assert round(speedup(alpha, K, 0.0), 2) == published


def test_the_limits_of_the_speedup() -> None:
    assert speedup(0.9, math.inf, 0.1) == 0.0 and speedup(1.0, math.inf, 0.25) == 4.0
    assert speedup(0.75, math.inf, 0.0) == 4.0 and speedup(1.0, math.inf, 0.0) == math.inf
    assert speedup(0.2, 0, 5.0) == 1.0


@few
@given(rates, costs)
def test_no_other_number_of_draft_tokens_is_faster(alpha: float, c: float) -> None:
    best = best_draft_length(alpha, c)
    if best == math.inf:
        assert alpha == 1.0 and c < 1.0
        return
    assert isinstance(best, int)
    top = exact_speedup(alpha, best, c)
    others = {*range(30), best - 1, best + 1, 2 * best} - {-1, best}
    assert all(exact_speedup(alpha, K, c) <= top * (1 + Fraction(1, 10**14)) for K in others)
    assert (best > 0) == (alpha > c)


@few
@given(st.fractions(0, 1), st.fractions(0, 2))
def test_the_speedup_never_rises_again(alpha: Fraction, c: Fraction) -> None:
    """What the halving search relies on, in exact fractions."""
    total, values = Fraction(0), []
    for K in range(25):
        total += alpha**K
        values.append(total / (1 + K * c))
    rising = [later > earlier for earlier, later in zip(values, values[1:], strict=False)]
    assert rising == sorted(rising, reverse=True)


@pytest.mark.parametrize(
    ("alpha", "c"), [(1.0 - 2.0**-53, 5e-324), (0.5, 5e-324), (1.0 - 1e-12, 1e-12), (5e-324, 1e300)]
)
def test_the_search_ends_whatever_the_numbers(alpha: float, c: float) -> None:
    best = best_draft_length(alpha, c)
    assert best < 2**63 and (best > 0) == (alpha > c)


@pytest.mark.parametrize("K", [1, 2, 3, 8, 50])
@pytest.mark.parametrize("c", [0.01, 0.2, 0.5, 0.99, 1.0])
def test_break_even_is_the_border(K: int, c: float) -> None:
    alpha = break_even(K, c)
    assert alpha is not None
    assert speedup_at(alpha + 1e-12, K, c) >= 1 and (speedup_at(alpha - 1e-12, K, c) < 1)
    if K == 1:
        assert alpha == pytest.approx(c, abs=1e-12)


def test_break_even_at_its_ends() -> None:
    assert break_even(0, 9.0) == break_even(5, 0.0) == break_even(math.inf, 0.0) == 0.0
    assert break_even(5, 1.0) == pytest.approx(1.0, abs=1e-12)
    assert break_even(math.inf, 0.5) == pytest.approx(1.0, abs=1e-12)
    assert break_even(5, 1.0000001) is None and break_even(math.inf, 2.0) is None


@few
@given(st.integers(1, 40), st.floats(0.01, 0.95))
def test_a_longer_draft_needs_a_higher_rate(K: int, c: float) -> None:
    shorter, longer = break_even(K, c), break_even(K + 1, c)
    assert shorter is not None and longer is not None and c - 1e-12 <= shorter < longer < 1.0


@pytest.mark.parametrize(
    ("alpha", "K", "c", "named"),
    [
        (-0.1, 2, 0.1, "alpha is -0.1"),
        (1.1, 2, 0.1, "alpha is 1.1"),
        (math.nan, 2, 0.1, "alpha is nan"),
        (0.5, -1, 0.1, "K is -1"),
        (0.5, 2.5, 0.1, "K is 2.5"),
        (0.5, math.nan, 0.1, "K is nan"),
        (0.5, 2, -0.1, "c is -0.1"),
        (0.5, 2, math.inf, "c is inf"),
        (0.5, 2, math.nan, "c is nan"),
    ],
)
def test_arguments_out_of_range_are_named(alpha: float, K: float, c: float, named: str) -> None:
    with pytest.raises(ValueError, match=f"^{named}; "):
        speedup(alpha, K, c)


# --- the messages of known mistakes -----------------------------------------------------------------------------------

NUMBER = re.compile(r"\d+(?:\.\d+)?")
CALLS: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("expected_tokens", (0.8, 4)),
    ("expected_tokens", (0.8, math.inf)),
    ("expected_tokens", (1.0, 4)),
    ("speedup", (0.8, 4, 0.1)),
    ("speedup", (0.8, 6, 0.1)),
    ("speedup", (0.8, 10, 0.1)),
    ("speedup", (0.2, 1, 0.5)),
    ("speedup", (0.4, 1, 0.1)),
    ("speedup", (0.4, 2, 0.1)),
    ("best_draft_length", (0.8, 0.1)),
    ("best_draft_length", (0.8, 0.02)),
    ("best_draft_length", (0.8, 0.3)),
    ("best_draft_length", (0.95, 0.05)),
    ("best_draft_length", (0.5, 0.5)),
    ("best_draft_length", (0.5, 0.0)),
    ("best_draft_length", (1.0, 2.0)),
    ("break_even", (4, 0.1)),
    ("break_even", (4, 0.5)),
    ("break_even", (2, 1.5)),
)
PLAIN = {0.0, 1.0, 2.0}  # need no proof
EXTRA: dict[str, set[float]] = {
    "bonus_forgotten_where_all_stay": {4 + 1.0},
    "power_one_too_low": {0.8**4},
    "each_place_by_itself": {0.8**2},
    "limit_taken_for_the_rule": {1.0 - 0.8, 1.0 / expected_tokens(0.8, 4)},
    "pass_of_the_target_forgotten": {1.0 + 4 * 0.1},
    "bonus_token_drafted_too": {1.0 + 4 * 0.1, 1.0 + 5 * 0.1},
    "speedup_without_the_extra_token": {expected_tokens(0.8, 4) - 1.0},
    "drafting_for_free": {4 * 0.1},
    "perfect_drafts_always_help": {1074.0},
    "free_drafts_forgotten": {1074.0},
    "always_a_finite_number": {1074.0, 1075.0},
    "at_least_one_draft": {1.0 + 0.2, 1.0 + 0.5},
    "search_with_a_fixed_end": {16.0},
    "gain_against_the_bare_cost": {0.1 * speedup(0.8, 4, 0.1)},
    "half_must_be_accepted": {1.0 + 0.4, 1.0 + 0.1},
    "whole_draft_against_one_pass": {1.0 + 4 * 0.5, 5.0},
    "none_never_returned": {1.0 + 2 * 1.5, 3.0},
    "break_even_without_the_extra_token": {4 * 0.1, 1.0 + 4 * 0.1},
}


def given_by(functions: Any) -> set[float]:
    """What the calls of the messages return, and their arguments; a call that raises gives nothing."""
    found = {number for _, arguments in CALLS for number in arguments}
    for name, arguments in CALLS:
        try:
            value = functions[name](*arguments)
        except ArithmeticError:
            continue
        found |= {value} - {None}
    return found


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_numbers_in_messages_are_true(mistake: Mistake) -> None:
    known = given_by(EXERCISE.solutions) | given_by(wrong_functions(EXERCISE, mistake))
    known |= PLAIN | EXTRA.get(mistake.id, set())
    for text in mistake.message:
        for written in NUMBER.findall(text):
            decimals = len(written.partition(".")[2])
            tolerance = 0.500001 * 10**-decimals if decimals else 1e-9  # whole numbers are meant exactly
            assert any(abs(number - float(written)) <= tolerance for number in known), written


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_both_languages_give_the_same_numbers(mistake: Mistake) -> None:
    english, chinese = ({text for text in NUMBER.findall(message) if "." in text} for message in mistake.message)
    assert english == chinese


@pytest.mark.parametrize(
    ("blank", "written", "mistake"),
    [
        ("certain", "float(K)", "bonus_forgotten_where_all_stay"),
        ("certain", "1 / (1 - alpha) * (1 - alpha ** (K + 1))", "divided_by_zero_at_one"),
        ("finite", "(1.0 - alpha ** K) * (1.0 - alpha) ** -1", "power_one_too_low"),
        ("finite", "(alpha - alpha ** (K + 1)) / (1.0 - alpha)", "accepted_tokens_only"),
        ("finite", "(1 - alpha) ** -1", "limit_taken_for_the_rule"),
        ("rate", "expected_tokens(alpha, K) / (1 + c)", "drafting_paid_once"),
        ("rate", "expected_tokens(alpha, K) / ((K + 1) * (1 + c) - c)", "a_pass_for_each_row"),
        ("no_best", "not c", "free_drafts_always_help"),
        ("no_best", "1.0 in (alpha, 1.0 - c)", "free_or_perfect_without_asking_more"),
        ("search", "return max(range(1, 300), key=lambda K: speedup(alpha, K, c))", "at_least_one_draft"),
        ("search", "best = 0\nfor K in range(17):\n    if speedup(alpha, K, c) > speedup(alpha, best, c):\n"
                   "        best = K\nreturn best", "search_with_a_fixed_end"),
        ("never", "not c < 1", "equal_cost_ruled_out"),
        ("too_low", "c > middle", "cost_as_break_even"),
    ],
)  # fmt: skip
def test_a_mistake_written_in_another_way_is_recognised(blank: str, written: str, mistake: str) -> None:
    space: dict[str, Any] = {}
    exec(EXERCISE.fill(solution_blanks(EXERCISE) | {blank: written}), space)
    assert [found.id for found in match(EXERCISE, {name: space[name] for name in EXERCISE.functions})] == [mistake]
