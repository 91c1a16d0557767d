"""The two charts of the formula's assumptions: tokens a round over K, and acceptance over depth."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import plotly.graph_objects as go

from grader.language import Words
from lessons.figures import chart
from lessons.figures.palette import LIGHT

DASHES = {"color": LIGHT.ink, "width": 2, "dash": "dash"}
DOTS = {"color": LIGHT.draft, "width": 2, "dash": "dot"}
SOLID = {"color": LIGHT.target, "width": 3}


class Line(Protocol):
    """What one K has on the chart."""

    @property
    def drafts(self) -> int: ...
    @property
    def tokens(self) -> float: ...
    @property
    def formula(self) -> float: ...
    @property
    def with_judged(self) -> float: ...


def lengths(lines: Sequence[Line], here: int, words: Words) -> go.Figure:
    """here: the K that the sentence is about."""
    figure = go.Figure()
    at = [line.drafts for line in lines]
    tokens = [line.tokens for line in lines]
    dots = {"size": 8, "color": LIGHT.target}
    figure.add_scatter(name=words("part.tokens"), x=at, y=tokens, mode="lines+markers", line=SOLID, marker=dots)
    figure.add_scatter(name=words("part.formula"), x=at, y=[line.formula for line in lines], mode="lines", line=DASHES)
    with_judged = [line.with_judged for line in lines]
    figure.add_scatter(name=words("part.with_judged"), x=at, y=with_judged, mode="lines", line=DOTS)
    mark = {"symbol": "x-thin", "size": 13, "line": {"color": LIGHT.ink, "width": 4}, "color": LIGHT.ink}
    figure.add_scatter(name=words("part.here"), x=[here], y=[tokens[here - 1]], mode="markers", marker=mark)
    x = {"title": words("axis.drafts"), "dtick": 1, "showgrid": True}
    chart.quiet(figure, 420, x, {"title": words("axis.tokens"), "rangemode": "tozero", "showgrid": True})
    return figure


def depths(rates: Sequence[float | None], told: float, words: Words) -> go.Figure:
    """rates: by depth. told: the one rate that the formula is given."""
    figure = go.Figure()
    at = list(range(1, len(rates) + 1))
    figure.add_bar(name=words("part.depth"), x=at, y=list(rates), marker=chart.solid(LIGHT.overlap), width=0.6)
    figure.add_scatter(
        name=words("part.told"), x=[0.5, *at, len(rates) + 0.5], y=[told] * (len(rates) + 2), mode="lines", line=DASHES
    )
    x = {"title": words("axis.depth"), "dtick": 1, "showgrid": False}
    chart.quiet(figure, 340, x, {"title": words("axis.rate"), "range": [0, 1.03], "dtick": 0.25, "showgrid": True})
    return figure
