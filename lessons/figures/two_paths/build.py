"""The exact ledger of one step: what is accepted, what is resampled, and whether they sum to target."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import plotly.graph_objects as go

from grader.language import Words
from lessons.figures import chart, rules
from lessons.figures.distributions import DEFAULT, Pair, Problem
from lessons.figures.frame import Drawn, number, numbers, signed, token_label, token_name
from lessons.figures.palette import HATCH, LIGHT
from lessons.figures.query import Query, pair_query
from solutions.law import Ledger, Rule, one_step_law, total_variation

TEXTS = Path(__file__).parent / "texts"
PREFIX = "paths"
YOURS = "yours"  # the student's own rule, where the page has one
EXACT = 1e-12  # rounding; a real bias is far above it


@dataclass(frozen=True)
class State:
    """`rule`: CORRECT, a known mistake's id, or YOURS."""

    pair: Pair = DEFAULT
    rule: str = rules.CORRECT

    @classmethod
    def from_query(cls, query: Mapping[str, str], first: str = rules.CORRECT) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used. `first`: the rule where the link names none."""
        link = Query(query, PREFIX)
        return cls(link.pair(), link.one_of("rule", choices(has_own=first == YOURS), first)), link.problems

    def to_query(self) -> dict[str, str]:
        return pair_query(self.pair) | {"rule": self.rule}


def choices(has_own: bool) -> list[str]:
    """The rules that can be chosen, in the order shown."""
    return ([YOURS] if has_own else []) + [rules.CORRECT, *rules.wrong_names()]


def rule_name(rule: str, words: Words) -> str:
    known = rules.wrong_names().get(rule)
    return known.within(words.language) if known else words(f"rule.{rule}")


def build(state: State, words: Words, own: Rule | None = None) -> Drawn:
    """The ledger under `state.rule`. `own`: the function behind YOURS; whatever it raises passes through."""
    rule = own if state.rule == YOURS and own is not None else rules.rule(state.rule)
    ledger = one_step_law(state.pair.target, state.pair.draft, rule)
    plot = _chart(state.pair, ledger, words)
    return Drawn((plot,), _told(state, ledger, words), _table(state.pair, ledger, words))


def _told(state: State, ledger: Ledger, words: Words) -> str:
    name = rule_name(state.rule, words)
    if ledger.problem:
        return words(f"told.{ledger.problem}", rule=name)
    distance = total_variation(ledger.law, state.pair.target)
    slots = {"rule": name, "law": numbers(ledger.law), "target": numbers(state.pair.target)}
    if distance <= EXACT:
        key = "told.harmless" if state.rule in rules.wrong_names() else "told.exact"
        return words(key, **slots, accepted=number(sum(ledger.accepted)))
    slots |= {"distance": number(distance), "percent": f"{100 * distance:.3g}", "most": _worst(state, ledger, words)}
    return words("told.biased", **slots)


def _worst(state: State, ledger: Ledger, words: Words) -> str:
    """The token that strays most, in words."""
    gaps = [got - wanted for got, wanted in zip(ledger.law, state.pair.target, strict=True)]
    token = max(state.pair.tokens, key=lambda index: abs(gaps[index]))
    slots = {"token": token_name(token, words.language), "got": number(ledger.law[token])}
    return words("told.more" if gaps[token] > 0 else "told.less", **slots, wanted=number(state.pair.target[token]))


def _chart(pair: Pair, ledger: Ledger, words: Words) -> go.Figure:
    figure = go.Figure()
    rows = list(pair.tokens)
    parts = {
        "accepted": (ledger.accepted, chart.solid(LIGHT.overlap)),
        "resampled": (ledger.resampled, chart.hatch(HATCH["resampled"], LIGHT.target)),
    }
    for name, (masses, marker) in parts.items() if not ledger.problem else ():
        figure.add_bar(
            name=words(f"part.{name}"), x=masses, y=rows, orientation="h", marker=marker, width=0.34,
            offset=chart.MIDDLE - 0.17,
        )
    marks = [words("part.target", target=number(mass)) for mass in pair.target]
    chart.target_marks(figure, pair.target, marks)
    for row in rows:
        chart.line_of_text(figure, row, _sum(pair, ledger, row, words))
    labels = [token_label(row, words.language) for row in rows]
    chart.bars(figure, labels, words("axis.probability"))
    figure.update_layout(barmode="stack")
    return figure


def _sum(pair: Pair, ledger: Ledger, row: int, words: Words) -> str:
    """The row's sum as a line of text, `✓ 0.300 + ↻ 0.090 = 0.390 (+0.090)`: the last is what it misses target by."""
    if ledger.problem:
        return words("sum.no_law")
    gap = ledger.law[row] - pair.target[row]
    return words(
        "sum.exact" if abs(gap) <= EXACT else "sum.off", accepted=number(ledger.accepted[row]),
        resampled=number(ledger.resampled[row]), law=number(ledger.law[row]), gap=signed(gap),
    )


def _table(pair: Pair, ledger: Ledger, words: Words) -> list[dict[str, object]]:
    known = not ledger.problem
    return [
        {
            words("table.token"): token_label(token, words.language),
            words("table.accepted"): ledger.accepted[token] if known else None,
            words("table.rejected"): ledger.rejected[token] if known else None,
            words("table.resampled"): ledger.resampled[token] if known else None,
            words("table.sum"): ledger.law[token] if known else None,
            words("table.target"): pair.target[token],
        }
        for token in pair.tokens
    ]
