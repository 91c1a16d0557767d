"""The coin and the draw, at the edges where published code goes wrong."""
from __future__ import annotations

import random

import numpy as np
import pytest

from solutions.draws import accepts, pick
from solutions.rejection_rule.solution import rejection_rule

BELOW_ONE = float(np.nextafter(1.0, 0.0))


def test_u_at_the_threshold_is_rejected_and_just_below_it_accepted() -> None:
    assert not accepts(0.5, 0.25, 0.5)
    assert accepts(float(np.nextafter(0.5, 0.0)), 0.25, 0.5)


@pytest.mark.parametrize("draft_mass", [1.0, 0.5, 2.0**-1000])
def test_a_token_without_target_mass_never_stays(draft_mass: float) -> None:
    assert not accepts(0.0, 0.0, draft_mass)


@pytest.mark.parametrize("mass", [1.0, 0.3, 2.0**-1000])
def test_equal_masses_always_stay(mass: float) -> None:
    assert accepts(0.0, mass, mass) and accepts(BELOW_ONE, mass, mass)


def test_the_coin_falls_with_the_rule_s_accept_probability() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        wanted, offered, u = (rng.randint(1, 99) / 100 for _ in range(3))
        accept, _ = rejection_rule([wanted, 1.0 - wanted], [offered, 1.0 - offered], 0)
        if abs(u - accept) > 1e-12:  # at the threshold itself rounding decides
            assert accepts(u, wanted, offered) == (u < accept)


def test_the_first_index_whose_cumulative_sum_is_greater() -> None:
    probs = [0.25, 0.5, 0.25]
    assert [pick(probs, uniform) for uniform in (0.0, 0.249, 0.25, 0.5, 0.75, BELOW_ONE)] == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("uniform", [0.0, 0.5, BELOW_ONE])
@pytest.mark.parametrize("probs", [[0.0, 0.5, 0.5 - 1e-13, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]])
def test_a_token_without_mass_is_never_picked(probs: list[float], uniform: float) -> None:
    assert probs[pick(probs, uniform)] > 0.0
