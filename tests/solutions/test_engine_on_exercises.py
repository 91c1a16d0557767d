"""The engine's exact laws, of the exercises themselves."""
from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from solutions.joint_law import distance, emitted_law, joint_law, target_law
from solutions.scripted import round_cells, scripted_round_law
from solutions.speculative_step.solution import speculative_step
from solutions.trees import positive_law, random_tree
from tests.solutions.verifiers import right


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(1, 4), length=st.integers(0, 3))
def test_the_joint_law_of_the_step_is_the_target_s(seed: int, size: int, length: int) -> None:
    tree = random_tree(random.Random(seed), size, length + 1)
    assert distance(joint_law(speculative_step, tree, length), target_law(tree, length + 1)) < 1e-12
    assert distance(emitted_law(speculative_step, tree, length), emitted_law(right, tree, length)) < 1e-12


def test_scripted_uniforms_give_the_step_the_same_law() -> None:
    tree = random_tree(random.Random(5), 3, 3, positive_law)
    law = scripted_round_law(speculative_step, round_cells(speculative_step, tree, 2))
    assert distance(law, emitted_law(speculative_step, tree, 2)) < 1e-12
