"""What a reader chooses for the real text, and the rounds that follow from it."""
from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lessons.figures.distributions import Problem
from lessons.figures.query import Query, one_of
from lessons.models.alphabet import encode
from lessons.models.ngrams import ORDERS
from lessons.models.play import Round, play
from lessons.models.target import TEMPERATURES
from lessons.models.traces import MAX_DRAFTS

PREFIX = "real"
ROUNDS = 6  # that are shown
PROMPTS: Mapping[str, str] = {  # how the texts begin: as an entry of the dictionary does
    "kernel": "kernel: The part of ",
    "bug": "bug: A program that ",
    "hacker": "hacker: A person who ",
    "network": "network: [common] ",
}


@dataclass(frozen=True)
class State:
    """order: of the n-gram draft. temperature: of target and draft. drafts: K."""

    prompt: str = "kernel"
    order: int = 4
    temperature: float = 1.0
    drafts: int = 4
    seed: int = 4  # its rounds end in both ways, and their text can be read

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(
            link.one_of("text", PROMPTS, cls.prompt),
            link.whole("n", min(ORDERS), max(ORDERS), cls.order),
            link.read("t", lambda text: one_of(abs(float(text)), TEMPERATURES), cls.temperature),
            link.whole("k", 1, MAX_DRAFTS, cls.drafts),
            link.seed(cls.seed),
        ), link.problems

    def to_query(self) -> dict[str, str]:
        values = {"n": self.order, "t": self.temperature, "k": self.drafts, "seed": self.seed}
        return {"text": self.prompt} | {name: repr(value) for name, value in values.items()}


@functools.lru_cache(maxsize=256)  # a round holds its rows: some 8 kB
def rounds(state: State) -> tuple[Round, ...]:
    """The rounds that are shown; the first in a process reads the models too."""
    rng = np.random.default_rng(state.seed)
    text = encode(PROMPTS[state.prompt])
    return tuple(play(text, state.order, state.temperature, state.drafts, ROUNDS, rng))
