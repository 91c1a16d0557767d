"""The closed form of the shared-noise law, against a simulation that knows nothing of it."""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from solutions.law import one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from solutions.shared_noise import replacement_law, shared_noise_ledger

DRAWS = 200_000
CASES = [
    ((0.2, 0.4, 0.4), (0.6, 0.3, 0.1)),
    ((0.45, 0.3, 0.2, 0.05), (0.2, 0.35, 0.1, 0.35)),
    ((0.1, 0.2, 0.3, 0.3, 0.1), (0.5, 0.1, 0.0, 0.1, 0.3)),
]


def simulated(target: Sequence[float], draft: Sequence[float], shared: bool) -> list[float]:
    """Shares of what comes out of DRAWS steps with Gumbel noise. shared: one noise for the draft and the residual."""
    rng = np.random.default_rng(20)
    p, q = np.array(target), np.array(draft)
    residual = np.array(rejection_rule(list(target), list(draft), 0)[1])
    noise = rng.gumbel(size=(DRAWS, len(p)))
    with np.errstate(divide="ignore"):
        proposed = np.argmax(np.log(q) + noise, axis=1)
        replaced = np.argmax(np.log(residual) + (noise if shared else rng.gumbel(size=noise.shape)), axis=1)
    emitted = np.where(rng.random(DRAWS) * q[proposed] < p[proposed], proposed, replaced)
    shares: list[float] = (np.bincount(emitted, minlength=len(p)) / DRAWS).tolist()
    return shares


def test_the_case_of_the_lesson_is_a_fraction() -> None:
    target, draft = ([Fraction(n, 10) for n in row] for row in ((2, 4, 4), (6, 3, 1)))
    ledger = shared_noise_ledger(target, draft)
    assert ledger.law == (Fraction(1, 5), Fraction(16, 45), Fraction(4, 9))
    assert total_variation(ledger.law, target) == pytest.approx(2 / 45, abs=1e-15)
    assert sum(ledger.accepted) == Fraction(3, 5)


@pytest.mark.parametrize(("target", "draft"), CASES)
def test_the_simulation_agrees(target: tuple[float, ...], draft: tuple[float, ...]) -> None:
    """Five standard errors; the same draws with a noise of its own for the residual give the target's law."""
    law = shared_noise_ledger(target, draft).law
    within = 5 * 0.5 / np.sqrt(DRAWS)
    assert simulated(target, draft, shared=True) == pytest.approx(law, abs=within)
    assert simulated(target, draft, shared=False) == pytest.approx(target, abs=within)


@pytest.mark.parametrize(("target", "draft"), CASES)
def test_acceptance_is_untouched_and_mass_is_kept(target: tuple[float, ...], draft: tuple[float, ...]) -> None:
    ledger, right = shared_noise_ledger(target, draft), one_step_law(target, draft, rejection_rule)
    assert sum(ledger.law) == pytest.approx(1.0, abs=1e-12)
    assert ledger.accepted == pytest.approx(right.accepted) and ledger.rejected == pytest.approx(right.rejected)


def test_a_single_missing_token_leaves_no_choice() -> None:
    assert replacement_law((0.6, 0.2, 0.2), (0.2, 0.4, 0.4)) == pytest.approx([1.0, 0.0, 0.0])
    assert shared_noise_ledger((0.5, 0.5), (0.5, 0.5)).law == pytest.approx((0.5, 0.5))
