"""The experiments with finite arithmetic: against the exact law, against PyTorch, against values measured before."""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from grader import catalogue
from grader.known_mistakes import wrong_function
from solutions.draws import accepts
from solutions.law import one_step_law
from solutions.numerics import drawing, dropout, precision, residual, rule
from solutions.numerics.experiments import EXPERIMENTS, run
from solutions.rejection_rule.solution import rejection_rule
from solutions.rounds import ALMOST, TIE, arguments, round_of

EVERY = [(name, variant, size) for name, one in EXPERIMENTS.items() for variant in one.variants for size in one.sizes]


def found(name: str, variant: str, size: str, seed: int = 0) -> float:
    computed = run(name, variant, size, seed).computed
    assert computed is not None
    return computed


@pytest.mark.parametrize("epsilon", [1e-12, 1e-4, 1e-2, 0.3])
@pytest.mark.parametrize("seed", [0, 1])
def test_long_rows_have_the_law_of_short_ones(epsilon: float, seed: int) -> None:
    rows = precision.pair(12, rule.NOISE, seed)

    def ratio(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
        return target[token] / (draft[token] + epsilon), rejection_rule(target, draft, token)[1]

    def clamped(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
        residual = [max(p - q, epsilon) for p, q in zip(target, draft, strict=True)]
        return rejection_rule(target, draft, token)[0], [mass / sum(residual) for mass in residual]

    target, draft = rows.target.tolist(), rows.draft.tolist()
    for law, known in ((rule.law_with_ratio_epsilon, ratio), (rule.law_with_residual_epsilon, clamped)):
        assert law(rows, epsilon) == pytest.approx(np.array(one_step_law(target, draft, known).law), abs=1e-12)


def test_the_token_hit_hardest_is_one_that_can_be_rejected() -> None:
    """Of these rows the rarest token isn't it: its ratio of 4 leaves it a sure acceptance, epsilon or not."""
    rows = precision.Pair(np.array([0.4, 0.008, 0.592]), np.array([0.2, 0.002, 0.798]))
    kept = rule.acceptance(rows, 0.002) / rule.acceptance(rows, 0.0)
    assert kept == pytest.approx([1.0, 1.0, 0.798 / 0.8])
    for size in EXPERIMENTS["ratio_epsilon"].variants:
        worst = [run("ratio_epsilon", size, epsilon, 0).extra for epsilon in EXPERIMENTS["ratio_epsilon"].sizes]
        rarest = float(precision.pair(int(size), rule.NOISE, 0).draft.min())
        for epsilon, loss in zip(EXPERIMENTS["ratio_epsilon"].sizes, worst, strict=True):
            assert loss is not None and 0.0 < loss <= float(epsilon) / (rarest + float(epsilon)) + 1e-12


@pytest.mark.parametrize("name", ["ratio_epsilon", "residual_epsilon"])
def test_no_epsilon_no_fault(name: str) -> None:
    rows = precision.pair(1000, 0.5, 0)
    law = rule.law_with_ratio_epsilon if name == "ratio_epsilon" else rule.law_with_residual_epsilon
    assert law(rows, 0.0) == pytest.approx(rows.target, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "variant", "size", "measured"),
    [
        ("ratio_epsilon", "32000", "1e-12", 8e-9), ("ratio_epsilon", "32000", "1e-5", 3.7e-2),
        ("ratio_epsilon", "128256", "1e-12", 4e-8), ("residual_epsilon", "32000", "1e-12", 1.2e-8),
        ("residual_epsilon", "32000", "1e-5", 0.13), ("residual_epsilon", "128256", "1e-8", 6e-4),
        ("uniform", "float32", "1000", 1e-5), ("uniform", "float32", "32000", 3.2e-4),
        ("uniform", "float32", "128256", 1.2e-3), ("cumsum", "float32", "1000", 5e-6),
        ("cumsum", "float32", "32000", 1.5e-4), ("cumsum", "float32", "128256", 6e-4),
        ("half", "bfloat16", "1e-2", 0.12), ("half", "bfloat16", "1e-3", 0.78), ("half", "float32", "1e-7", 0.19),
    ],
)
def test_what_was_measured_elsewhere_comes_out_again(name: str, variant: str, size: str, measured: float) -> None:
    """Other rows of the same kind, so within a quarter."""
    assert found(name, variant, size) == pytest.approx(measured, rel=0.25)


@pytest.mark.parametrize(("size", "uniform", "cumsum"), [("32000", 0.054, 0.037), ("128256", 0.157, 0.12)])
def test_tokens_that_are_never_drawn(size: str, uniform: float, cumsum: float) -> None:
    assert run("uniform", "float32", size, 0).extra == pytest.approx(uniform, rel=0.05)
    assert run("cumsum", "float32", size, 0).extra == pytest.approx(cumsum, rel=0.05)
    assert run("uniform", "float64", size, 0).extra == run("cumsum", "float64", size, 0).extra == 0.0
    assert found("cumsum", "float64", size) < 2e-7 and found("uniform", "float64", size) < 1e-11


@pytest.mark.parametrize(("name", "variant", "size"), [one for one in EVERY if one[0] in ("uniform", "cumsum")])
def test_the_prediction_of_a_draw_is_near(name: str, variant: str, size: str) -> None:
    predicted = run(name, variant, size, 0).predicted
    if predicted is not None and predicted < 0.01:
        assert found(name, variant, size) == pytest.approx(predicted, rel=0.2)


def test_an_epsilon_s_prediction_holds_while_it_is_small() -> None:
    for name in ("ratio_epsilon", "residual_epsilon"):
        for size in EXPERIMENTS[name].variants:
            predicted = run(name, size, "1e-10", 0).predicted
            assert predicted is not None and found(name, size, "1e-10") == pytest.approx(predicted, rel=0.02)


def test_the_grid_law_is_what_a_draw_over_the_grid_gives() -> None:
    """All 2^6 uniforms, one by one."""
    law = precision.pair(9, 1.0, 3).target
    sums = np.cumsum(law)
    sums[-1] = 1.0
    drawn = np.searchsorted(sums, np.arange(64) / 64, side="right")
    assert drawing.law_of_grid(law, 6) == pytest.approx(np.bincount(drawn, minlength=9) / 64)


@pytest.mark.parametrize(("target", "draft"), [(0.0, 0.5), (0.1, 0.4), (0.3, 0.4), (0.5, 0.4), (0.2, 0.2)])
def test_accepted_coins_are_counted_right(target: float, draft: float) -> None:
    for comparison in (rule.closed, accepts):
        each = sum(comparison(coin / 1024, target, draft) for coin in range(1024))
        assert rule.accepted_coins(comparison, target, draft, 1024) == each


def test_only_the_closed_comparison_lets_an_impossible_token_through() -> None:
    assert found("closed", "closed", "float32") == 2.0**-24 and found("closed", "closed", "float64") == 2.0**-53
    assert run("closed", "closed", "float32", 0).extra == pytest.approx(1.7e9, rel=0.02)
    assert all(found("closed", "strict", one) == 0.0 for one in precision.BITS)


def test_bfloat16_is_rounded_as_torch_does() -> None:
    import torch

    rng = np.random.default_rng(0)
    numbers = rng.normal(size=5000) * 10.0 ** rng.integers(-30, 30, 5000)
    single = np.append(numbers, [0.0, -0.0, 1.0, 1.00390625]).astype(np.float32)
    assert (precision.bfloat16(single) == torch.from_numpy(single).to(torch.bfloat16).float().numpy()).all()
    ties = np.arange(1 << 12, dtype=np.uint32) * np.uint32(0x8000) + np.uint32(0x3F000000)
    single = ties.view(np.float32)
    assert (precision.bfloat16(single) == torch.from_numpy(single).to(torch.bfloat16).float().numpy()).all()


def test_the_limits_of_torch_multinomial() -> None:
    """What the lesson says of it. The last is PyTorch issue 43115: a float32 running sum that 0.5 can't move."""
    import torch

    for impossible in (torch.zeros(4), torch.tensor([[0.5, 0.5], [0.0, 0.0]])):
        with pytest.raises(RuntimeError, match="sum of probabilities <= 0"):
            torch.multinomial(impossible, 1)
    with pytest.raises(RuntimeError, match=r"cannot exceed 2\^24"):
        torch.multinomial(torch.ones(2**24 + 1), 1)
    weights = torch.ones(2**24)
    weights[2**23 :] = 0.5  # a third of the mass
    drawn = torch.multinomial(weights, 200, replacement=True, generator=torch.Generator().manual_seed(0))
    assert int((drawn >= 2**23).sum()) == 0, "PyTorch draws the upper half again: change the lesson"


def test_a_sum_of_ones_stops_where_adding_one_rounds_back() -> None:
    for size in EXPERIMENTS["stall"].sizes:
        stalled = run("stall", "float16", size, 0)
        assert stalled.computed == pytest.approx(stalled.predicted) and stalled.extra == min(int(size), 2048)
        assert found("stall", "float32", size) == 0.0
    assert np.float32(2**24) + np.float32(1) == np.float32(2**24)


def test_numpy_s_tolerance_decides_which_rows_are_refused() -> None:
    for variant in ("cast", "renormalised"):
        for size in EXPERIMENTS["choice"].sizes:
            refused = run("choice", variant, size, 0)
            assert refused.computed == refused.predicted and 0.4 < found("choice", variant, size) < 1.0
            assert "do not sum to 1" in refused.raised
    assert all(found("choice", "divided_last", size) == 0.0 for size in EXPERIMENTS["choice"].sizes)
    assert all(run("choice", "divided_last", size, 0).extra < 1e-15 for size in EXPERIMENTS["choice"].sizes)
    assert drawing.TOLERANCE == pytest.approx(1.49e-8, rel=1e-3)


def test_nothing_missing_gives_what_the_known_faults_give() -> None:
    """On the bug hunt's round of the same row: a draft row a rounding error above it, and a coin of almost 1."""
    exercise = catalogue.load("bug_hunt_kernel")
    target = list(residual.TARGET)
    round_ = round_of([1], [[ALMOST * mass for mass in target], target], [target])
    for mistake, fallback in {
        "last_token_on_zero": "last", "uniform_on_zero": "uniform", "zero_residual_left": "argmax",
    }.items():
        named = [one for one in exercise.mistakes if one.id == mistake]
        function = wrong_function(exercise, named[0])
        for draw in (0.01, 0.3, 0.62, 0.99):
            expected = residual.FALLBACKS[fallback]([0.0] * len(target), draw)
            assert function(*arguments(round_, [TIE], draw))[-1] == expected


def test_what_raises_says_so() -> None:
    assert "NaN" in run("zero", "here", "divide", 0).raised and run("zero", "here", "divide", 0).computed is None
    assert "NaN" in run("half", "float16", "1e-7", 0).raised and run("half", "bfloat16", "1e-7", 0).extra == 0.0
    assert [found("zero", "here", name) for name in ("argmax", "last", "uniform", "target")] == [1.0, 1.0, 0.5, 0.0]


def test_dropout_makes_another_model_of_every_pass() -> None:
    assert found("dropout", "law", "0") < 1e-12 and found("dropout", "kept", "0") == pytest.approx(1.0)
    for measure in ("law", "pass"):
        every = [found("dropout", measure, rate) for rate in EXPERIMENTS["dropout"].sizes]
        assert every == sorted(every) and every[2] > 0.03
    kept = [found("dropout", "kept", rate) for rate in EXPERIMENTS["dropout"].sizes]
    assert kept == sorted(kept, reverse=True) and kept[2] < 0.8
    assert all(dropout.left_on("law", 0.1, seed).computed != found("dropout", "law", "0.1") for seed in (1, 2))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_run_is_finite_and_the_same_again(name: str) -> None:
    one = EXPERIMENTS[name]
    for variant in one.variants:
        for size in one.sizes:
            first = one.run(variant, size, 7)
            assert first == one.run(variant, size, 7) == run(name, variant, size, 7 if one.seeded else 3)
            numbers = [number for number in (first.computed, first.predicted, first.extra) if number is not None]
            assert all(math.isfinite(number) and number >= 0.0 for number in numbers)
            assert first.computed is not None or first.raised


def test_what_an_experiment_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="no variant"):
        run("uniform", "float32", "17", 0)


def test_a_closed_test_lets_one_coin_in_two_to_the_bits_through() -> None:
    law = one_step_law((0.5, 0.3, 0.2, 0.0), (0.2, 0.2, 0.2, 0.4), rule.closed_on_grid(10)).law
    assert law[3] == pytest.approx(0.4 / 1024) and sum(law) == pytest.approx(1.0)
    # where nothing has mass 0 the boundary moves by one coin at most
    same = one_step_law((0.7, 0.3), (0.4, 0.6), rule.closed_on_grid(10)).law
    assert same == pytest.approx((0.7, 0.3), abs=1 / 1024)
