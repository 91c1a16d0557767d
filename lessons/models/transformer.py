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
Memory = list[Floats]
"""What a text was read to: keys and values of each block in turn; an empty list before anything was read."""

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

    def logits(self, tokens: Tokens, memory: Memory | None = None) -> Floats:
        """tokens: (..., n), 1 <= n <= CONTEXT. (..., n, V): row i is for the token that follows tokens[: i + 1].

        memory: what was read of these texts before; then only the rows after that come, and the memory grows.
        """
        if not 1 <= tokens.shape[-1] <= CONTEXT:
            raise ValueError(f"got {tokens.shape[-1]} tokens; the target reads 1 to {CONTEXT}")
        weights, memory = self._weights, [] if memory is None else memory
        new = slice(memory[0].shape[-2] if memory else 0, tokens.shape[-1])
        pair, triple = (rows[..., new] for rows in hashed(tokens))
        stream = weights["character"][tokens[..., new]] + weights["position"][new]
        stream = stream + (weights["pair"][pair] + weights["triple"][triple]) @ weights["widen"]
        for block in range(BLOCKS):
            stream = self._block(stream, block, memory)
        result: Floats = normed(stream) * weights["last_norm"] @ weights["head"]
        return result

    def _block(self, stream: Floats, block: int, memory: Memory) -> Floats:
        weights = self._weights
        queries, *found = heads(normed(stream) * weights[f"norm{block}"] @ weights[f"attend{block}"])
        if block == len(memory) // 2:  # nothing is known of this block yet
            memory += found
        else:
            memory[2 * block : 2 * block + 2] = [
                np.concatenate(pair, axis=-2) for pair in zip(memory[2 * block :], found, strict=False)
            ]
        attended = attention(queries, memory[2 * block], memory[2 * block + 1])
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


def heads(joined: Floats) -> Floats:
    """(..., n, 3 WIDTH) -> queries, keys and values, each (..., HEADS, n, WIDTH / HEADS)."""
    parts = joined.reshape(*joined.shape[:-1], 3, HEADS, WIDTH // HEADS)
    return np.moveaxis(np.moveaxis(parts, -3, 0), -2, -3)


def attention(queries: Floats, keys: Floats, values: Floats) -> Floats:
    """The last n of m places, (..., HEADS, n, d), each attend to themselves and to those before: (..., n, WIDTH)."""
    new, known = queries.shape[-2], keys.shape[-2]
    scores = queries @ np.swapaxes(keys, -1, -2) / np.float32((WIDTH // HEADS) ** 0.5)
    scores = np.where(np.tri(new, known, known - new, dtype=bool), scores, np.float32(-np.inf))
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = np.moveaxis(shares / shares.sum(axis=-1, keepdims=True) @ values, -3, -2)
    result: Floats = mixed.reshape(*mixed.shape[:-2], WIDTH)
    return result
