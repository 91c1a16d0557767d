"""The drafts: n-gram models of the text that the target learned from, with a full law after every context.

Witten-Bell smoothing: after a context seen N times with T different tokens, the shares are
(count + T * shorter) / (N + T), where `shorter` is the law after the context without its first token, and the uniform
law below the empty one. So no token is impossible. Source: Witten and Bell, IEEE Transactions on Information Theory
37(4), 1991, method C.
"""
from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lessons.models.alphabet import SIZE, Tokens
from lessons.models.text import split

ORDERS = (2, 3, 4, 5)  # n: the next token is drawn after the n - 1 before it
Laws = NDArray[np.float64]


class Counts(NamedTuple):
    """What follows the contexts of one length. keys: context * V + token, ascending, as base-V numbers."""

    keys: Tokens
    counts: NDArray[np.int32]


class NGrams:
    """Every order up to the largest from one text, (n,) tokens. Takes a tenth of a second for a million tokens."""

    def __init__(self, text: Tokens, largest: int = max(ORDERS)) -> None:
        self._levels: list[Counts] = []
        keys = text.copy()
        for length in range(largest):
            if length:
                keys = text[: len(text) - length] * SIZE**length + keys[1:]
            found, counts = np.unique(keys, return_counts=True)
            self._levels.append(Counts(found, counts.astype(np.int32)))

    def laws(self, contexts: Tokens, order: int) -> Laws:
        """contexts: (n, at least order - 1), the last tokens before each place. (n, V), the law of the next one."""
        laws = np.full((len(contexts), SIZE), 1.0 / SIZE)
        for length in range(order):
            number = np.zeros(len(contexts), dtype=np.int64)
            for token in contexts[:, contexts.shape[1] - length :].T:
                number = number * SIZE + token
            laws = _mixed(self._levels[length], number, laws)
        return laws


def _mixed(level: Counts, contexts: Tokens, shorter: Laws) -> Laws:
    """The laws after `contexts`, base-V numbers of one length, given those after the contexts that are one shorter."""
    first, end = np.searchsorted(level.keys, [contexts * SIZE, (contexts + 1) * SIZE])
    different = end - first
    place = np.repeat(np.arange(len(contexts)), different)
    entry = np.arange(different.sum()) - np.repeat(np.cumsum(different) - different - first, different)
    counts = np.zeros(shorter.shape)
    counts[place, level.keys[entry] % SIZE] = level.counts[entry]
    seen = counts.sum(axis=1) + different
    unseen = seen == 0  # then there is nothing to mix in
    return np.where(unseen[:, None], shorter, (counts + different[:, None] * shorter) / np.maximum(seen, 1)[:, None])


def before(tokens: Tokens, count: int = max(ORDERS) - 1) -> Tokens:
    """(n + 1, count): the tokens before each place of a text and before its end; line breaks stand before the text."""
    padded = np.concatenate([np.zeros(count, dtype=np.int64), tokens])
    return np.lib.stride_tricks.sliding_window_view(padded, count)


@functools.cache
def drafts() -> NGrams:
    """Of the text that the target learned from; counted once in a process."""
    return NGrams(split()[0])
