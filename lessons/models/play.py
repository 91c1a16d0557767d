"""Rounds of speculative decoding on real text: an n-gram model drafts K characters, the transformer judges them."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lessons.models.alphabet import Tokens
from lessons.models.target import Laws, draft_row, target_rows
from solutions.draws import pick
from solutions.speculative_step.solution import speculative_step


@dataclass(frozen=True)
class Round:
    """What one round was given, and what it emitted. K drafts.

    text: the tokens before it. drafted: (K,). target_rows: (K + 1, V). draft_rows: (K, V). coins: (K,).
    """

    text: Tokens
    drafted: Tokens
    target_rows: Laws
    draft_rows: Laws
    coins: NDArray[np.float64]
    final_draw: float
    emitted: tuple[int, ...]

    @property
    def kept(self) -> int:
        """How many drafts were accepted: all that was emitted but for the last token, which is drawn."""
        return len(self.emitted) - 1


def play(
    text: Tokens, order: int, temperature: float, length: int, count: int, rng: np.random.Generator
) -> list[Round]:
    """`count` rounds of K = `length` drafts, one after the other, from the n-gram model of this order.

    A round takes 2 K + 1 uniforms: K draw the drafts, K are the coins, one draws the last token. The text may have
    CONTEXT tokens at most when the last round begins, its drafts included.
    """
    played: list[Round] = []
    for _ in range(count):
        played.append(one_round(text, order, temperature, rng.random(2 * length + 1)))
        text = np.concatenate([text, played[-1].emitted])
    return played


def one_round(text: Tokens, order: int, temperature: float, uniforms: NDArray[np.float64]) -> Round:
    length = len(uniforms) // 2
    drafted = np.zeros(0, dtype=np.int64)
    rows = []
    for uniform in uniforms[:length]:
        rows.append(draft_row(np.concatenate([text, drafted]), order, temperature))
        drafted = np.append(drafted, pick(rows[-1].tolist(), uniform))
    target = target_rows(text, drafted, temperature)
    draft = np.array(rows).reshape(length, target.shape[1])
    coins, final_draw = uniforms[length:-1], float(uniforms[-1])
    emitted = speculative_step(drafted, target, draft, coins, final_draw)
    return Round(text, drafted, target, draft, coins, final_draw, tuple(emitted))
