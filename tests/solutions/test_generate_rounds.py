"""The capstone's loop is the exercise before it, round after round: the same text from the same uniforms."""
from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from solutions import draws
from solutions.cases import random_law
from solutions.speculative_generate.solution import speculative_generate
from solutions.speculative_step.solution import speculative_step


def tables(rng: random.Random, size: int) -> list[list[list[float]]]:
    return [[random_law(rng, size) for _ in range(size)] for _ in range(2)]


def stepwise(
    target: Any, draft: Any, prompt: Any, length: int, most: int, eos: int | None, uniforms: list[float]
) -> tuple[list[int], int]:
    """The same protocol, with each round verified by the exercise speculative_step."""
    tokens: list[int] = []
    rounds, given = 0, iter(uniforms)
    while len(tokens) < most and eos not in tokens:
        chain, count = [[*prompt, *tokens][-1]], min(length, most - len(tokens) - 1)
        for _ in range(count):
            chain.append(draws.pick(draft[chain[-1]], next(given)))
        coins = np.array([next(given) for _ in range(count)])
        rows = np.array(target)[chain], np.array(draft)[chain[:-1]].reshape(count, len(target))
        emitted = [int(token) for token in speculative_step(np.array(chain[1:], dtype=int), *rows, coins, next(given))]
        tokens += emitted[: emitted.index(eos) + 1] if eos in emitted else emitted
        rounds += 1
    return tokens, rounds


@pytest.mark.parametrize("seed", range(40))
def test_rounds_are_those_of_the_exercise_before(seed: int) -> None:
    rng = random.Random(seed)
    size, length, most = rng.randint(1, 6), rng.randint(0, 5), rng.randint(0, 20)
    run = (*tables(rng, size), [rng.randrange(size)], length, most, rng.choice([None, 0]))
    uniforms = [rng.choice([rng.random(), 0.0, rng.random()]) for _ in range((2 * length + 1) * max(most, 1))]
    assert speculative_generate(*run, uniforms) == stepwise(*run, uniforms)
