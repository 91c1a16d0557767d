"""The cells of a round: they fill the cube of the uniforms, and the engine's exercise solution emits their tokens."""
from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from exercises.expect import Mismatch, Text
from solutions.rounds import EIGHTHS, FOUR, arguments, cells, emits, random_round, round_of
from solutions.speculative_step.solution import speculative_step

WHY = Text("why", "为什么")


@pytest.mark.parametrize("seed", range(20))
def test_the_cells_of_a_round_have_all_the_mass_and_their_own_tokens(seed: int) -> None:
    rng = random.Random(seed)
    given = random_round(rng, rng.randint(0, 4), rng.randint(1, 5))
    found = list(cells(given))
    assert math.fsum(cell.probability for cell in found) == pytest.approx(1.0, abs=1e-11)
    assert len({tuple(cell.wanted) for cell in found}) == len(found)
    for cell in found:
        for *coins, final_draw in (cell.low, cell.high):
            assert speculative_step(*arguments(given, coins, final_draw)) == cell.wanted


def test_each_draft_token_of_a_random_round_can_be_drawn() -> None:
    given = random_round(random.Random(1), 50, 4)
    assert all(given.draft_rows[np.arange(50), given.draft_tokens] > 0.0)


def test_a_call_gets_copies() -> None:
    def spoil(tokens: Any, target: Any, draft: Any, coins: Any, final_draw: float) -> list[int]:
        for part in (tokens, target, draft, coins):
            part.fill(0)
        return [1]

    kept = FOUR.target_rows.copy()
    emits(spoil, FOUR, [0.1, 0.1, 0.1], 0.5, [1], WHY)
    assert np.array_equal(FOUR.target_rows, kept) and FOUR.draft_tokens.tolist() == [0, 2, 3]


@pytest.mark.parametrize("value", [[1.0], [True], 1, None, [1, 2], [[1]], np.array([1.0]), [np.array([1, 1])], "1"])
def test_anything_but_the_tokens_is_a_mismatch(value: Any) -> None:
    with pytest.raises(Mismatch):
        emits(lambda *_: value, EIGHTHS, [0.0, 0.0], 0.5, [1], WHY)


@pytest.mark.parametrize("value", [[1], (1,), np.array([1]), [np.int64(1)]])
def test_tokens_may_come_in_any_container_of_integers(value: Any) -> None:
    emits(lambda *_: value, EIGHTHS, [0.0, 0.0], 0.5, [1], WHY)


def test_a_round_without_draft_tokens_keeps_its_shapes() -> None:
    given = round_of([], [[0.5, 0.5]], [])
    assert [part.shape for part in given[:3]] == [(0,), (1, 2), (0, 2)]
