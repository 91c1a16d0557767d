"""A server's batch grows: what drafting does to the time of a token, to all tokens a second, and where it turns."""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.language import Words
from lessons.figures.batch_roofline.charts import Curve, seconds, speeds, throughput
from lessons.figures.distributions import Problem
from lessons.figures.frame import Drawn, sentences
from lessons.figures.query import Query, one_of, share, within
from solutions.roofline import (
    CACHE_BYTES,
    Drafting,
    Server,
    full_batch,
    gain,
    largest_paying_batch,
    seconds_a_token,
    tokens_a_second,
)

TEXTS = Path(__file__).parent / "texts"
PREFIX = "batch"
MAX_DRAFTS = 16
BATCHES = tuple(2**power for power in range(11))  # that the reader can choose
DRAWN = tuple(sorted({round(2 ** (step / 6)) for step in range(61)}))
CONTEXTS = (0, 500, 1000, 2000, 4000, 8000, 32_000)
RANGES = {"weights": (0.1, 2000.0), "bandwidth": (0.1, 50.0), "operations": (1.0, 20_000.0)}


@dataclass(frozen=True)
class State:
    """alpha, drafts, cost: as in Drafting. batch: where the reader looks. weights: billions. context: tokens a request.

    bandwidth: TB a second. operations: trillions a second. They begin as on a data sheet (NVIDIA H100 SXM, 16 bits).
    """

    alpha: float = 0.8
    drafts: int = 4
    cost: float = 0.05
    batch: int = 1
    context: int = 0
    weights: float = Server.weights / 1e9
    bandwidth: float = Server.bandwidth / 1e12
    operations: float = Server.operations / 1e12

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(
            link.read("alpha", share, cls.alpha),
            link.whole("k", 1, MAX_DRAFTS, cls.drafts),
            link.read("c", share, cls.cost),
            link.read("b", lambda text: one_of(int(text), BATCHES), cls.batch),
            link.read("context", lambda text: one_of(int(text), CONTEXTS), cls.context),
            *(link.read(name, partial(_limited, least=least, most=most), getattr(cls, name))
              for name, (least, most) in RANGES.items()),
        ), link.problems

    def to_query(self) -> dict[str, str]:
        values = {
            "alpha": self.alpha, "k": self.drafts, "c": self.cost, "b": self.batch, "context": self.context,
            "weights": self.weights, "bandwidth": self.bandwidth, "operations": self.operations,
        }
        return {name: repr(value) for name, value in values.items()}

    @property
    def server(self) -> Server:
        return Server(self.weights * 1e9, self.bandwidth * 1e12, self.operations * 1e12, self.context)

    @property
    def drafting(self) -> Drafting:
        return Drafting(self.alpha, self.drafts, self.cost)


def _limited(text: str, least: float, most: float) -> float:
    """A number as the page's inputs have it."""
    return within(float(text), least, most)


def build(state: State, words: Words) -> Drawn:
    server, drafting = state.server, state.drafting
    most = largest_paying_batch(server, drafting)
    curves = {
        name: Curve(
            [1e3 * seconds_a_token(server, batch, chosen) for batch in DRAWN],
            [tokens_a_second(server, batch, chosen) for batch in DRAWN],
        )
        for name, chosen in (("plain", None), ("drafted", drafting))
    }
    plots = (
        speeds(DRAWN, [gain(server, batch, drafting) for batch in DRAWN], most, state.batch, words),
        seconds(DRAWN, curves["plain"], curves["drafted"], state.batch, words),
        throughput(DRAWN, curves["plain"], curves["drafted"], state.batch, words),
    )
    return Drawn(plots, _told(state, most, words), [_row(state, batch, words) for batch in BATCHES])


def _told(state: State, most: float, words: Words) -> str:
    server, drafting = state.server, state.drafting
    slots = {
        "batch": f"{state.batch:,}", "plain": _milliseconds(seconds_a_token(server, state.batch)),
        "drafted": _milliseconds(seconds_a_token(server, state.batch, drafting)),
        "gain": f"{gain(server, state.batch, drafting):.2f}",
    }
    key = "never" if most == 0 else "always" if most == math.inf else "until"
    border = words(f"told.{key}", most=f"{most:,.0f}" if most < math.inf else "")
    parts = [words("told.here", **slots), border, _told_full(state, words)]
    if state.context:
        parts.append(words("told.cache", cache=f"{state.context * CACHE_BYTES / 1e9:.3g}"))
    return sentences(words.language, *parts)


def _milliseconds(seconds: float) -> str:
    """Two decimals; of a short time two digits, of a long one the whole milliseconds."""
    time = 1e3 * seconds
    return f"{time:,.0f}" if time >= 1000.0 else f"{time:.2f}" if time >= 0.1 else f"{time:.2g}"


def _told_full(state: State, words: Words) -> str:
    """From how many requests on the arithmetic is the limit: plainly, and with drafting."""
    plain, drafted = full_batch(state.server), full_batch(state.server, state.drafts + 1)
    key = "neither" if drafted == math.inf else "drafted" if plain == math.inf else "both"
    both = (("plain", plain), ("drafted", drafted))
    full = {name: f"{math.ceil(batch):,}" for name, batch in both if batch < math.inf}
    return words(f"told.full_{key}", rows=state.drafts + 1, **full)


def _row(state: State, batch: int, words: Words) -> dict[str, object]:
    server, drafting = state.server, state.drafting
    return {
        words("table.batch"): batch,
        words("table.plain_ms"): 1e3 * seconds_a_token(server, batch),
        words("table.drafted_ms"): 1e3 * seconds_a_token(server, batch, drafting),
        words("table.plain_rate"): f"{tokens_a_second(server, batch):,.0f}",
        words("table.drafted_rate"): f"{tokens_a_second(server, batch, drafting):,.0f}",
        words("table.gain"): gain(server, batch, drafting),
    }
