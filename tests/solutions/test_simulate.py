"""The simulations, counted and one by one: the law of single steps, at any number of draws, fast."""
from __future__ import annotations

import math
import time
from fractions import Fraction

import numpy as np
import pytest

from grader.catalogue import load
from grader.known_mistakes import wrong_function
from solutions.law import Ledger, NoLaw, Rule, one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from solutions.simulate import CHUNK, Stepper, Trials, emitted_counts, expected_total_variation, trials

EXERCISE = load("rejection_rule")
TARGET, DRAFT = [0.35, 0.3, 0.0, 0.15, 0.2], [0.2, 0.45, 0.1, 0.25, 0.0]
FALSE_ALARM = 1e-6


def wrong(mistake_id: str) -> Rule:
    return wrong_function(EXERCISE, next(mistake for mistake in EXERCISE.mistakes if mistake.id == mistake_id))


def chi_square(counts: np.ndarray, law: tuple[float, ...]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom; a token of probability 0 that came out makes it infinite."""
    expected = np.array(law) * counts.sum()
    if counts[expected == 0].any():
        return math.inf, 0
    seen, expected = counts[expected > 0], expected[expected > 0]
    return float((((seen - expected) ** 2) / expected).sum()), len(expected) - 1


def exceeded(statistic: float, freedom: int) -> float:
    """The probability that a chi-square variable exceeds the statistic, by its recurrence in steps of two degrees."""
    half, start = statistic / 2, 2 - freedom % 2
    tail = math.erfc(math.sqrt(half)) if start == 1 else math.exp(-half)
    for degree in range(start, freedom, 2):
        tail += math.exp(-half) * half ** (degree / 2) / math.gamma(degree / 2 + 1)
    return tail


def test_the_tail_of_chi_square_is_that_of_the_tables() -> None:
    assert exceeded(3.841, 1) == pytest.approx(0.05, abs=1e-4)
    assert exceeded(5.991, 2) == pytest.approx(0.05, abs=1e-4)
    assert exceeded(7.815, 3) == pytest.approx(0.05, abs=1e-4)
    assert exceeded(9.488, 4) == pytest.approx(0.05, abs=1e-4)
    assert exceeded(33.38, 4) == pytest.approx(1e-6, rel=0.01)


@pytest.mark.parametrize("name", ["solution", "residual_is_target", "threshold", "rejected_token_zeroed", "no_min"])
def test_counts_follow_the_exact_law(name: str) -> None:
    """False alarm 1e-6 a rule; with 10^6 draws a law off by a total variation of 0.01 is found with power > 0.999."""
    rule: Rule = rejection_rule if name == "solution" else wrong(name)
    counts = emitted_counts(TARGET, DRAFT, rule, 10**6, np.random.default_rng(7))
    statistic, freedom = chi_square(counts, one_step_law(TARGET, DRAFT, rule).law)
    assert exceeded(statistic, freedom) > FALSE_ALARM


def test_the_same_test_finds_a_wrong_law() -> None:
    counts = emitted_counts(TARGET, DRAFT, wrong("residual_is_target"), 10**6, np.random.default_rng(7))
    statistic, freedom = chi_square(counts, tuple(TARGET))
    assert exceeded(statistic, freedom) < FALSE_ALARM


def test_every_draw_is_counted_and_the_seed_decides() -> None:
    first, second, other = (
        emitted_counts(TARGET, DRAFT, rejection_rule, 12_345, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first.sum() == 12_345 and first.dtype == np.int64
    assert (first == second).all() and (first != other).any()
    assert emitted_counts(TARGET, DRAFT, rejection_rule, 0, np.random.default_rng(1)).sum() == 0


def test_an_impossible_token_is_never_counted() -> None:
    """NumPy's multinomial gives its last entry what rounding leaves over, about 100 in 10^18 draws of this target."""
    target, draft = [0.1] * 10 + [0.0], [0.0] * 10 + [1.0]
    for seed in range(5):
        assert emitted_counts(target, draft, rejection_rule, 10**18, np.random.default_rng(seed))[-1] == 0


def test_negative_rounding_in_a_residual_counts_as_zero() -> None:
    counts = emitted_counts([0.5, 0.5], [0.5, 0.5], lambda *_: (0.0, [1.0, -1e-17]), 1000, np.random.default_rng(1))
    assert counts.tolist() == [1000, 0]


def test_a_rule_without_a_law_is_refused() -> None:
    with pytest.raises(NoLaw, match="residual-not-a-distribution"):
        emitted_counts([0.7, 0.3], [0.4, 0.6], wrong("unclamped_difference"), 1000, np.random.default_rng(1))


def test_ten_million_draws_take_a_fraction_of_a_second() -> None:
    start = time.perf_counter()
    emitted_counts(TARGET, DRAFT, rejection_rule, 10**7, np.random.default_rng(1))
    assert time.perf_counter() - start < 0.3


def places(law: Ledger) -> tuple[float, ...]:
    """The law of (draft token, accepted): accepted mass of each token, then its rejected mass."""
    return (*law.accepted, *law.rejected)


def counted(run: Trials, size: int) -> np.ndarray:
    return np.bincount(run.draft_tokens + size * ~run.accepted, minlength=2 * size)


@pytest.mark.parametrize("name", ["solution", "residual_is_target", "threshold", "rejected_token_zeroed", "no_min"])
def test_trials_follow_the_exact_law(name: str) -> None:
    """What comes out, and the way it came; false alarm 1e-6 each; off by a total variation of 0.01 is found."""
    rule: Rule = rejection_rule if name == "solution" else wrong(name)
    run = trials(TARGET, DRAFT, rule, 10**6, np.random.default_rng(11))
    ledger = one_step_law(TARGET, DRAFT, rule)
    for counts, law in ((np.bincount(run.outputs, minlength=5), ledger.law), (counted(run, 5), places(ledger))):
        statistic, freedom = chi_square(counts, law)
        assert exceeded(statistic, freedom) > FALSE_ALARM


def test_the_same_test_finds_wrong_trials() -> None:
    run = trials(TARGET, DRAFT, wrong("residual_is_target"), 10**6, np.random.default_rng(11))
    statistic, freedom = chi_square(np.bincount(run.outputs, minlength=5), tuple(TARGET))
    assert exceeded(statistic, freedom) < FALSE_ALARM


@pytest.mark.parametrize("name", ["solution", "residual_is_target", "residual_is_draft"])
def test_on_a_grid_of_uniforms_dyadic_laws_come_out_exactly(name: str) -> None:
    """Every breakpoint is a multiple of 1/8, so 8**3 trials, one for each cell of the uniforms, have the law itself."""
    target, draft = [0.25, 0.0, 0.25, 0.5], [0.125, 0.25, 0.5, 0.125]
    rule: Rule = rejection_rule if name == "solution" else wrong(name)
    points = (np.arange(8) + 0.5) / 8
    run = Stepper(target, draft, rule).run(*(axis.ravel() for axis in np.meshgrid(points, points, points)))
    ledger = one_step_law(target, draft, rule)
    assert np.bincount(run.outputs, minlength=4).tolist() == [mass * 512 for mass in ledger.law]
    assert counted(run, 4).tolist() == [mass * 512 for mass in places(ledger)]


def test_an_accepted_token_comes_out_and_a_rejected_one_is_replaced() -> None:
    run = trials(TARGET, DRAFT, rejection_rule, 2 * CHUNK + 5, np.random.default_rng(2))
    assert [len(part) for part in run] == [2 * CHUNK + 5] * 3
    assert (run.outputs[run.accepted] == run.draft_tokens[run.accepted]).all()
    assert set(run.draft_tokens[~run.accepted]) == {1, 2, 3} and set(run.outputs[~run.accepted]) == {0, 4}
    assert 2 not in run.outputs and 4 not in run.draft_tokens


def test_a_residual_of_each_token_s_own_is_drawn_from() -> None:
    run = trials(TARGET, DRAFT, lambda p, q, token: (0.0, np.eye(5)[(token + 1) % 5].tolist()), 1000, rng_of(1))
    assert (run.outputs == (run.draft_tokens + 1) % 5).all() and not run.accepted.any()


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_the_seed_decides_the_trials_and_none_are_fine() -> None:
    first, second, other = (trials(TARGET, DRAFT, rejection_rule, 1000, rng_of(seed)) for seed in (1, 1, 2))
    assert (first.outputs == second.outputs).all() and (first.outputs != other.outputs).any()
    assert [len(part) for part in trials(TARGET, DRAFT, rejection_rule, 0, rng_of(1))] == [0, 0, 0]


def test_trials_of_a_rule_without_a_law_are_refused() -> None:
    with pytest.raises(NoLaw, match="residual-not-a-distribution"):
        trials([0.7, 0.3], [0.4, 0.6], wrong("unclamped_difference"), 1000, rng_of(1))


def test_a_million_trials_take_a_fraction_of_a_second() -> None:
    start = time.perf_counter()
    trials(TARGET, DRAFT, rejection_rule, 10**6, rng_of(1))
    assert time.perf_counter() - start < 0.5  # some 30 ms where nothing else runs


def enumerated_deviation(draws: int, p: Fraction) -> Fraction:
    return sum(
        math.comb(draws, count) * p**count * (1 - p) ** (draws - count) * abs(count - draws * p)
        for count in range(draws + 1)
    )


@pytest.mark.parametrize("draws", [1, 2, 7, 20, 33])
@pytest.mark.parametrize("weights", [(1, 1), (1, 3), (7, 2, 1), (0, 5, 5), (1,), (1, 2, 3, 4)])
def test_expected_total_variation_is_that_of_enumeration(draws: int, weights: tuple[int, ...]) -> None:
    law = [Fraction(weight, sum(weights)) for weight in weights]
    exact = sum(enumerated_deviation(draws, p) for p in law) / (2 * draws)
    assert expected_total_variation([float(p) for p in law], draws) == pytest.approx(float(exact), rel=1e-9, abs=1e-15)


def test_expected_total_variation_falls_like_one_over_root_n() -> None:
    for draws in (10**4, 10**6, 10**9):
        limit = sum(math.sqrt(p * (1 - p)) for p in TARGET) / math.sqrt(2 * math.pi * draws)
        assert expected_total_variation(TARGET, draws) == pytest.approx(limit, rel=1e-3)


def test_simulated_total_variation_is_what_is_expected() -> None:
    """The mean of 400 runs; its standard error is about 2 % of the expectation, the bound is six of them."""
    rng, draws = np.random.default_rng(3), 5000
    runs = [emitted_counts(TARGET, DRAFT, rejection_rule, draws, rng) / draws for _ in range(400)]
    mean = sum(total_variation(shares.tolist(), TARGET) for shares in runs) / len(runs)
    assert mean == pytest.approx(expected_total_variation(TARGET, draws), rel=0.12)
