"""The exact output law, against enumeration in exact fractions, against numbers worked by hand, and by its laws."""
from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.catalogue import load
from grader.known_mistakes import wrong_function
from solutions.law import NoLaw, Rule, answer, is_distribution, one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule

EXERCISE = load("rejection_rule")
TARGET, DRAFT = [0.45, 0.3, 0.15, 0.1], [0.2, 0.5, 0.1, 0.2]
Fractions = list[Fraction]


def wrong(mistake_id: str) -> Rule:
    return wrong_function(EXERCISE, next(mistake for mistake in EXERCISE.mistakes if mistake.id == mistake_id))


# --- against an enumeration of every outcome in exact arithmetic -----------------------------------------------------


def residual_of(part: Callable[[Fraction, Fraction], Fraction], target: Fractions, draft: Fractions) -> Fractions:
    masses = [part(p, q) for p, q in zip(target, draft, strict=True)]
    total = sum(masses)
    return [mass / total for mass in masses] if total else target


def enumerated_law(target: Fractions, draft: Fractions, part: Callable[[Fraction, Fraction], Fraction]) -> Fractions:
    """Every (draft token, coin, resampled token) with its probability; accepted with min(1, target/draft)."""
    law = [Fraction(0)] * len(target)
    residual = residual_of(part, target, draft)
    for token, resampled in product(range(len(target)), repeat=2):
        if draft[token]:
            accept = min(Fraction(1), target[token] / draft[token])
            law[token] += draft[token] * accept * residual[resampled]
            law[resampled] += draft[token] * (1 - accept) * residual[resampled]
    return law


PARTS = {
    "solution": lambda p, q: max(p - q, Fraction(0)),
    "residual_is_target": lambda p, q: p,
    "residual_is_draft": lambda p, q: q,
    "absolute_difference": lambda p, q: abs(p - q),
    "overlap_as_residual": min,
    "whole_target_where_greater": lambda p, q: p if p > q else Fraction(0),
}


def fractions_of(weights: list[int]) -> Fractions:
    return [Fraction(weight, sum(weights)) for weight in weights]


laws = st.integers(1, 6).flatmap(
    lambda size: st.tuples(
        *[st.lists(st.integers(0, 12), min_size=size, max_size=size).filter(any).map(fractions_of) for _ in range(2)]
    )
)


@pytest.mark.parametrize("name", PARTS)
@given(pair=laws)
@settings(max_examples=40, deadline=None)
def test_the_law_is_that_of_exact_enumeration(name: str, pair: tuple[Fractions, Fractions]) -> None:
    rule: Rule = rejection_rule if name == "solution" else wrong(name)
    ledger = one_step_law(*([float(mass) for mass in law] for law in pair), rule)
    if ledger.problem:  # no rejection of a proposed token may have led there
        pytest.fail(ledger.problem)
    exact = enumerated_law(*pair, PARTS[name])
    assert max(abs(got - float(want)) for got, want in zip(ledger.law, exact, strict=True)) < 1e-12


@given(pair=laws)
def test_in_exact_arithmetic_the_rule_gives_the_target_itself(pair: tuple[Fractions, Fractions]) -> None:
    assert enumerated_law(*pair, PARTS["solution"]) == pair[0]


# --- laws of the right rule ------------------------------------------------------------------------------------------


def normalised(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights]


masses = st.one_of(st.just(0.0), st.floats(1e-6, 1.0))
float_laws = st.integers(1, 30).flatmap(
    lambda size: st.tuples(
        *[st.lists(masses, min_size=size, max_size=size).filter(any).map(normalised) for _ in range(2)]
    )
)


@given(pair=float_laws)
def test_the_right_rule_gives_the_target(pair: tuple[list[float], list[float]]) -> None:
    ledger = one_step_law(*pair, rejection_rule)
    assert not ledger.problem
    assert max(abs(got - want) for got, want in zip(ledger.law, pair[0], strict=True)) < 1e-12


@given(pair=float_laws)
def test_acceptance_is_the_overlap_and_one_minus_total_variation(pair: tuple[list[float], list[float]]) -> None:
    target, draft = pair
    accepted = sum(one_step_law(target, draft, rejection_rule).accepted)
    assert accepted == pytest.approx(sum(map(min, target, draft)), abs=1e-12)
    assert accepted == pytest.approx(1.0 - total_variation(target, draft), abs=1e-12)


@given(pair=float_laws)
def test_an_impossible_token_never_comes_out(pair: tuple[list[float], list[float]]) -> None:
    ledger = one_step_law(*pair, rejection_rule)
    assert all(got == 0.0 for got, wanted in zip(ledger.law, pair[0], strict=True) if wanted == 0.0)


@given(pair=float_laws)
def test_total_variation_is_a_distance(pair: tuple[list[float], list[float]]) -> None:
    assert 0.0 <= total_variation(*pair) <= 1.0 + 1e-12
    assert total_variation(*pair) == total_variation(*reversed(pair))
    assert total_variation(pair[0], pair[0]) == 0.0


def test_total_variation_by_hand() -> None:
    assert total_variation([0.7, 0.3], [0.4, 0.6]) == pytest.approx(0.3, abs=1e-15)
    assert total_variation([1.0, 0.0], [0.0, 1.0]) == 1.0
    with pytest.raises(ValueError, match="zip"):
        total_variation([1.0], [0.5, 0.5])


# --- numbers worked by hand ------------------------------------------------------------------------------------------


def test_the_worked_case() -> None:
    ledger = one_step_law([0.7, 0.3], [0.4, 0.6], rejection_rule)
    assert ledger.accepted == pytest.approx((0.4, 0.3), abs=1e-15)
    assert ledger.rejected == pytest.approx((0.0, 0.3), abs=1e-15)
    assert ledger.resampled == pytest.approx((0.3, 0.0), abs=1e-15)
    assert ledger.law == pytest.approx((0.7, 0.3), abs=1e-15)


@pytest.mark.parametrize(
    ("mistake", "law", "distance"),
    [
        ("residual_is_target", (0.335, 0.39, 0.145, 0.13), 0.12),
        ("argmax_of_residual", (0.5, 0.3, 0.1, 0.1), 0.05),
        ("softmax_of_residual", (0.289, 0.369, 0.173, 0.169), 0.161),
        ("threshold", (0.7 + 0.25 / 3, 0.0, 0.1 + 0.35 / 3, 0.0), 0.4),
        ("swapped_difference", tuple(DRAFT), 0.3),
        ("inverted_ratio", (4 / 45 + 5 / 6 * 13 / 90, 0.5, 1 / 15 + 1 / 6 * 13 / 90, 0.2), 0.3),
        ("always_accepts", tuple(DRAFT), 0.3),
        ("no_min", tuple(TARGET), 0.0),
    ],
)
def test_where_wrong_rules_send_the_law(mistake: str, law: tuple[float, ...], distance: float) -> None:
    ledger = one_step_law(TARGET, DRAFT, wrong(mistake))
    assert ledger.law == pytest.approx(law, abs=6e-4)
    assert total_variation(ledger.law, TARGET) == pytest.approx(distance, abs=6e-4)


LAW_SURVIVES = {"no_min", "ratio_epsilon", "residual_epsilon"}  # a coin caps the ratio; an epsilon bends it unseen here


@pytest.mark.parametrize("mistake", [mistake.id for mistake in EXERCISE.mistakes])
def test_a_wrong_rule_bends_the_law_unless_its_harm_lies_elsewhere(mistake: str) -> None:
    ledger = one_step_law(TARGET, DRAFT, wrong(mistake))
    bent = bool(ledger.problem) or total_variation(ledger.law, TARGET) > 0.02
    assert bent == (mistake not in LAW_SURVIVES)


# --- rules that give no law ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accept", "residual", "problem"),
    [
        (float("nan"), [0.5, 0.5], "accept-not-a-number"),
        (0.5, [0.5, 0.4], "residual-not-a-distribution"),
        (0.5, [1.5, -0.5], "residual-not-a-distribution"),
        (0.5, [float("nan"), 1.0], "residual-not-a-distribution"),
        (0.5, [1.0], "residual-not-a-distribution"),
    ],
)
def test_an_answer_that_gives_no_law_is_named(accept: float, residual: list[float], problem: str) -> None:
    def rule(target: list[float], draft: list[float], token: int) -> tuple[float, list[float]]:
        return accept, residual

    assert one_step_law([0.5, 0.5], [0.25, 0.75], rule).problem == problem
    with pytest.raises(NoLaw, match=problem):
        answer(rule, [0.5, 0.5], [0.25, 0.75], 0)


def test_a_division_by_zero_is_named_and_other_errors_pass() -> None:
    assert one_step_law([1.0, 0.0], [0.5, 0.5], wrong("inverted_ratio")).problem == "division-by-zero"
    with pytest.raises(ValueError, match="sums to"):
        one_step_law([0.5, 0.4], [0.5, 0.5], rejection_rule)


def test_the_residual_of_a_certain_acceptance_does_not_matter() -> None:
    assert one_step_law([1.0], [1.0], lambda target, draft, token: (2.0, [])).law == (1.0,)


def test_a_rule_gets_lists_of_its_own() -> None:
    def spoiling(target: list[float], draft: list[float], token: int) -> tuple[float, list[float]]:
        given = list(target)
        target.clear()
        draft.clear()
        return 0.0, given

    assert one_step_law(TARGET, DRAFT, spoiling).law == pytest.approx(TARGET, abs=1e-15)
    assert DRAFT == [0.2, 0.5, 0.1, 0.2]


def test_is_distribution_allows_rounding_only() -> None:
    assert is_distribution([1.0, -1e-17], 2)
    assert not is_distribution([1.0, -1e-9], 2)
