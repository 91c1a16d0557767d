"""The target: a small transformer over characters, in NumPy. One pass gives the next-token law after each prefix.

Three pre-norm blocks (causal attention of four heads, then a ReLU layer), learned positions. Besides the character
itself, its input is a hashed embedding of the last two and of the last three characters, which lets so small a network
learn spelling quickly. The weights are stored as float16 and run as float32; no PyTorch in here, for that takes
hundreds of megabytes in every process that shows a page.
"""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from lessons.models.alphabet import SIZE, Tokens

CONTEXT = 128  # characters that a text may have, prompt included
BLOCKS, HEADS, WIDTH = 3, 4, 160
HASHED = 48  # width of the hashed embeddings
PAIRS, TRIPLES = 4093, 8191  # rows of their tables; primes, so that the remainder spreads the keys
SMALL = 1e-6  # keeps the norm of an all-zero row finite

Floats = NDArray[np.floating]
SHAPES = {
    "character": (SIZE, WIDTH), "position": (CONTEXT, WIDTH), "pair": (PAIRS, HASHED), "triple": (TRIPLES, HASHED),
    "widen": (HASHED, WIDTH), "last_norm": (WIDTH,), "head": (WIDTH, SIZE),
    **{
        f"{part}{block}": shape
        for block in range(BLOCKS)
        for part, shape in {
            "norm": (WIDTH,), "attend": (WIDTH, 3 * WIDTH), "join": (WIDTH, WIDTH),
            "norm_up": (WIDTH,), "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH),
        }.items()
    },
}  # fmt: skip
"""The weights by name; y = x @ weight."""


class Transformer:
    """weights: one array for each name in SHAPES, of that shape."""

    def __init__(self, weights: Mapping[str, NDArray[np.floating]]) -> None:
        self._weights = {name: np.asarray(weights[name], dtype=np.float32) for name in SHAPES}

    def logits(self, tokens: Tokens) -> Floats:
        """tokens: (..., n), 1 <= n <= CONTEXT. (..., n, V): row i is for the token that follows tokens[: i + 1]."""
        if not 1 <= tokens.shape[-1] <= CONTEXT:
            raise ValueError(f"got {tokens.shape[-1]} tokens; the target reads 1 to {CONTEXT}")
        weights = self._weights
        pair, triple = hashed(tokens)
        stream = weights["character"][tokens] + weights["position"][: tokens.shape[-1]]
        stream = stream + (weights["pair"][pair] + weights["triple"][triple]) @ weights["widen"]
        for block in range(BLOCKS):
            stream = self._block(stream, block)
        result: Floats = normed(stream) * weights["last_norm"] @ weights["head"]
        return result

    def _block(self, stream: Floats, block: int) -> Floats:
        weights = self._weights
        attended = attention(normed(stream) * weights[f"norm{block}"] @ weights[f"attend{block}"])
        stream = stream + attended @ weights[f"join{block}"]
        hidden = np.maximum(normed(stream) * weights[f"norm_up{block}"] @ weights[f"up{block}"], 0.0)
        result: Floats = stream + hidden @ weights[f"down{block}"]
        return result


def hashed(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """(..., n) rows of the tables of pairs and triples, for the last two and three characters up to each place.

    Before the text there is a line break, as before every entry.
    """
    before = np.zeros_like(tokens)
    before[..., 1:] = tokens[..., :-1]
    earlier = np.zeros_like(tokens)
    earlier[..., 2:] = tokens[..., :-2]
    pair = before * SIZE + tokens
    return pair % PAIRS, (earlier * SIZE * SIZE + pair) % TRIPLES


def normed(stream: Floats) -> Floats:
    """Each row divided by its root mean square."""
    result: Floats = stream / np.sqrt(np.mean(stream * stream, axis=-1, keepdims=True) + np.float32(SMALL))
    return result


def attention(queries_keys_values: Floats) -> Floats:
    """(..., n, 3 WIDTH) -> (..., n, WIDTH): each place attends to itself and to those before it."""
    *batch, length, _ = queries_keys_values.shape
    parts = queries_keys_values.reshape(*batch, length, 3, HEADS, WIDTH // HEADS)
    queries, keys, values = np.moveaxis(np.moveaxis(parts, -3, 0), -2, -3)
    scores = queries @ np.swapaxes(keys, -1, -2) / np.float32((WIDTH // HEADS) ** 0.5)
    scores = np.where(np.tri(length, dtype=bool), scores, np.float32(-np.inf))
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = shares / shares.sum(axis=-1, keepdims=True) @ values
    result: Floats = np.moveaxis(mixed, -3, -2).reshape(*batch, length, WIDTH)
    return result
