"""Fresh cases to compute by hand: right numbers, forgiving reading, and a word about the usual slips."""
from __future__ import annotations

from collections.abc import Callable

import pytest

from solutions.bug_hunt_batch.variants import make as make_hunt
from solutions.commit_round.variants import make as make_round
from solutions.expected_tokens.variants import make as make_rates
from solutions.rejection_rule.variants import make
from solutions.two_paths.variants import make as make_paths
from solutions.variant import Field, Variant, read_number
from solutions.verify_batch.variants import make as make_batch


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("0.83", 0.83), ("5/6", 5 / 6), (" 5 / 6 ", 5 / 6), ("0,83", 0.83), (".5", 0.5), ("1", 1.0), ("1.", 1.0),
        ("83%", 0.83), ("-0.1", -0.1), ("0.3/0.6", 0.5), ("５／６", 5 / 6), ("０．５", 0.5),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(typed: str, number: float) -> None:
    assert read_number(typed) == pytest.approx(number, abs=1e-15)


@pytest.mark.parametrize("typed", ["", "abc", "1/0", "1e5", "5//6", "1/2/3", "nan", "inf", "id(1)", "9" * 500, "1.2.3"])
def test_anything_else_is_no_number(typed: str) -> None:
    assert read_number(typed) is None


def right_answers(variant: Variant) -> dict[str, str]:
    return {field.id: f"{field.value:.2f}" for field in variant.asked}


@pytest.mark.parametrize("maker", [make, make_paths, make_round, make_rates, make_batch, make_hunt])
@pytest.mark.parametrize("seed", range(40))
def test_two_decimals_of_the_right_numbers_are_right(maker: Callable[[int], Variant], seed: int) -> None:
    variant = maker(seed)
    assert all(right for _, right, _ in variant.judge(right_answers(variant)))


def test_a_variant_worked_by_hand() -> None:
    """Seed 0: target [0.25, 0.25, 0.5], draft [0.15, 0.05, 0.8], token 2."""
    variant = make(0)
    assert "[0.25, 0.25, 0.5]" in variant.question.en and "[0.15, 0.05, 0.8]" in variant.question.zh
    typed = {"accept": "5/8", "residual_0": "1/3", "residual_1": "2/3", "residual_2": "0", "reject": "0.3"}
    assert [right for _, right, _ in variant.judge(typed)] == [True] * 5


@pytest.mark.parametrize(
    ("field", "typed", "word"),
    [
        ("accept", "1.6", "upside down"),
        ("accept", "1", "not every proposal"),
        ("accept", "0.375", "rejecting"),
        ("accept", "0.5", "target probability"),
        ("accept", "0.8", "draft probability"),
        ("residual_0", "0.1", "divide by the sum"),
        ("residual_0", "1/6", "too much is not missing"),
        ("residual_0", "0.25", "whole target"),
        ("residual_2", "-0.3", "misses nothing"),
        ("residual_2", "0.5", "not missing"),
        ("reject", "0.375", "given that"),
        ("reject", "0.7", "acceptance rate"),
        ("accept", "", "empty"),
        ("accept", "five", "'five' is not a number"),
        ("accept", "0.01", "step by step"),
    ],
)
def test_each_usual_slip_is_named(field: str, typed: str, word: str) -> None:
    slip_is_named(make(0), field, typed, word)


@pytest.mark.parametrize(
    ("field", "typed", "word"),
    [
        ("accepted_2", "5/8", "once it is proposed"),
        ("accepted_0", "0.25", "larger of both"),
        ("accepted_2", "0.4", "target/draft, at most 1"),
        ("accepted_1", "0.2", "difference"),
        ("reject", "0.7", "a rejection is the rest"),
        ("reject", "0.6", "half of it"),
        ("reject", "1/8", "not proposed equally often"),
        ("reject", "3/8", "one proposed token"),
        ("resampled_1", "2/3", "multiply by the probability of a rejection"),
        ("resampled_2", "0.15", "redraws from the target"),
        ("resampled_0", "0.25", "whole target"),
    ],
)
def test_each_usual_slip_of_the_two_paths_is_named(field: str, typed: str, word: str) -> None:
    """Seed 0: target [0.25, 0.25, 0.5], draft [0.15, 0.05, 0.8]."""
    slip_is_named(make_paths(0), field, typed, word)


@pytest.mark.parametrize(
    ("field", "typed", "word"),
    [
        ("rejected", "2", "no draft token"),
        ("rejected", "4", "padding"),
        ("rejected", "1", "behind the first rejected one"),
        ("computed", "37", "optimistic"),
        ("computed", "32", "nothing of the cut"),
        ("computed", "33", "newest token"),
        ("computed", "35", "no K/V yet"),
        ("emitted", "4", "all that was sampled"),
        ("emitted", "8", "padding"),
        ("valid", "37", "stale slots too"),
        ("valid", "34", "cut off"),
        ("valid", "30", "before the round"),
        ("stale", "0", "nothing is erased"),
        ("stale", "3", "stale too"),
    ],
)
def test_each_usual_slip_of_a_round_is_named(field: str, typed: str, word: str) -> None:
    """Seed 6: 30 computed, draft [2, 0, 5, 22, 19, 16], row [2, 0, 5, 84] with 4 times padding, 0 ends the text."""
    slip_is_named(make_round(6), field, typed, word)


@pytest.mark.parametrize(
    ("field", "typed", "word"),
    [
        ("mean", "1.96", "bonus token"),
        ("mean", "1.176", "each round emits one more"),
        ("mean", "2.8", "by itself"),
        ("mean", "2.5", "endless draft"),
        ("mean", "4", "where all are accepted"),
        ("endless", "1.5", "each round emits one more"),
        ("endless", "5/3", "1 over its probability"),
        ("speedup", "2.176", "what the round costs"),
        ("speedup", "6.04", "pass of the target costs 1"),
        ("speedup", "1.94", "every draft token is paid for"),
        ("speedup", "0.5", "one pass of the target"),
        ("speedup", "0.865", "each round emits one more"),
        ("best", "12", "which one is the fastest"),
        ("best", "4", "times the present speedup"),
        ("best", "0", "above the cost"),
        ("border", "0.5", "no border at one half"),
        ("border", "0.6", "given rate"),
        ("border", "0.88", "saves"),
    ],
)
def test_each_usual_slip_of_the_speedup_is_named(field: str, typed: str, word: str) -> None:
    """Seed 7: rate 0.6, 3 draft tokens at 0.12 each."""
    slip_is_named(make_rates(7), field, typed, word)


@pytest.mark.parametrize("seed", range(40))
def test_a_round_to_work_by_hand_adds_up(seed: int) -> None:
    values = {field.id: field.value for field in make_round(seed).asked}
    assert 1 <= values["rejected"] <= values["stale"] and values["valid"] <= values["computed"]
    assert values["valid"] + values["stale"] == values["computed"] + values["rejected"]


def slip_is_named(variant: Variant, field: str, typed: str, word: str) -> None:
    answers = right_answers(variant) | {field: typed}
    told = {name: (right, message) for name, right, message in variant.judge(answers)}
    assert not told[field][0] and word in told[field][1].en
    assert all(right for name, (right, _) in told.items() if name != field)


@pytest.mark.parametrize("seed", range(40))
def test_the_two_paths_of_a_variant_add_up(seed: int) -> None:
    values = {field.id: field.value for field in make_paths(seed).asked}
    accepted, resampled = ([values[f"{path}_{token}"] for token in range(3)] for path in ("accepted", "resampled"))
    assert sum(accepted) + values["reject"] == pytest.approx(1.0) == sum(accepted) + sum(resampled)
    assert resampled.count(0.0) == 1 and all(accepted) and 0.0 < values["reject"] < 1.0


@pytest.mark.parametrize("seed", range(40))
def test_variants_are_proper_exercises(seed: int) -> None:
    values = {field.id: field.value for field in make(seed).asked}
    residual = [values[f"residual_{index}"] for index in range(3)]
    assert 0.0 < values["accept"] < 1.0 and 0.0 < values["reject"] < 1.0
    assert residual.count(0.0) == 1 and sum(residual) == pytest.approx(1.0)
    assert len({round(share, 3) for share in residual}) == 3


def test_seeds_give_different_variants_and_the_same_seed_the_same() -> None:
    assert make(5) == make(5)
    assert len({make(seed).question.en for seed in range(50)}) > 40


def test_a_slip_that_equals_the_right_number_is_right() -> None:
    variant = Field("x", make(0).question, 0.5, ((0.5, make(0).question),))
    assert variant.judge("0.5")[0]
