"""Acceptance by place of the round: what was measured, and the one rate that the formula takes for all."""
from __future__ import annotations

import plotly.graph_objects as go

from grader.language import Words
from lessons.figures.chart import quiet, solid
from lessons.figures.frame import number
from lessons.figures.palette import LIGHT
from lessons.models.traces import Measured

AROUND, ROW = 130, 34  # pixels of height: what surrounds the bars, and a bar


def by_place(found: Measured, words: Words) -> go.Figure:
    """A bar a place, from the first place down, its share beside it (– where no round comes), and a line at alpha."""
    places = list(range(1, len(found.accepted) + 1))
    figure = go.Figure()
    figure.add_bar(
        x=list(found.accepted), y=places, orientation="h", marker=solid(LIGHT.overlap), width=0.55,
        name=words("chart.accepted"),
    )
    figure.add_scatter(
        x=[found.alpha] * 2, y=[0.5, len(places) + 0.5], mode="lines",
        name=words("chart.alpha", alpha=number(found.alpha)), line={"color": LIGHT.ink, "width": 2, "dash": "dash"},
    )
    quiet(figure, AROUND + ROW * len(places))
    shares = [f"{share:.2f}" if reached else "–" for share, reached in zip(found.accepted, found.reached, strict=True)]
    named = [f"{place}: <b>{share}</b>" for place, share in zip(places, shares, strict=True)]
    figure.update_yaxes(tickvals=places, ticktext=named, range=[len(places) + 0.6, 0.4], showgrid=False)
    figure.update_yaxes(title_text=words("chart.place"))
    figure.update_xaxes(range=[0, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], title_text=words("chart.share"))
    return figure
