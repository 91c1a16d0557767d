"""Faults between two rounds: each is harmless where it should be."""
from __future__ import annotations

import random

import pytest

from solutions import state_faults
from solutions.commit_round.solution import commit_round
from solutions.joint_law import distance, target_law
from solutions.speculative_step.solution import speculative_step
from solutions.trees import Tree, chain_law, positive_law, random_tree


def test_a_stale_state_matters_only_where_the_target_looks_at_it() -> None:
    forgetful = Tree(lambda tokens: (0.5, 0.5) if not tokens or tokens[-1] else (0.8, 0.2), lambda tokens: (0.9, 0.1))
    assert distance(state_faults.after_a_stale_state(forgetful), target_law(forgetful, 2)) < 1e-12
    tree = random_tree(random.Random(4), 3, 2, positive_law)
    assert sum(state_faults.after_a_stale_state(tree).values()) == pytest.approx(1.0)
    assert distance(state_faults.after_a_stale_state(tree), target_law(tree, 2)) > 0.001


@pytest.mark.parametrize("length", [0, 1, 2])
def test_texts_of_right_bookkeeping_have_the_target_s_law(length: int) -> None:
    tree = random_tree(random.Random(length), 3, length, positive_law)
    law = state_faults.committed_law(speculative_step, commit_round, tree, length, eos=2)
    assert distance(law, chain_law(tree.target, length + 1, eos=2)) < 1e-12
