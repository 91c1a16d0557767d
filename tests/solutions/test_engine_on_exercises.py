"""The engine's exact laws, of the exercises themselves."""
from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.catalogue import Mistake, load
from grader.known_mistakes import wrong_functions
from solutions.joint_law import completed, distance, emitted_law, joint_law, length_law, target_law
from solutions.scripted import round_cells, scripted_round_law
from solutions.speculative_step.solution import speculative_step
from solutions.symbolic import NotTraceable
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


STEP = load("speculative_step")
TREE = random_tree(random.Random(5), 3, 3, positive_law)
ONLY_AT_EDGES = {"M01", "M04", "M39", "M41", "M44", "M45", "M46"}  # scripted uniforms and extreme rows show these
LOSSLESS = {"M27"}  # wastes a token: only the law of the length shows it
NAMED = [mistake for mistake in STEP.mistakes if mistake.mutants]


@pytest.mark.parametrize("mistake", NAMED, ids=lambda mistake: mistake.id)
def test_the_exact_law_tells_which_mistakes_change_it(mistake: Mistake) -> None:
    try:
        emitted = emitted_law(wrong_functions(STEP, mistake)[STEP.id], TREE, 2)
    except NotTraceable as reason:
        assert mistake.mutants == ("M47",) and "np.log" in str(reason)
        return
    right_one, off = emitted_law(speculative_step, TREE, 2), set(mistake.mutants) & (ONLY_AT_EDGES | LOSSLESS)
    assert (distance(completed(emitted, TREE, 3), target_law(TREE, 3)) > 0.01) == (not off)
    if set(mistake.mutants) & LOSSLESS:
        assert distance(length_law(emitted), length_law(right_one)) > 0.01
