"""Verification rounds for the checks: rows of fractions, random requests, and the law of what a round puts out."""
from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from math import inf, log
from typing import Any, NamedTuple, cast

import numpy as np

from solutions.two_paths.solution import two_paths

History = tuple[list[int], list[int], list[int]]


class Round(NamedTuple):
    """The arguments of one call."""

    logits: np.ndarray
    params: dict[str, Any]
    history: History


def scores_of(*rows: Sequence[float]) -> np.ndarray:
    """(rows, V): scores whose softmax has these weights; a weight of 0 is a score of -inf."""
    return np.array([[log(weight) if weight else -inf for weight in row] for row in rows])


def laws_of(*rows: Sequence[float]) -> list[list[float]]:
    return [[weight / sum(row) for weight in row] for row in rows]


def random_rounds(rng: random.Random, count: int) -> list[Round]:
    """0 to 3 drafts, 4 to 6 tokens, each parameter in use in about half of the rounds."""
    return [_random_round(rng, rng.randint(0, 3), rng.randint(4, 6)) for _ in range(count)]


def _random_round(rng: random.Random, drafts: int, size: int) -> Round:
    every = {
        "temperature": rng.choice([0.0, 0.5, 0.8, 1.5]),
        "top_k": rng.randint(2, size),
        "top_p": rng.uniform(0.3, 0.99),
        "min_p": rng.uniform(0.01, 0.3),
        "repetition_penalty": rng.uniform(0.7, 2.0),
        "presence_penalty": rng.uniform(-1.0, 2.0),
        "frequency_penalty": rng.uniform(-1.0, 2.0),
        "logit_bias": {rng.randrange(size): rng.uniform(-3.0, 3.0)},
        "allowed_tokens": [sorted(rng.sample(range(size), rng.randint(2, size))) for _ in range(drafts + 1)],
    }
    prompt, output, proposed = ([rng.randrange(size) for _ in range(length)] for length in (3, 3, drafts))
    return Round(
        np.array([[rng.uniform(-2.0, 3.0) for _ in range(size)] for _ in range(drafts + 1)]),
        {name: value for name, value in every.items() if rng.random() < 0.6},
        (prompt, output, proposed),
    )


def law_of_pairs(
    rows_of: Callable[[np.ndarray, dict[str, Any], History], Any],
    table: np.ndarray,
    params: dict[str, Any],
    draft: list[float],
) -> list[float]:
    """The exact law of the next two tokens where the first is proposed by a draft and verified with `rows_of`.

    table: (4, 3) logits of the token after token 0, 1 and 2, and of the first one. The draft's law, 3 probabilities,
    knows nothing of the request. After an acceptance the second token is drawn from the bonus row, after a rejection
    from the only row of the next round.
    """
    law = dict.fromkeys(itertools.product(range(3), repeat=2), 0.0)
    next_round = [rows_of(table[[token]], params, ([], [0, token], []))[0] for token in range(3)]
    for proposed in range(3):
        first, bonus = rows_of(table[[3, proposed]], params, ([], [0], [proposed]))
        accepted, rejected, resampled = _paths([float(mass) for mass in first], draft)
        share = (draft[proposed] - accepted[proposed]) / rejected if rejected else 0.0
        for token, second in law:
            kept = accepted[proposed] * float(bonus[second]) if token == proposed else 0.0
            law[token, second] += kept + share * resampled[token] * float(next_round[token][second])
    return list(law.values())


def _paths(target: list[float], draft: list[float]) -> tuple[list[float], float, list[float]]:
    return cast(tuple[list[float], float, list[float]], two_paths(target, draft, apart=True))


def law_of_sampling(
    rows_of: Callable[[np.ndarray, dict[str, Any], History], Any], table: np.ndarray, params: dict[str, Any]
) -> list[float]:
    """The law of the next two tokens where the target is sampled twice, without any draft."""
    (first,) = rows_of(table[[3]], params, ([], [0], []))
    second = [rows_of(table[[token]], params, ([], [0, token], []))[0] for token in range(3)]
    return [float(first[token] * second[token][other]) for token, other in itertools.product(range(3), repeat=2)]
