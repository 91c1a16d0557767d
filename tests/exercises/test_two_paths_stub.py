"""The locked lines of the exercise: the input checks, the fallback, and that only three blanks are open."""
from __future__ import annotations

import ast
import math
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.catalogue import BLANK, load
from solutions.law import one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from solutions.two_paths.solution import two_paths

EXERCISE = load("two_paths")
HALVES = [0.5, 0.5]
Law = list[float]


def apart(target: Law, draft: Law) -> tuple[Law, float, Law]:
    return cast(tuple[Law, float, Law], two_paths(target, draft, apart=True))


@pytest.mark.parametrize(
    ("target", "draft", "message"),
    [
        ([], [], "target has 0 entries, draft has 0; both must have the same length, at least 1"),
        ([1.0], HALVES, "target has 1 entries, draft has 2; both must have the same length, at least 1"),
        ([1.5, -0.5], HALVES, r"target\[1\] is -0.5; a probability must be a number that is not negative"),
        (HALVES, [math.nan, 1.0], r"draft\[0\] is nan; a probability must be a number that is not negative"),
        ([0.5, 0.47], HALVES, r"target sums to 0.97; probabilities must sum to 1 \(within 1e-9\)"),
        (HALVES, [0.5, 0.5 + 1e-8], r"draft sums to 1.00000001; probabilities must sum to 1"),
        (HALVES, [math.inf, 0.0], "draft sums to inf; probabilities must sum to 1"),
    ],
)
def test_bad_inputs_are_refused_with_value_rule_and_place(target: Law, draft: Law, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        two_paths(target, draft)


def test_the_worked_case() -> None:
    accepted, rejected, resampled = apart([0.7, 0.3], [0.4, 0.6])
    assert accepted == [0.4, 0.3]
    assert (rejected, resampled) == (pytest.approx(0.3, abs=1e-15), [pytest.approx(0.3, abs=1e-15), 0.0])
    assert two_paths([0.7, 0.3], [0.4, 0.6]) == pytest.approx([0.7, 0.3], abs=1e-15)


def test_rounding_never_makes_a_negative_probability() -> None:
    """Ten tenths add up to a little less than 1, these to a little more: the sums of a course, not of mathematics."""
    for law in ([0.1] * 10, [0.7, 0.1, 0.2], [0.3, 0.3, 0.4], [1.0, 5e-10]):
        accepted, rejected, resampled = apart(law, list(law))
        assert accepted == law and 0.0 <= rejected <= 1e-15
        assert all(0.0 <= mass <= 1e-15 for mass in resampled)


def test_at_equal_laws_the_fallback_has_no_weight() -> None:
    """Whatever stands in the fallback's place, the answer is the same."""
    law = [0.25, 0.25, 0.5]
    space: dict[str, object] = {}
    exec(EXERCISE.solution_source.replace("residual = list(target)", "residual = [1.0, 0.0, 0.0]"), space)
    assert two_paths(law, law) == space["two_paths"](law, law) == law  # type: ignore[operator]


weights = st.integers(1, 30).flatmap(
    lambda size: st.tuples(*[st.lists(st.integers(0, 12), min_size=size, max_size=size).filter(any)] * 2)
)


@given(weights)
def test_the_paths_are_those_of_the_rule_run_for_every_draft_token(pair: tuple[list[int], list[int]]) -> None:
    target, draft = ([weight / sum(one) for weight in one] for one in pair)
    accepted, rejected, resampled = apart(target, draft)
    ledger = one_step_law(target, draft, rejection_rule)
    assert accepted == pytest.approx(ledger.accepted, abs=1e-12)
    assert resampled == pytest.approx(ledger.resampled, abs=1e-12)
    assert rejected == pytest.approx(sum(ledger.rejected), abs=1e-12)
    assert rejected == pytest.approx(total_variation(target, draft), abs=1e-12)
    assert two_paths(target, draft) == pytest.approx(target, abs=1e-12)


def test_the_stub_has_exactly_three_blanks_and_each_is_a_name() -> None:
    names = [node.id for node in ast.walk(ast.parse(EXERCISE.stub)) if isinstance(node, ast.Name)]
    assert names.count(BLANK) == EXERCISE.stub.count(BLANK) == 3
    assert f"accepted = [{BLANK} for p, q in zip(target, draft)]\n" in EXERCISE.stub
    assert f"reject_probability = {BLANK}\n" in EXERCISE.stub
    assert f"resampled = [{BLANK} for share in residual]\n" in EXERCISE.stub


def test_the_stub_imports_nothing() -> None:
    assert not any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.walk(ast.parse(EXERCISE.stub)))
