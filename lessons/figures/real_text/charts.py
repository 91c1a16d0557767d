"""Acceptance by place of the round: what was measured, and the one rate that the formula takes for all."""
from __future__ import annotations

import plotly.graph_objects as go

from grader.language import Words
from lessons.figures.chart import quiet, solid
from lessons.figures.frame import number
from lessons.figures.palette import LIGHT
from lessons.models.traces import Measured

HEIGHT = 300  # pixels


def by_place(found: Measured, words: Words) -> go.Figure:
    """A column a place, its share below it, and a line at alpha."""
    places = list(range(1, len(found.accepted) + 1))
    figure = go.Figure()
    figure.add_bar(
        x=places, y=list(found.accepted), marker=solid(LIGHT.overlap), width=0.55, name=words("chart.accepted"),
    )
    figure.add_scatter(
        x=[0.5, len(places) + 0.5], y=[found.alpha] * 2, mode="lines",
        name=words("chart.alpha", alpha=number(found.alpha)), line={"color": LIGHT.ink, "width": 2, "dash": "dash"},
    )
    quiet(figure, HEIGHT)
    figure.update_yaxes(range=[0, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], title_text=words("chart.share"))
    named = [f"{place}<br><b>{share:.2f}</b>" for place, share in zip(places, found.accepted, strict=True)]
    figure.update_xaxes(tickvals=places, ticktext=named, range=[0.4, len(places) + 0.6], showgrid=False)
    figure.update_xaxes(title_text=words("chart.place"))
    return figure
