"""The locked lines of the exercise: the input checks, the fallback, and that only two blanks are open."""
from __future__ import annotations

import ast
import math

import pytest

from grader.catalogue import BLANK, load
from solutions.rejection_rule.solution import rejection_rule

EXERCISE = load("rejection_rule")
HALVES = [0.5, 0.5]


@pytest.mark.parametrize(
    ("target", "draft", "token", "message"),
    [
        ([], [], 0, "target_probs has 0 entries, draft_probs has 0; both must have the same length, at least 1"),
        ([1.0], HALVES, 0, "target_probs has 1 entries, draft_probs has 2; both must have the same length, at least 1"),
        ([1.5, -0.5], HALVES, 0, r"target_probs\[1\] is -0.5; a probability must be a number that is not negative"),
        (HALVES, [math.nan, 1.0], 1, r"draft_probs\[0\] is nan; a probability must be a number that is not negative"),
        ([0.5, 0.47], HALVES, 0, r"target_probs sums to 0.97; probabilities must sum to 1 \(within 1e-9\)"),
        (HALVES, [0.5, 0.5 + 1e-8], 0, r"draft_probs sums to 1.00000001; probabilities must sum to 1"),
        (HALVES, [math.inf, 0.0], 0, "draft_probs sums to inf; probabilities must sum to 1"),
        (HALVES, HALVES, 2, "draft_token is 2; it must be an index from 0 to 1"),
        (HALVES, HALVES, -1, "draft_token is -1; it must be an index from 0 to 1"),
        (HALVES, [1.0, 0.0], 1, r"draft_probs\[1\] is 0.0; a draft token must have positive draft probability"),
    ],
)
def test_bad_inputs_are_refused_with_value_rule_and_place(
    target: list[float], draft: list[float], token: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        rejection_rule(target, draft, token)


def test_sums_within_1e_9_of_one_are_taken() -> None:
    assert rejection_rule([0.5, 0.5 + 5e-10], HALVES, 0)[0] == 1.0


def test_the_worked_case_is_exact() -> None:
    assert rejection_rule([0.7, 0.3], [0.4, 0.6], 1) == (pytest.approx(0.5, abs=1e-12), [1.0, 0.0])
    assert rejection_rule([0.7, 0.3], [0.4, 0.6], 0)[0] == 1.0


def test_zero_residual_mass_falls_back_to_a_copy_of_the_target() -> None:
    target = [0.25, 0.75]
    accept, residual = rejection_rule(target, list(target), 1)
    assert (accept, residual) == (1.0, target)
    assert residual is not target


def test_rounding_alone_reaches_the_fallback_through_a_rejection() -> None:
    """Both laws sum to one only by rounding: the rare token can be rejected although no token misses anything."""
    target, draft = [1.0, 1e-20], [1.0, 4e-20]
    assert rejection_rule(target, draft, 1) == (0.25, target)


def test_the_stub_has_exactly_two_blanks_and_each_is_a_name() -> None:
    names = [node.id for node in ast.walk(ast.parse(EXERCISE.stub)) if isinstance(node, ast.Name)]
    assert names.count(BLANK) == EXERCISE.stub.count(BLANK) == 2
    assert f"accept_probability = {BLANK}\n" in EXERCISE.stub
    assert f"residual_mass = [{BLANK} for p, q in zip(target_probs, draft_probs)]\n" in EXERCISE.stub
    assert "qx = draft_probs[draft_token]\n" in EXERCISE.stub


def test_the_stub_imports_nothing() -> None:
    assert not any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.walk(ast.parse(EXERCISE.stub)))
