"""The museum of faults: an exhibit shows which law comes out; the reader says which fault it is."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import plotly.graph_objects as go

from grader.language import Words
from lessons.choices import Choice, Option
from lessons.figures import chart
from lessons.figures.bug_museum.exhibits import EXHIBITS, IDS, Exhibit, offered
from lessons.figures.bug_museum.laws import seen
from lessons.figures.bug_museum.seen import Seen
from lessons.figures.distributions import Problem
from lessons.figures.frame import Drawn, number, sentences, signed, token_label
from lessons.figures.palette import HATCH, LIGHT
from lessons.figures.query import Query

TEXTS = Path(__file__).parent / "texts"
PREFIX = "museum"
EXACT = 1e-12  # rounding; a real bias is far above it
SHOWN = 5e-4  # rates closer than this read as the same


@dataclass(frozen=True)
class State:
    """place: which exhibit, from 0."""

    place: int = 0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, where exhibits are counted from 1, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(link.whole("exhibit", 1, len(EXHIBITS), 1) - 1), link.problems

    def to_query(self) -> dict[str, str]:
        return {"exhibit": str(self.place + 1)}

    @property
    def exhibit(self) -> Exhibit:
        return EXHIBITS[self.place]


def build(state: State, words: Words) -> Drawn:
    """The picture of one exhibit. The fault isn't named in it."""
    shown = seen(state.exhibit.id)
    names = outcomes(shown, words)
    return Drawn((_chart(shown, names, words),), _told(state, shown, words), _table(shown, names, words))


def choice(state: State, words: Words) -> Choice:
    """Which fault is it? Every option says what it would have looked like."""
    options = {name: Option(words(f"fault.{name}"), _why(name, state, words)) for name in offered(state.place)}
    return Choice(state.exhibit.id, words("ask"), options, state.exhibit.id)


def _why(name: str, state: State, words: Words) -> str:
    """The right fault's story and reports; of another one, the law it would give here, or how one would know it."""
    if name == state.exhibit.id:
        group = words("class", name=words(f"group.{state.exhibit.group}"))
        where = sentences(words.language, group, words("reports", reports=_reports(state.exhibit, words)))
        return "\n\n".join((words(f"story.{name}"), words("caught", how=words(f"catch.{name}")), where))
    other, place = seen(name), IDS.index(name) + 1
    if EXHIBITS[place - 1].case != state.exhibit.case:
        group = words(f"group.{EXHIBITS[place - 1].group}")
        return words("elsewhere", place=place, group=group, sign=words(f"sign.{name}"))
    law = ", ".join(number(mass) for mass in other.law)
    return words("instead", law=f"({law})", distance=_distance(other), place=place)


def _reports(exhibit: Exhibit, words: Words) -> str:
    """Links to the reports, with their states."""
    told = (
        words("report_with", link=f"[{report.name}]({report.address})", state=words(f"report.{report.state}"))
        for report in exhibit.reports
    )
    return ("、" if words.language == "zh" else ", ").join(told)


def outcomes(shown: Seen, words: Words) -> list[str]:
    if shown.outcomes:
        return [words(f"outcome.{name}") for name in shown.outcomes]
    return [token_label(token, words.language) for token in range(len(shown.target))]


def _distance(shown: Seen) -> str:
    return number(shown.distance if shown.distance > EXACT else 0.0)


def _told(state: State, shown: Seen, words: Words) -> str:
    parts = [words("told.where", place=state.place + 1, what=words(f"case.{state.exhibit.case}"))]
    if shown.distance <= EXACT:
        parts.append(words("told.exact"))
    else:
        parts.append(words("told.biased", distance=_distance(shown)))
    if shown.rates is None:
        parts.append(words("told.no_rate"))
    else:
        right, wrong = shown.rates
        key = "told.same_rate" if abs(right - wrong) < SHOWN else "told.rates"
        parts.append(words(key, right=number(right), wrong=number(wrong)))
    return sentences(words.language, *parts)


def _chart(shown: Seen, names: list[str], words: Words) -> go.Figure:
    figure = go.Figure()
    rows = list(range(len(names)))
    figure.add_bar(
        name=words("part.law"), x=shown.law, y=rows, orientation="h", width=0.34, offset=chart.MIDDLE - 0.17,
        marker=chart.hatch(HATCH["wrong"], LIGHT.wrong),
    )
    marks = [words("part.target", target=number(mass)) for mass in shown.target]
    chart.target_marks(figure, shown.target, marks)
    for row, (law, target) in enumerate(zip(shown.law, shown.target, strict=True)):
        text = _row(law, law - target, words)
        if shown.draft is not None:
            text += words("row.draft", draft=number(shown.draft[row]))
        chart.line_of_text(figure, row, text)
    chart.bars(figure, names, words("axis.probability"))
    figure.update_layout(showlegend=True)
    return figure


def _row(law: float, gap: float, words: Words) -> str:
    if abs(gap) <= EXACT:
        return words("row.exact", law=number(law))
    return words("row.off", law=number(law), gap=signed(gap))


def _table(shown: Seen, names: list[str], words: Words) -> list[dict[str, object]]:
    drafts = shown.draft or [None] * len(names)
    return [
        {
            words("table.outcome"): name, words("table.draft"): draft, words("table.target"): target,
            words("table.law"): law, words("table.gap"): law - target if abs(law - target) > EXACT else 0.0,
        }
        for name, draft, target, law in zip(names, drafts, shown.target, shown.law, strict=True)
    ]
