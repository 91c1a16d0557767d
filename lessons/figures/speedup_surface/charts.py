"""The two charts of the speed-up surface: the map over rate and length, and a cut through it at one rate."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from grader.language import Words
from lessons.figures import chart
from lessons.figures.palette import LIGHT

MOST = 2.0  # of the colours, as a power of two: four times as fast, a quarter as fast
# Transparent where nothing changes, so that the map fits a light and a dark page.
SLOW, FAST = "rgba(213, 94, 0, {})", "rgba(0, 114, 178, {})"
COLOURS = [
    [0.0, SLOW.format(0.9)], [0.375, SLOW.format(0.4)], [0.47, SLOW.format(0.12)], [0.5, "rgba(128, 128, 128, 0)"],
    [0.53, FAST.format(0.12)], [0.625, FAST.format(0.4)], [1.0, FAST.format(0.9)],
]
ROW_OF_WORDS = 14  # a K that the best one rarely is
POWERS = {-2.0: "¼", -1.0: "½", 0.0: "1", 1.0: "2", 2.0: "4"}


class Point(NamedTuple):
    """Where the reader stands."""

    alpha: float
    drafts: int
    speed: float


def surface(
    rates: Sequence[float], lengths: Sequence[int], speeds: Sequence[Sequence[float]], border: Sequence[float],
    best: Sequence[float], point: Point, words: Words,
) -> go.Figure:
    """speeds: (K, alpha). border: for each length the rate that breaks even. best: for each rate the best length."""
    figure = go.Figure()
    figure.add_heatmap(
        x=rates, y=lengths, z=[[math.log2(speed) for speed in row] for row in speeds], zmin=-MOST, zmax=MOST,
        colorscale=COLOURS, colorbar=_key(words),
    )
    line = {"color": LIGHT.ink, "width": 3}
    figure.add_scatter(name=words("part.border"), x=border, y=lengths, mode="lines", line=line)
    paying = [(rate, min(length, lengths[-1])) for rate, length in zip(rates, best, strict=True) if length > 0]
    paying = paying[::2]  # every one would be a chain of marks on a phone
    figure.add_scatter(
        name=words("part.map_best"), x=[rate for rate, _ in paying], y=[length for _, length in paying], mode="markers",
        marker={"symbol": "diamond-open", "size": 7, "color": LIGHT.ink, "line": {"width": 1.5, "color": LIGHT.ink}},
    )
    _mark(figure, point.alpha, point.drafts, words("part.here"))
    _sides(figure, border[ROW_OF_WORDS - 1], words)
    x = {"title": words("axis.alpha"), "range": [-0.01, 1.01], "dtick": 0.2, "showgrid": False}
    y = {"title": words("axis.drafts"), "range": [0.5, lengths[-1] + 0.5], "dtick": 3, "tick0": 1, "showgrid": False}
    chart.quiet(figure, 560, x, y)
    return figure


def _sides(figure: go.Figure, border: float, words: Words) -> None:
    """Which side of the border is which, in words, where there is room for them."""
    for side, middle, room in (("slower", border / 2.0, border), ("faster", (1.0 + border) / 2.0, 1.0 - border)):
        if room > 0.3:
            font = {"size": 15, "color": LIGHT.ink}
            text = words(f"part.{side}")
            figure.add_annotation(x=middle, y=ROW_OF_WORDS, text=text, showarrow=False, font=font)


def slice_at(by_length: Sequence[float], best: float, point: Point, words: Words) -> go.Figure:
    """by_length: the speed-up of 0, 1, 2, ... draft tokens at the reader's rate and cost."""
    figure = go.Figure()
    lengths = list(range(len(by_length)))
    figure.add_scatter(
        name=words("part.speed"), x=lengths, y=by_length, mode="lines+markers",
        line={"color": LIGHT.target, "width": 2}, marker={"size": 7, "color": LIGHT.target},
    )
    dashes = {"color": LIGHT.ink, "width": 2, "dash": "dash"}
    figure.add_scatter(name=words("part.plain"), x=lengths, y=[1.0] * len(lengths), mode="lines", line=dashes)
    if best < len(by_length):
        figure.add_scatter(
            name=words("part.best"), x=[best], y=[by_length[int(best)]], mode="markers",
            marker={"symbol": "diamond-open", "size": 15, "color": LIGHT.ink, "line": {"width": 2, "color": LIGHT.ink}},
        )
    _mark(figure, point.drafts, point.speed, words("part.here"))
    x = {"title": words("axis.drafts"), "dtick": 2, "showgrid": True}
    y = {"title": words("axis.speed", alpha=f"{point.alpha:g}"), "rangemode": "tozero", "showgrid": True}
    chart.quiet(figure, 400, x, y)
    return figure


def _mark(figure: go.Figure, x: float, y: float, name: str) -> None:
    marker = {"symbol": "x-thin", "size": 13, "line": {"color": LIGHT.ink, "width": 4}, "color": LIGHT.ink}
    figure.add_scatter(name=name, x=[x], y=[y], mode="markers", marker=marker, cliponaxis=False)


def _key(words: Words) -> dict[str, object]:
    """The colours' key, below the chart: beside it there is no room on a phone."""
    font = {"size": 14, "color": LIGHT.ink}
    return {
        "orientation": "h", "y": -0.2, "yanchor": "top", "thickness": 14, "tickvals": list(POWERS), "len": 1.0,
        "ticktext": list(POWERS.values()), "tickfont": font, "outlinewidth": 0,
        "title": {"text": words("axis.colours"), "side": "bottom", "font": font},
    }
