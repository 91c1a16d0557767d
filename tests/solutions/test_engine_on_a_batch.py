"""The engine's exact laws of a batch: the exercise verify_batch in one call, on cells and on a grid of uniforms."""
from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from solutions.grid import dyadic_tree, grid
from solutions.joint_law import completed, emitted_law, target_law
from solutions.scripted import round_cells
from solutions.trees import positive_law, random_tree
from solutions.verify_batch.solution import verify_batch
from tests.solutions.verifiers import right

torch = pytest.importorskip("torch")


def test_a_batch_has_the_law_of_its_rows() -> None:
    """The same cells as one ragged batch: rounds of 0, 1 and 2 drafts side by side, in another order."""
    tree = random_tree(random.Random(8), 3, 3, positive_law)
    cells = [cell for length in (2, 0, 1) for cell in round_cells(right, tree, length)]
    random.Random(1).shuffle(cells)
    for corner in ("low", "high"):
        points = [getattr(one.cell, corner) for one in cells]
        answer = verify_batch(*flat(cells, points))
        for (_, cell), row, count in zip(cells, answer[0].tolist(), answer[1].tolist(), strict=True):
            assert tuple(row[:count]) == cell.wanted and set(row[count:]) <= {-1}


def flat(cells: Any, points: Any) -> tuple[Any, ...]:
    """The rounds in flat layout, as tensors."""
    given = [one.given for one in cells]
    drafts, target, draft = (np.concatenate([one[part] for one in given]) for part in range(3))
    lengths = np.array([len(one.draft_tokens) for one in given])
    coins = np.array([coin for point in points for coin in point[:-1]])
    arrays = (drafts, target, draft, lengths, coins, np.array([point[-1] for point in points]))
    return tuple(map(torch.from_numpy, arrays))


@pytest.mark.parametrize("length", [0, 1, 2])
def test_on_a_grid_the_batch_has_the_target_s_law_to_the_last_digit(length: int) -> None:
    tree = dyadic_tree(random.Random(length), 3, length + 1, 3)
    batch = grid(tree, length, 3)
    law = batch.law(*verify_batch(*map(torch.from_numpy, batch.arguments)))
    assert completed(law, tree, length + 1) == target_law(tree, length + 1)
    assert law == emitted_law(right, tree, length)
