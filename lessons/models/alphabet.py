"""The tokens of the real text: 96 characters, the line break that ends an entry and all of printable ASCII."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.int64]

ALPHABET = "\n" + "".join(map(chr, range(32, 127)))
SIZE = len(ALPHABET)  # V = 96
_NUMBER = {character: number for number, character in enumerate(ALPHABET)}


def encode(text: str) -> Tokens:
    """(n,) token numbers. Raises ValueError for a character that is no token."""
    try:
        return np.array([_NUMBER[character] for character in text], dtype=np.int64)
    except KeyError as missing:
        raise ValueError(f"{missing} is no token; the models know the line break and printable ASCII") from None


def decode(tokens: NDArray[np.integer] | list[int]) -> str:
    return "".join(ALPHABET[token] for token in tokens)
