"""The three charts of a growing batch: speed-up, time of a token, and tokens of all requests a second."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from grader.language import Words
from lessons.figures import chart
from lessons.figures.palette import LIGHT

LARGEST = 1024
HEIGHT = 330


class Curve(NamedTuple):
    """Over the drawn batches: milliseconds between two tokens of one request, and tokens of all requests a second."""

    milliseconds: Sequence[float]
    rate: Sequence[float]


def speeds(batches: Sequence[int], gains: Sequence[float], most: float, here: int, words: Words) -> go.Figure:
    """most: the largest batch at which drafting is no slower."""
    figure = go.Figure()
    figure.add_scatter(
        name=words("part.gain"), x=batches, y=gains, mode="lines", line={"color": LIGHT.target, "width": 3},
    )
    dashes = {"color": LIGHT.ink, "width": 2, "dash": "dash"}
    figure.add_scatter(name=words("part.one"), x=batches, y=[1.0] * len(batches), mode="lines", line=dashes)
    if 0 < most <= LARGEST:
        figure.add_scatter(
            name=words("part.turn"), x=[most], y=[1.0], mode="markers",
            marker={"symbol": "diamond", "size": 14, "color": LIGHT.draft},
        )
    _frame(figure, words("axis.gain"), words)
    _here(figure, batches, gains, here, words)
    return figure


def seconds(batches: Sequence[int], plain: Curve, drafted: Curve, here: int, words: Words) -> go.Figure:
    return _two(batches, plain.milliseconds, drafted.milliseconds, here, words("axis.ms"), words)


def throughput(batches: Sequence[int], plain: Curve, drafted: Curve, here: int, words: Words) -> go.Figure:
    return _two(batches, plain.rate, drafted.rate, here, words("axis.rate"), words)


def _two(
    batches: Sequence[int], plain: Sequence[float], drafted: Sequence[float], here: int, title: str, words: Words
) -> go.Figure:
    figure = go.Figure()
    dashes = {"color": LIGHT.ink, "width": 2, "dash": "dash"}
    figure.add_scatter(name=words("part.plain"), x=batches, y=plain, mode="lines", line=dashes)
    line = {"color": LIGHT.target, "width": 3}
    figure.add_scatter(name=words("part.drafted"), x=batches, y=drafted, mode="lines", line=line)
    _frame(figure, title, words)
    _here(figure, batches, drafted, here, words)
    return figure


def _frame(figure: go.Figure, title: str, words: Words) -> None:
    ticks = [1, 4, 16, 64, 256, 1024]
    x = {
        "type": "log", "range": [-0.05, math.log10(LARGEST) + 0.05], "tickvals": ticks, "showgrid": True,
        "ticktext": [f"{tick:,}" for tick in ticks], "title": words("axis.batch"),
    }
    chart.quiet(figure, HEIGHT, x, {"title": title, "showgrid": True, "rangemode": "tozero"})


def _here(figure: go.Figure, batches: Sequence[int], values: Sequence[float], here: int, words: Words) -> None:
    """Where the reader looks."""
    marker = {"symbol": "x-thin", "size": 13, "line": {"color": LIGHT.ink, "width": 4}, "color": LIGHT.ink}
    value = values[batches.index(here)]
    figure.add_scatter(name=words("part.here"), x=[here], y=[value], mode="markers", marker=marker, cliponaxis=False)
