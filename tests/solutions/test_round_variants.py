"""The fresh numbers of the two exercises about a round: proper to work by hand, and each usual slip is named."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from solutions.bug_hunt_kernel.variants import make as make_hunt
from solutions.speculative_step.variants import make as make_step
from solutions.variant import Variant

each_kind = pytest.mark.parametrize("make", [make_step, make_hunt], ids=["speculative_step", "bug_hunt_kernel"])


def judged(variant: Variant, typed: dict[str, str]) -> dict[str, tuple[bool, str]]:
    answers = {field.id: f"{field.value:.2f}" for field in variant.asked} | typed
    return {name: (right, message.en) for name, right, message in variant.judge(answers)}


@each_kind
@pytest.mark.parametrize("seed", range(40))
def test_two_decimals_of_the_right_numbers_are_right(make: Callable[[int], Variant], seed: int) -> None:
    variant = make(seed)
    assert variant == make(seed)
    assert all(right for right, _ in judged(variant, {}).values())


@each_kind
def test_seeds_give_different_variants(make: Callable[[int], Variant]) -> None:
    assert len({make(seed).question for seed in range(50)}) > 40


def test_rounds_end_at_every_place_about_equally_often() -> None:
    kept = Counter(field.value for seed in range(90) for field in make_step(seed).asked if field.id == "kept")
    assert set(kept) == {0.0, 1.0, 2.0} and min(kept.values()) >= 20


@pytest.mark.parametrize("seed", range(20))
def test_the_law_of_the_last_token_is_a_law(seed: int) -> None:
    values = {field.id: field.value for field in make_step(seed).asked}
    law = [values[f"law_{token}"] for token in range(3)]
    assert sum(law) == pytest.approx(1.0) and law[int(values["token"])] > 0.0
    assert all(0.0 < values[f"accept_{k}"] < 1.0 for k in range(2))


@each_kind
@pytest.mark.parametrize("seed", range(20))
def test_each_usual_slip_is_named(make: Callable[[int], Variant], seed: int) -> None:
    variant = make(seed)
    for field in variant.asked:
        for number, message in field.slips:
            right, said = judged(variant, {field.id: f"{number:.4f}"})[field.id]
            near = [other.en for value, other in field.slips if abs(value - number) <= 5e-3]
            assert right == (abs(number - field.value) <= 5e-3) and (right or said in near), message.en
