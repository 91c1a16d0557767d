"""The exact output law of a batched function, from one call: every draft and every uniform of a small grid is a round.

All laws are made of quarters, and each row's odds of acceptance and each residual are, too; so four uniforms a draw,
one in each quarter, are all the cases there are, equally likely, and their weighted count is the law itself.
"""
from __future__ import annotations

import functools
import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solutions import trees
from solutions.batch_cases import Round
from solutions.joint_law import Law, completed, target_law
from solutions.trees import Tokens, Tree

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


class Case(NamedTuple):
    """One round of the grid and how likely its draft tokens and uniforms are."""

    round: Round
    probability: float


def _pair(prefix: Sequence[int]) -> tuple[Tokens, Tokens]:
    place = len(prefix) + sum((index + 2) * token for index, token in enumerate(prefix))
    return PAIRS[place % len(PAIRS)]


def _target(prefix: Tokens) -> list[float]:
    return [quarters / 4 for quarters in _pair(prefix)[0]]


def _draft(prefix: Tokens) -> list[float]:
    return [quarters / 4 for quarters in _pair(prefix)[1]]


TREE = Tree(_target, _draft)


@functools.cache
def cases(length: int) -> tuple[Case, ...]:
    """Every round of `length` draft tokens that can happen, over the grid of its uniforms."""
    return tuple(case for given in trees.rounds(TREE, length) for case in _with_uniforms(given))


def _with_uniforms(given: trees.Round) -> Iterator[Case]:
    tokens, target, draft = (rows.tolist() for rows in given[:3])
    share = given.probability / len(QUARTERS) ** (len(tokens) + 1)
    for *coins, final_draw in itertools.product(QUARTERS, repeat=len(tokens) + 1):
        yield Case(Round(tokens, target, draft, coins, final_draw), share)


def joint_law(emitted: Sequence[tuple[Sequence[int], float]], size: int) -> list[float]:
    """The law of `size` tokens, in the order of `sequences`: what was emitted, continued by the target up to `size`.

    emitted: (tokens, probability) of each case. Exact: all its numbers are multiples of small powers of two.
    """
    law: defaultdict[Tokens, float] = defaultdict(float)
    for tokens, probability in emitted:
        law[tuple(tokens)] += probability
    return _listed(completed(law, TREE, size), size)


@functools.cache
def target_joint_law(size: int) -> list[float]:
    """The law of `size` tokens that are all drawn from the target."""
    return _listed(target_law(TREE, size), size)


def sequences(size: int) -> list[Tokens]:
    return list(itertools.product(range(VOCABULARY), repeat=size))


def _listed(law: Law, size: int) -> list[float]:
    return [law.get(tokens, 0.0) for tokens in sequences(size)]
