"""Where acceptance is not one number: two invented stories, and the real pair's measured rounds."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lessons.figures.distributions import Problem
from lessons.figures.query import Query, one_of, share
from lessons.models.ngrams import ORDERS
from lessons.models.target import TEMPERATURES
from lessons.models.traces import MAX_DRAFTS, measured
from solutions.acceptance import Kind, Survival, survival

PREFIX = "alike"
STORIES = ("mixed", "decay", "real")


@dataclass(frozen=True)
class State:
    """story: one of STORIES. drafts: K.

    mixed: in `easy_share` of the rounds a draft token is accepted with rate `easy`, else with `hard`. decay: the first
    with rate `first`, each further one with `kept` times the rate before. real: order of the n-gram draft, temperature.
    """

    story: str = "mixed"
    drafts: int = 4
    easy_share: float = 0.5
    easy: float = 1.0
    hard: float = 0.0
    first: float = 0.8
    kept: float = 0.75
    order: int = 4
    temperature: float = 1.0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        state = cls(
            link.one_of("story", STORIES, cls.story),
            link.whole("k", 1, MAX_DRAFTS, cls.drafts),
            order=link.read("order", lambda text: one_of(int(text), ORDERS), cls.order),
            temperature=link.read("t", lambda text: one_of(float(text), TEMPERATURES), cls.temperature),
        )
        shares = {name: link.read(name, share, getattr(cls, name)) for name in SHARES["mixed"] + SHARES["decay"]}
        return replace(state, **shares), link.problems

    def to_query(self) -> dict[str, str]:
        values = vars(self) | {"k": self.drafts, "t": self.temperature}
        return {name: f"{value}" for name, value in values.items() if name not in ("drafts", "temperature")}


SHARES: Mapping[str, tuple[str, ...]] = {"mixed": ("easy_share", "easy", "hard"), "decay": ("first", "kept")}


def survived(state: State, drafts: int) -> Survival:
    """What the story's rounds of `drafts` draft tokens do."""
    if state.story == "mixed":
        shares = (state.easy_share, state.easy), (1.0 - state.easy_share, state.hard)
        return survival(Kind(part, [rate] * drafts) for part, rate in shares)
    if state.story == "decay":
        return survival([Kind(1.0, [state.first * state.kept**depth for depth in range(drafts)])])
    seen = measured(state.order, state.temperature, drafts)
    return (*seen.reached, seen.reached[-1] * seen.accepted[-1])


def told_rate(state: State) -> float:
    """The one acceptance rate that somebody would put into the formula.

    mixed: the mean over rounds. decay: that of the first draft token. real: the mean over all places of the text.
    """
    if state.story == "real":
        return measured(state.order, state.temperature, state.drafts).alpha
    return survived(state, 1)[1]
