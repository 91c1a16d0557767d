"""Scripted uniforms: the law of code that only takes floats, exact or with the cell named where it can't be."""
from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solutions.draws import pick
from solutions.joint_law import completed, distance, emitted_law, target_law
from solutions.scripted import Undecided, cells, round_cells, scripted_law, scripted_round_law
from solutions.symbolic import NotTraceable
from solutions.trees import positive_law, random_tree
from tests.solutions.verifiers import (
    bonus_from_the_draft,
    coin_recycled,
    coin_reused,
    keeps_going,
    no_bonus,
    one_coin,
    right,
    row_before,
    target_only,
    with_residual,
)

TREE = random_tree(random.Random(5), 3, 3, positive_law)
BOXES = list(round_cells(right, TREE, 2))
LAW = [0.2, 0.0, 0.3, 0.5]


def in_log_space(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    """Right, but can't be traced: it takes logarithms, and rounds in another way."""

    def stays(k: int, token: int) -> bool:
        return math.log(coins[k]) + math.log(draft[k][token]) < math.log(target[k][token]) if coins[k] else True

    kept = next((k for k, token in enumerate(drafts) if not stays(k, token)), len(drafts))
    coin = [0.0] * kept + [1.0] * (len(drafts) - kept)
    return right(drafts, target, draft, coin, final)


def test_the_law_of_code_that_cannot_be_traced() -> None:
    with pytest.raises(NotTraceable):
        emitted_law(in_log_space, TREE, 2)
    assert distance(scripted_round_law(in_log_space, BOXES), emitted_law(right, TREE, 2)) < 1e-12


def test_a_hidden_check_affords_it() -> None:
    assert 30 <= len(BOXES) <= 60
    assert sum(one.given.probability * one.cell.probability for one in BOXES) == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(1, 3), length=st.integers(0, 3))
def test_the_scripted_law_of_the_right_verifier_is_the_symbolic_one(seed: int, size: int, length: int) -> None:
    tree = random_tree(random.Random(seed), size, length + 1)
    law = scripted_round_law(right, round_cells(right, tree, length))
    assert distance(law, emitted_law(right, tree, length)) < 1e-12


@pytest.mark.parametrize("wrong", [bonus_from_the_draft, row_before, one_coin, coin_reused, keeps_going, target_only,
                                   coin_recycled, with_residual(lambda p, q: p)])  # fmt: skip
def test_a_verifier_that_decides_elsewhere_splits_a_cell(wrong: Callable[..., list[int]]) -> None:
    """So does a recycled coin, whose law is right: it breaks the protocol, by which the final draw decides."""
    with pytest.raises(Undecided, match="uniforms .* give .*, but .* give"):
        scripted_round_law(wrong, BOXES)


def test_a_wrong_verifier_that_keeps_to_the_cells_has_its_own_law() -> None:
    law = scripted_round_law(no_bonus, BOXES)
    assert distance(law, emitted_law(no_bonus, TREE, 2)) < 1e-12
    assert distance(law, emitted_law(right, TREE, 2)) > 0.01


def test_the_corners_are_just_inside() -> None:
    found = list(cells(lambda u: pick(LAW, u[0]), 1))
    margin = 2.0**-44
    assert [cell.wanted for cell in found] == [0, 2, 3]
    assert [cell.low[0] for cell in found] == [0.0, 0.2 + margin, 0.5 + margin]
    assert [cell.high[0] for cell in found] == [0.2 - margin, 0.5 - margin, math.nextafter(1.0, 0.0)]


def test_a_narrow_cell_keeps_its_corners_inside() -> None:
    cell = next(cells(lambda u: u[0] < 2.0**-50, 1))
    assert (cell.low, cell.high) == ((0.0,), (2.0**-50 * 0.75,))


def test_a_draw_of_exactly_0_is_tried() -> None:
    """Token 0 has no mass: a draw that takes the first sum that is not less than 0 gives it at 0, and only there."""
    law = [0.0, 0.4, 0.6]
    boxes = list(cells(lambda u: (pick(law, u[0]),), 1))
    assert scripted_law(lambda point: (pick(law, point[0]),), boxes) == {(1,): 0.4, (2,): 0.6}
    with pytest.raises(Undecided):
        scripted_law(lambda point: (pick(law, point[0]) if point[0] > 0.0 else 0,), boxes)


def test_a_function_without_uniforms_has_one_cell() -> None:
    assert list(cells(lambda u: 7, 0)) == [((), (), 1, 7)]


def test_the_target_s_law_comes_out_of_completed_cells() -> None:
    assert distance(completed(scripted_round_law(right, BOXES), TREE, 3), target_law(TREE, 3)) < 1e-12
