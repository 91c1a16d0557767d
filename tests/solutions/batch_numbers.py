"""What the messages of the two batch exercises quote: the batches of their visible checks and what they give."""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import torch

from exercises.bug_hunt_batch import checks as hunt
from exercises.verify_batch import checks as verify

VISIBLE: dict[str, Any] = {"verify_batch": verify, "bug_hunt_batch": hunt}


def quotable(exercise_id: str, function: Callable[..., Any]) -> list[list[int]]:
    """The rows of tokens, their beginnings, and the counts of the visible batch, with its coins and with coins of 0.

    Nothing of a call that ends in an IndexError.
    """
    module = VISIBLE[exercise_id]
    found: list[list[int]] = []
    for coins in (module.COINS, [0.0] * len(module.COINS)):
        try:
            tokens, counts = function(*_arguments(module, coins))
        except IndexError:
            continue
        rows = tokens.tolist()
        found += [row[:size] for row in rows for size in (2, len(row))] + [counts.tolist()]
    return found


def _arguments(module: Any, coins: list[float]) -> tuple[torch.Tensor, ...]:
    laws = (torch.tensor(rows, dtype=torch.float64) for rows in (module.TARGET_ROWS, module.DRAFT_ROWS))
    uniforms = (torch.tensor(row, dtype=torch.float64) for row in (coins, module.FINAL_DRAWS))
    return torch.tensor(module.DRAFT_TOKENS), *laws, torch.tensor(module.LENGTHS), *uniforms


def numbers_of_a_batch(function: Callable[..., Any]) -> set[float]:
    """The uniforms and the probabilities of the visible batches: no message quotes another fraction."""
    modules = (verify, hunt)
    rows = itertools.chain.from_iterable([*module.TARGET_ROWS, *module.DRAFT_ROWS] for module in modules)
    uniforms = itertools.chain.from_iterable([*module.COINS, *module.FINAL_DRAWS] for module in modules)
    return {*itertools.chain.from_iterable(rows), *uniforms}
