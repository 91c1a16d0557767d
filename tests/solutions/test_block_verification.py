"""Block verification: exact by enumeration, better than token by token, wrong if it stops at the first failure."""
from __future__ import annotations

import random
from fractions import Fraction
from functools import partial

import pytest

from solutions.block_verification import (
    TOY,
    block_verify,
    first_failure,
    judged,
    last_success,
    mean_accepted,
)
from solutions.joint_law import completed, distance, emitted_law, joint_law, target_law
from solutions.speculative_step.solution import speculative_step
from solutions.trees import everywhere, positive_law, random_tree

EXACT = 1e-12
FLOATS = everywhere((1 / 3, 2 / 3), (2 / 3, 1 / 3))


@pytest.mark.parametrize("seed", range(6))
def test_the_law_is_the_target_s_and_no_fewer_tokens_are_accepted(seed: int) -> None:
    size, length = ((2, 3), (3, 2))[seed % 2]
    tree = random_tree(random.Random(seed), size, length, positive_law)
    emitted = emitted_law(block_verify, tree, length)
    assert distance(completed(emitted, tree, length + 1), target_law(tree, length + 1)) < EXACT
    assert mean_accepted(emitted) >= mean_accepted(emitted_law(speculative_step, tree, length)) - EXACT


def test_rows_with_zeros_keep_the_law() -> None:
    for seed in range(6):
        tree = random_tree(random.Random(seed), 3, 2)
        assert distance(joint_law(block_verify, tree, 2), target_law(tree, 3)) < EXACT


def test_one_draft_token_is_judged_as_ever() -> None:
    tree = random_tree(random.Random(1), 4, 1, positive_law)
    assert distance(emitted_law(block_verify, tree, 1), emitted_law(speculative_step, tree, 1)) < EXACT


def test_the_paper_s_example_in_fractions() -> None:
    assert mean_accepted(emitted_law(block_verify, TOY, 2)) == Fraction(11, 9)
    assert mean_accepted(emitted_law(speculative_step, FLOATS, 2)) == pytest.approx(10 / 9, abs=EXACT)
    assert joint_law(block_verify, TOY, 2) == target_law(TOY, 3)
    # by hand, draft tokens (0, 1): half as likely under the target, then twice as likely: together they always stay
    rows = [(Fraction(1, 3), Fraction(2, 3))] * 3, [(Fraction(2, 3), Fraction(1, 3))] * 2
    assert judged([0, 1], *rows) == ((Fraction(0), 1), (1, Fraction(1, 2), 1))


def test_stopping_at_the_first_failure_breaks_the_law_and_accepts_less() -> None:
    stopped = emitted_law(partial(block_verify, kept_by=first_failure), TOY, 2)
    assert distance(completed(stopped, TOY, 3), target_law(TOY, 3)) == pytest.approx(1 / 3, abs=EXACT)
    assert mean_accepted(stopped) == Fraction(5, 9)


def test_the_residual_of_token_by_token_verification_breaks_the_law() -> None:
    tree = everywhere((0.4, 0.4, 0.2), (0.8, 0.1, 0.1))
    wrong = joint_law(partial(block_verify, token_residual=True), tree, 2)
    assert distance(wrong, target_law(tree, 3)) == pytest.approx(0.02, abs=EXACT)


@pytest.mark.parametrize(("passed", "last", "first"), [
    ([], 0, 0), ([False], 0, 0), ([True], 1, 1), ([False, True], 2, 0), ([True, False, True, False], 3, 1),
])  # fmt: skip
def test_two_ways_to_read_the_verdicts(passed: list[bool], last: int, first: int) -> None:
    assert (last_success(passed), first_failure(passed)) == (last, first)
