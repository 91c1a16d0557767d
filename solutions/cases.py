"""What hidden modules share: random pairs of distributions (the generator is an argument), and probes."""
from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

PARTS = 20  # probabilities to work by hand are multiples of 0.05


class Probe(NamedTuple):
    """A call that tells known mistakes apart: a function of the exercise by name, and its arguments.

    Arguments that are slow to make may be a function that makes them: importing torch for tensors takes a second.
    """

    function: str
    arguments: tuple[Any, ...] | Callable[[], tuple[Any, ...]]


def random_law(rng: random.Random, size: int) -> list[float]:
    """`size` probabilities; about one in four is zero, at least one is not."""
    masses = [rng.random() if rng.random() < 0.75 else 0.0 for _ in range(size)]
    masses[rng.randrange(size)] += 0.5
    total = sum(masses)
    return [mass / total for mass in masses]


def one_hot(token: int, size: int) -> list[float]:
    """The law over `size` tokens that always gives this one."""
    return [1.0 if one == token else 0.0 for one in range(size)]


def random_pairs(rng: random.Random, count: int) -> list[tuple[list[float], list[float]]]:
    """`count` pairs (target, draft) over 3 to 6 tokens; in each pair some token can be rejected."""
    pairs: list[tuple[list[float], list[float]]] = []
    while len(pairs) < count:
        size = rng.randint(3, 6)
        target, draft = random_law(rng, size), random_law(rng, size)
        if rejectable(target, draft):
            pairs.append((target, draft))
    return pairs


def rejectable(target: list[float], draft: list[float]) -> list[int]:
    """The tokens whose proposal can be rejected."""
    return [token for token, wanted in enumerate(target) if wanted < draft[token]]


def law_by_hand(rng: random.Random) -> list[float]:
    """Three probabilities, none of them zero."""
    low, high = sorted(rng.sample(range(1, PARTS), 2))
    return [part / PARTS for part in (low, high - low, PARTS - high)]


def pair_by_hand(rng: random.Random) -> tuple[list[float], list[float], int]:
    """(target, draft, token): the token has 0 < target < draft; the other two miss different amounts."""
    while True:
        target, draft = law_by_hand(rng), law_by_hand(rng)
        token = rng.randrange(3)
        missing = [wanted - offered for wanted, offered in zip(target, draft, strict=True) if wanted > offered]
        if target[token] < draft[token] and len(missing) == 2 and abs(missing[0] - missing[1]) > 0.01:
            return target, draft, token
