"""The target's law after any text, at any temperature; and the drafts' at the same temperature."""
from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lessons.models.alphabet import Tokens
from lessons.models.ngrams import before, drafts
from lessons.models.transformer import Transformer
from solutions.target_distribution.solution import target_distribution

WEIGHTS = Path(__file__).parent / "target.npz"
TEMPERATURES = (0.0, 0.5, 0.8, 1.0)
Laws = NDArray[np.float64]


@functools.cache
def target() -> Transformer:
    """The network; read once in a process, in some 50 ms."""
    with np.load(WEIGHTS) as weights:
        return Transformer(weights)


def target_rows(text: Tokens, drafted: Tokens, temperature: float) -> Laws:
    """One pass of the target over a text, at least one token, and K drafts after it: the K + 1 rows of the round."""
    logits = target().logits(np.concatenate([text, drafted]))[len(text) - 1 :]
    return tempered(logits, drafted, temperature)


def draft_row(text: Tokens, order: int, temperature: float) -> NDArray[np.float64]:
    """(V,): the law from which the n-gram model of this order draws the token after the text."""
    row = drafts().laws(before(text)[-1:], order)
    first: NDArray[np.float64] = tempered(np.log(row), text[:0], temperature)[0]
    return first


def tempered(logits: NDArray[np.floating], drafted: Tokens, temperature: float) -> Laws:
    """(K + 1, V) -> (K + 1, V) laws; temperature 0 is the likeliest token for certain, the first of equals."""
    history: tuple[list[int], list[int], list[int]] = ([], [], drafted.tolist())
    return target_distribution(logits, {"temperature": temperature}, history)
