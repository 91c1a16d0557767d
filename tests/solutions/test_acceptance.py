"""Rounds with unequal acceptance rates: against enumeration, against the formula where rates are equal."""
from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solutions.acceptance import Kind, accepted_of_judged, mean_tokens, rates_by_depth, survival
from solutions.expected_tokens.solution import expected_tokens

rates = st.floats(0.0, 1.0)
pairs_of_rates = st.integers(1, 5).flatmap(lambda K: st.tuples(*[st.lists(rates, min_size=K, max_size=K)] * 2))


@given(pairs_of_rates, rates)
def test_two_kinds_of_rounds(lists: tuple[list[float], list[float]], share: float) -> None:
    tokens = accepted = judged = 0.0
    kinds = [Kind(share, lists[0]), Kind(1.0 - share, lists[1])]
    for kind in kinds:
        for coins in product((True, False), repeat=len(kind.rates)):
            weight = kind.share * likelihood(coins, kind.rates)
            run = [*coins, False].index(False)
            tokens, accepted = tokens + weight * (run + 1), accepted + weight * run
            judged += weight * min(run + 1, len(coins))
    assert mean_tokens(survival(kinds)) == pytest.approx(tokens)
    assert accepted_of_judged(survival(kinds)) == pytest.approx(accepted / judged)


def likelihood(coins: tuple[bool, ...], acceptance: list[float] | tuple[float, ...]) -> float:
    weight = 1.0
    for coin, rate in zip(coins, acceptance, strict=True):
        weight *= rate if coin else 1.0 - rate
    return weight


@given(rates, st.integers(0, 12))
def test_equal_rates_are_the_formula(alpha: float, K: int) -> None:
    survived = survival([Kind(1.0, [alpha] * K)])
    assert mean_tokens(survived) == pytest.approx(expected_tokens(alpha, K))
    assert all(rate is None or rate == pytest.approx(alpha) for rate in rates_by_depth(survived))
    if K:
        assert accepted_of_judged(survived) == pytest.approx(alpha)


def test_worked_cases() -> None:
    all_or_none = survival([Kind(0.5, [0.0] * 4), Kind(0.5, [1.0] * 4)])
    assert mean_tokens(all_or_none) == 3.0 and accepted_of_judged(all_or_none) == 0.8
    assert rates_by_depth(all_or_none) == (0.5, 1.0, 1.0, 1.0)
    assert rates_by_depth(survival([Kind(1.0, [0.5, 0.0, 0.9])])) == (0.5, 0.0, None)
    assert mean_tokens(survival([Kind(1.0, (0.8, 0.6, 0.45, 0.35))])) == pytest.approx(2.5716)
