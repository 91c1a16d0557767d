"""The two charts of the convergence figure: frequencies by token, and the distance to target as draws add up."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from grader.language import Words
from lessons.figures import chart
from lessons.figures.distributions import Pair
from lessons.figures.frame import number, power_of_ten, token_label
from lessons.figures.palette import HATCH, LIGHT

LEAST_SHOWN = 1e-5  # the bottom of the distance axis; a sample may hit target exactly, which no log axis shows

DECADES = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0]


@dataclass(frozen=True)
class Sample:
    """One rule's draws.

    at: the numbers of draws it was looked at. frequencies: (V,) after the last one. distances: total variation to
    target after each of `at`. bias: the distance of the rule's exact law to target, which no number of draws removes.
    """

    at: tuple[int, ...]
    frequencies: tuple[float, ...]
    distances: tuple[float, ...]
    bias: float


def frequencies(
    pair: Pair, right: Sample, wrong: Sample | None, band: float, words: Words
) -> go.Figure:
    """Both rules' frequencies by token, and target with its band of +- `band`."""
    figure = go.Figure()
    _bars(figure, right, words("part.right"), chart.solid(LIGHT.target), -0.18)
    if wrong is not None:
        _bars(figure, wrong, words("part.wrong"), chart.hatch(HATCH["wrong"], LIGHT.wrong), 0.02)
    marks = [words("part.target", target=number(mass), band=number(band)) for mass in pair.target]
    chart.target_marks(figure, pair.target, marks, band)
    for row in pair.tokens:
        text = words("row.right", right=number(right.frequencies[row]))
        if wrong is not None:
            text += words("row.wrong", wrong=number(wrong.frequencies[row]))
        chart.line_of_text(figure, row, text)
    labels = [token_label(row, words.language) for row in pair.tokens]
    chart.bars(figure, labels, words("axis.frequency"))
    figure.update_layout(barmode="overlay")
    return figure


def _bars(figure: go.Figure, sample: Sample, name: str, marker: dict[str, object], offset: float) -> None:
    figure.add_bar(
        name=name, x=sample.frequencies, y=list(range(len(sample.frequencies))), orientation="h", marker=marker,
        width=0.16, offset=chart.MIDDLE + offset,
    )


def distances(
    right: Sample, wrong: Sample | None, expected: Sequence[float], draws: Sequence[int], words: Words
) -> go.Figure:
    """Distance to target against the number of draws, both on log axes.

    expected: the mean distance that chance alone leaves after each of `draws` draws of the right rule.
    """
    figure = go.Figure()
    dashes = {"color": LIGHT.ink, "width": 2, "dash": "dash"}
    figure.add_scatter(name=words("part.expected"), x=draws, y=_shown(expected), mode="lines", line=dashes)
    _curve(figure, right, words("part.right"), LIGHT.target, "circle")
    if wrong is not None:
        dots = {"color": LIGHT.wrong, "width": 2, "dash": "dot"}
        bias = _shown([wrong.bias] * len(draws))
        figure.add_scatter(name=words("part.bias"), x=draws, y=bias, mode="lines", line=dots)
        _curve(figure, wrong, words("part.wrong"), LIGHT.wrong, "x")
    powers = range(1, 8)
    x = {
        "type": "log", "range": [0.9, 7.1], "tickvals": [10**power for power in powers], "title": words("axis.draws"),
        "ticktext": [power_of_ten(power) for power in powers], "showgrid": True,
    }
    y = {
        "type": "log", "range": [math.log10(LEAST_SHOWN), 0.1], "tickvals": DECADES, "title": words("axis.distance"),
        "ticktext": [f"{decade:.5f}".rstrip("0").rstrip(".") for decade in DECADES], "showgrid": True,
    }
    chart.quiet(figure, 440, x, y)
    return figure


def _curve(figure: go.Figure, sample: Sample, name: str, colour: str, symbol: str) -> None:
    figure.add_scatter(
        name=name, x=sample.at, y=_shown(sample.distances), mode="lines+markers", connectgaps=True,
        line={"color": colour, "width": 2}, marker={"symbol": symbol, "size": 9, "color": colour},
    )


def _shown(distances: Sequence[float]) -> list[float | None]:
    return [distance if distance > 0.0 else None for distance in distances]
