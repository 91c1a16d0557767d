"""The proof that the rule is exact, as a ledger: each line that the reader completes fills in a column."""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import plotly.graph_objects as go

from grader.language import Words
from lessons.choices import Choice, Option
from lessons.figures import chart
from lessons.figures.distributions import DEFAULT, Pair, Problem
from lessons.figures.frame import Drawn, number, numbers, token_label
from lessons.figures.palette import HATCH, LIGHT
from lessons.figures.query import Query, pair_query
from lessons.figures.rules import correct
from solutions.law import Ledger, one_step_law, total_variation

TEXTS = Path(__file__).parent / "texts"
PREFIX = "proof"


@dataclass(frozen=True)
class Line:
    """A line of the proof: its blank's options, in the order shown, and the right one."""

    name: str
    options: tuple[str, ...]
    right: str

    def choice(self, words: Words) -> Choice:
        texts = {
            option: Option(words(f"option.{self.name}.{option}"), words(f"why.{self.name}.{option}"))
            for option in self.options
        }
        return Choice(self.name, words(f"ask.{self.name}"), texts, self.right)


LINES = (
    Line("accepted", ("target", "product", "smaller", "draft"), "smaller"),
    Line("rejected", ("excess", "missing", "absolute", "rest"), "excess"),
    Line("total", ("zero", "both", "shared", "one"), "one"),
    Line("divisor", ("one", "same", "accepted", "depends"), "same"),
    Line("resampled", ("target", "excess", "residual", "missing"), "missing"),
    Line("sum", ("larger", "target", "middle", "draft"), "target"),
)


@dataclass(frozen=True)
class State:
    """line: how many lines of the proof are done, from 0 to len(LINES)."""

    pair: Pair = DEFAULT
    line: int = 0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(link.pair(), link.whole("line", 0, len(LINES), 0)), link.problems

    def to_query(self) -> dict[str, str]:
        return pair_query(self.pair) | {"line": str(self.line)}

    def has(self, name: str) -> bool:
        """Whether the line called `name` is done."""
        return name in [line.name for line in LINES[: self.line]]


def build(state: State, words: Words) -> Drawn:
    """The ledger as far as the proof has come."""
    ledger = one_step_law(state.pair.target, state.pair.draft, correct)
    return Drawn((_chart(state, ledger, words),), _told(state, ledger, words), _table(state, ledger, words))


def _told(state: State, ledger: Ledger, words: Words) -> str:
    """What the last line says, in the numbers of this pair."""
    slots = {
        "target": numbers(state.pair.target), "draft": numbers(state.pair.draft),
        "accepted": numbers(ledger.accepted), "rejected": numbers(ledger.rejected),
        "resampled": numbers(ledger.resampled), "law": numbers(ledger.law),
        "total": number(total_variation(state.pair.target, state.pair.draft)),
        "kept": number(math.fsum(ledger.accepted)),
    }
    last = LINES[state.line - 1].name if state.line else "start"
    if last == "divisor" and not any(ledger.rejected):
        last = "no_divisor"
    return words(f"told.{last}", **slots)


def _chart(state: State, ledger: Ledger, words: Words) -> go.Figure:
    """Bars of what comes out, one row a token, and target's marks to compare with."""
    figure = go.Figure()
    parts = {
        "accepted": (ledger.accepted, chart.solid(LIGHT.overlap)),
        "resampled": (ledger.resampled, chart.hatch(HATCH["resampled"], LIGHT.target)),
    }
    for name, (masses, marker) in parts.items():
        figure.add_bar(
            name=words(f"part.{name}"), x=masses if state.has(name) else [None] * len(masses), marker=marker,
            y=list(state.pair.tokens), orientation="h", width=0.34, offset=chart.MIDDLE - 0.17,
        )
    chart.target_marks(figure, state.pair.target, [words("part.target", target=number(p)) for p in state.pair.target])
    for token in state.pair.tokens:
        chart.line_of_text(figure, token, _row(state, ledger, token, words))
    chart.bars(figure, [token_label(token, words.language) for token in state.pair.tokens], words("axis.probability"))
    figure.update_layout(barmode="stack")
    return figure


def _row(state: State, ledger: Ledger, token: int, words: Words) -> str:
    """The token's numbers so far, such as `✓ 0.400 + ↻ 0.300 = 0.700`."""
    slots = {
        "draft": number(state.pair.draft[token]), "accepted": number(ledger.accepted[token]),
        "rejected": number(ledger.rejected[token]), "resampled": number(ledger.resampled[token]),
        "law": number(ledger.law[token]),
    }
    shown = next((name for name in ("sum", "resampled", "rejected", "accepted") if state.has(name)), "start")
    return words(f"row.{shown}", **slots)


def _table(state: State, ledger: Ledger, words: Words) -> list[dict[str, object]]:
    """A column stays empty until its line is done."""
    columns = {
        "accepted": ledger.accepted, "rejected": ledger.rejected, "resampled": ledger.resampled, "sum": ledger.law,
    }
    return [
        {words("table.token"): token_label(token, words.language), words("table.draft"): state.pair.draft[token]}
        | {words(f"table.{name}"): masses[token] if state.has(name) else None for name, masses in columns.items()}
        | {words("table.target"): state.pair.target[token]}
        for token in state.pair.tokens
    ]
