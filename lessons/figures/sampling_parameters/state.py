"""The state of the figure: where in a text it looks, the parameters of target and draft, and how they are handed on."""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from lessons.figures.distributions import Problem
from lessons.figures.query import Query, within

PREFIX = "same"
SIDES = ("target", "draft")
MAX_TEMPERATURE, MAX_TOP_K, LEAST_TOP_P, MAX_PENALTY = 2.0, 6, 0.05, 2.0
WAYS = ("right", "scored_raw", "request_forgotten", "removed_target", "padding_residual")


class Context(NamedTuple):
    """One place in a text. weights: (V,) of target and draft, their scores' exponentials. allowed: by the grammar."""

    target: tuple[int, ...]
    draft: tuple[int, ...]
    allowed: tuple[int, ...]
    emitted: tuple[int, ...] = (0,)

    def scores(self, side: str) -> list[float]:
        weights: tuple[int, ...] = getattr(self, side)
        return [math.log(weight) for weight in weights]


CONTEXTS: Mapping[str, Context] = {
    "open": Context((24, 18, 12, 6, 3, 1), (14, 20, 8, 12, 6, 4), allowed=(0, 2, 3)),
    # With the mask the target's law is (0.5, 0.3, 0.2, 0).
    "grammar": Context((5, 3, 2, 10), (2, 2, 2, 4), allowed=(0, 1, 2)),
}


@dataclass(frozen=True)
class Settings:
    """The sampling parameters of one side. top_k 0, top_p 1 and a penalty of 0 are off; mask: the grammar's."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    penalty: float = 0.0
    mask: bool = False

    def params(self, context: Context) -> dict[str, Any]:
        """As the exercise's function takes them, in the order in which it applies them; what is off is left out."""
        every = {
            "allowed_tokens": ([list(context.allowed)], not self.mask),
            "presence_penalty": (self.penalty, self.penalty == 0.0),
            "temperature": (self.temperature, self.temperature == 1.0),
            "top_k": (self.top_k, not 0 < self.top_k < len(context.target)),
            "top_p": (self.top_p, self.top_p == 1.0),
        }
        return {name: value for name, (value, is_off) in every.items() if not is_off}

    @classmethod
    def from_text(cls, text: str) -> Settings:
        """Raises ValueError unless it is five numbers that the page's controls can have."""
        temperature, top_k, top_p, penalty, mask = text.split(",")
        return cls(
            _stepped(temperature, 0.0, MAX_TEMPERATURE, 0.1), within(int(top_k), 0, MAX_TOP_K),
            _stepped(top_p, LEAST_TOP_P, 1.0, 0.05), _stepped(penalty, 0.0, MAX_PENALTY, 0.1),
            bool(within(int(mask), 0, 1)),
        )

    def as_text(self) -> str:
        return f"{self.temperature!r},{self.top_k},{self.top_p!r},{self.penalty!r},{int(self.mask)}"


def _stepped(text: str, least: float, most: float, step: float) -> float:
    number = float(text)
    if not least <= number <= most or abs(number / step - round(number / step)) > 1e-6:
        raise ValueError(f"got {number}; must lie between {least} and {most}, in steps of {step}")
    return round(abs(number), 2)


@dataclass(frozen=True)
class State:
    """`context`: one of CONTEXTS. `way`: one of WAYS, how rows and draft token reach the verification."""

    context: str = "open"
    target: Settings = Settings(top_k=2)
    draft: Settings = Settings()
    way: str = "right"

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(
            link.one_of("context", CONTEXTS, cls.context),
            link.read("target", Settings.from_text, cls.target),
            link.read("draft", Settings.from_text, cls.draft),
            link.one_of("way", WAYS, cls.way),
        ), link.problems

    def to_query(self) -> dict[str, str]:
        sides = {side: getattr(self, side).as_text() for side in SIDES}
        return {"context": self.context, **sides, "way": self.way}


EXAMPLES: Mapping[str, State] = {
    "truncated": State(),
    "cooler": State(target=Settings(temperature=0.6, top_p=0.9), draft=Settings(temperature=0.6)),
    "penalty": State(target=Settings(penalty=1.0)),
    "grammar": State("grammar", target=Settings(mask=True)),
    "greedy": State(target=Settings(temperature=0.0), draft=Settings(temperature=0.0)),
}
