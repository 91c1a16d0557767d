"""The exact output law of a batched function, from one call: every draft and every uniform of a small grid is a round.

All laws are made of quarters, and each row's odds of acceptance and each residual are, too; so four uniforms a draw,
one in each quarter, are all the cases there are, equally likely, and their weighted count is the law itself.
"""
from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solutions.batch_cases import Round

VOCABULARY = 3
QUARTERS = (0.125, 0.375, 0.625, 0.875)
PAIRS = (  # (target, draft) in quarters; which pair a position has depends on the tokens before it
    ((1, 2, 1), (2, 1, 1)),
    ((1, 1, 2), (2, 2, 0)),
    ((2, 1, 1), (4, 0, 0)),
    ((0, 2, 2), (4, 0, 0)),
    ((2, 1, 1), (0, 2, 2)),
    ((1, 2, 1), (0, 4, 0)),
    ((1, 2, 1), (1, 2, 1)),
)

Tokens = tuple[int, ...]


class Case(NamedTuple):
    """One round of the grid and how likely its draft tokens and uniforms are."""

    round: Round
    probability: float


def target_law(prefix: Sequence[int]) -> list[float]:
    """The target's law after these tokens of the round."""
    return [quarters / 4 for quarters in _pair(prefix)[0]]


def draft_law(prefix: Sequence[int]) -> list[float]:
    """The draft's law after these tokens of the round."""
    return [quarters / 4 for quarters in _pair(prefix)[1]]


def _pair(prefix: Sequence[int]) -> tuple[Tokens, Tokens]:
    place = len(prefix) + sum((index + 2) * token for index, token in enumerate(prefix))
    return PAIRS[place % len(PAIRS)]


@functools.cache
def cases(length: int) -> tuple[Case, ...]:
    """Every round of `length` draft tokens that can happen, over the grid of its uniforms."""
    return tuple(case for tokens in _drafts(length) for case in _with_uniforms(tokens))


def _drafts(length: int) -> Iterator[Tokens]:
    for tokens in itertools.product(range(VOCABULARY), repeat=length):
        if _probability(tokens) > 0.0:
            yield tokens


def _probability(tokens: Tokens) -> float:
    """How likely the draft proposes these tokens."""
    product = 1.0
    for place, token in enumerate(tokens):
        product *= draft_law(tokens[:place])[token]
    return product


def _with_uniforms(tokens: Tokens) -> Iterator[Case]:
    prefixes = [tokens[:place] for place in range(len(tokens) + 1)]
    target, draft = [*map(target_law, prefixes)], [*map(draft_law, prefixes[:-1])]
    share = _probability(tokens) / len(QUARTERS) ** (len(tokens) + 1)
    for *coins, final_draw in itertools.product(QUARTERS, repeat=len(tokens) + 1):
        yield Case(Round(tokens, target, draft, coins, final_draw), share)


def joint_law(emitted: Sequence[tuple[Sequence[int], float]], size: int) -> list[float]:
    """The law of `size` tokens, in the order of `sequences`: what was emitted, continued by the target up to `size`.

    emitted: (tokens, probability) of each case. Exact: all its numbers are multiples of small powers of two.
    """
    law = dict.fromkeys(sequences(size), 0.0)
    for tokens, probability in emitted:
        for rest in itertools.product(range(VOCABULARY), repeat=size - len(tokens)):
            law[*tokens, *rest] += probability * _continued(tuple(tokens), rest)
    return list(law.values())


@functools.cache
def target_joint_law(size: int) -> list[float]:
    """The law of `size` tokens that are all drawn from the target."""
    return [_continued((), tokens) for tokens in sequences(size)]


def sequences(size: int) -> list[Tokens]:
    return list(itertools.product(range(VOCABULARY), repeat=size))


@functools.cache
def _continued(prefix: Tokens, rest: Tokens) -> float:
    product = 1.0
    for place, token in enumerate(rest):
        product *= target_law(prefix + rest[:place])[token]
    return product
