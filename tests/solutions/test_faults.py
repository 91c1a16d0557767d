"""Faults outside the rule: laws worked by hand, and that each is harmless where it should be."""
from __future__ import annotations

import random

import pytest

from solutions import faults
from solutions.commit_round.solution import commit_round
from solutions.joint_law import distance, target_law
from solutions.law import one_step_law
from solutions.speculative_step.solution import speculative_step
from solutions.trees import Tree, chain_law, positive_law, random_tree

TARGET, DRAFT = (0.5, 0.3, 0.2, 0.0), (0.2, 0.2, 0.2, 0.4)


def test_another_target_comes_out_as_it_is() -> None:
    other = (0.1, 0.2, 0.3, 0.4)
    assert one_step_law(TARGET, DRAFT, faults.judged_against(other)).law == pytest.approx(other)


def test_a_closed_test_lets_one_coin_in_two_to_the_bits_through() -> None:
    law = one_step_law(TARGET, DRAFT, faults.closed_on_grid(10)).law
    assert law[3] == pytest.approx(0.4 / 1024) and sum(law) == pytest.approx(1.0)
    # where nothing has mass 0 the boundary moves by one coin at most
    same = one_step_law((0.7, 0.3), (0.4, 0.6), faults.closed_on_grid(10)).law
    assert same == pytest.approx((0.7, 0.3), abs=1 / 1024)


def test_a_stale_state_matters_only_where_the_target_looks_at_it() -> None:
    forgetful = Tree(lambda tokens: (0.5, 0.5) if not tokens or tokens[-1] else (0.8, 0.2), lambda tokens: (0.9, 0.1))
    assert distance(faults.after_a_stale_state(forgetful), target_law(forgetful, 2)) < 1e-12
    tree = random_tree(random.Random(4), 3, 2, positive_law)
    assert sum(faults.after_a_stale_state(tree).values()) == pytest.approx(1.0)
    assert distance(faults.after_a_stale_state(tree), target_law(tree, 2)) > 0.001


@pytest.mark.parametrize("length", [0, 1, 2])
def test_texts_of_right_bookkeeping_have_the_target_s_law(length: int) -> None:
    tree = random_tree(random.Random(length), 3, length, positive_law)
    law = faults.committed_law(speculative_step, commit_round, tree, length, eos=2)
    assert distance(law, chain_law(tree.target, length + 1, eos=2)) < 1e-12
