"""Tables of next-token laws that depend on the tokens so far, and what one round of verification is given of them."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from solutions.cases import random_law

Tokens = tuple[int, ...]
Rows = Callable[[Tokens], Sequence[Any]]
"""The tokens so far -> the law of the next one, V probabilities."""


class Tree(NamedTuple):
    """A target model and a draft model over the same V tokens; probabilities are floats or Fractions."""

    target: Rows
    draft: Rows


class Round(NamedTuple):
    """What a verifier is given of one round, but for its uniforms, and how likely the draft proposes these tokens.

    draft_tokens: (K,) integers. target_rows: (K + 1, V), row k after the first k draft tokens; the last is the bonus
    row. draft_rows: (K, V).
    """

    draft_tokens: np.ndarray
    target_rows: np.ndarray
    draft_rows: np.ndarray
    probability: Any


def rounds(tree: Tree, length: int) -> Iterator[Round]:
    """Every round of `length` = K >= 0 draft tokens that the draft can propose; their probabilities sum to 1."""
    for tokens, probability in chain_law(tree.draft, length).items():
        before = [tokens[:count] for count in range(length + 1)]
        target_rows = np.array([list(tree.target(prefix)) for prefix in before])
        draft_rows = [list(tree.draft(prefix)) for prefix in before[:-1]]
        shaped = np.array(draft_rows) if draft_rows else np.empty((0, target_rows.shape[1]))
        yield Round(np.array(tokens, dtype=np.int64), target_rows, shaped, probability)


def chain_law(rows: Rows, length: int, start: Tokens = (), eos: int | None = None) -> dict[Tokens, Any]:
    """The law of `length` tokens that are sampled one by one, after those of `start`; impossible tokens left out.

    A text ends early with the first `eos` that is sampled. Returns a dictionary from the tokens, those of `start`
    included, to their probability.
    """
    law: dict[Tokens, Any] = {start: 1}
    for _ in range(length):
        ended = {tokens: mass for tokens, mass in law.items() if eos is not None and eos in tokens[len(start) :]}
        law = ended | {
            (*tokens, token): probability * mass
            for tokens, probability in law.items()
            if tokens not in ended
            for token, mass in enumerate(rows(tokens))
            if mass > 0
        }
    return law


def everywhere(target: Sequence[Any], draft: Sequence[Any]) -> Tree:
    """Models that don't look at the tokens so far: the same two rows, (V,) each, after every prefix."""
    return Tree(lambda _: target, lambda _: draft)


def random_tree(
    rng: random.Random, size: int, length: int, draw: Callable[[random.Random, int], Sequence[Any]] = random_law
) -> Tree:
    """Laws over `size` tokens after each of at most `length` tokens, each from `draw(rng, size)`.

    Of random_law about one probability in four is 0; `positive_law` gives every token some.
    """
    tables = [
        {tokens: draw(rng, size) for count in range(length + 1) for tokens in product(range(size), repeat=count)}
        for _ in range(2)
    ]
    return Tree(tables[0].__getitem__, tables[1].__getitem__)


def positive_law(rng: random.Random, size: int) -> list[float]:
    """`size` probabilities, none of them 0: each is at least 1/20 of the mean."""
    masses = [0.05 + 0.95 * rng.random() for _ in range(size)]
    return [mass / sum(masses) for mass in masses]
