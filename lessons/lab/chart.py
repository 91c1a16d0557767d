"""The chart of a lab run: the median time of each way, on a logarithmic axis, and the floor below which none can be."""
from __future__ import annotations

import math

import plotly.graph_objects as go

from grader.language import Words
from lessons.figures.chart import quiet
from lessons.figures.palette import LIGHT
from lessons.lab.report import Result, Row, duration

ROW = 64  # pixels
OURS = ("numpy", "eager", "compiled", "triton")
SIGNS = {True: "circle", False: "x"}  # right, or not


def draw(result: Result, words: Words) -> go.Figure:
    """Fastest at the top. Names and times stand above the marks: a phone has no room beside them."""
    timed, figure = result.timed, go.Figure()
    for number, row in enumerate(timed):
        _mark(figure, number, row, words)
    quiet(figure, 120 + ROW * len(timed))
    figure.update_layout(margin={"t": 32, "l": 28, "r": 28})  # for the name of the floor, and for the ticks at the ends
    seconds = [row.seconds or 0.0 for row in timed] + ([result.floor] if result.floor else [])
    low, high = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))
    ticks = [10.0**power for power in range(low, high + 1)]
    figure.update_xaxes(
        type="log", range=[low - 0.04, high + 0.04], tickvals=ticks, ticktext=[duration(tick) for tick in ticks],
        title_text=words("axis"), showline=True, linecolor=LIGHT.ink,
    )  # fmt: skip
    figure.update_yaxes(range=[len(timed) - 0.5, -0.75], showticklabels=False, showgrid=False)
    if result.floor:
        _floor(figure, result.floor, len(timed), words)
    figure.update_layout(showlegend=False)
    return figure


def _mark(figure: go.Figure, number: int, row: Row, words: Words) -> None:
    colour = LIGHT.overlap if row.run in OURS else LIGHT.ink
    marker = {"symbol": SIGNS[row.right], "size": 14, "color": colour}
    figure.add_scatter(x=[row.seconds], y=[number + 0.12], mode="markers", marker=marker, cliponaxis=False)
    text = f"{words(f'run.{row.run}')}: {duration(row.seconds or 0.0)}"
    if not row.right:
        text += f" ({words('not_right')})"
    font = {"size": 14, "color": LIGHT.ink}
    figure.add_annotation(x=0, xref="paper", y=number - 0.25, text=text, xanchor="left", showarrow=False, font=font)


def _floor(figure: go.Figure, floor: float, rows: int, words: Words) -> None:
    """A stroke in each row, beside its mark: a line through all would run through the names."""
    for number in range(rows):
        ends = {"y0": number - 0.06, "y1": number + 0.38}
        figure.add_shape(type="line", x0=floor, x1=floor, **ends, line={"color": LIGHT.target, "width": 3})
    font = {"size": 14, "color": LIGHT.target}
    text = words("floor", time=duration(floor))
    figure.add_annotation(
        x=math.log10(floor), y=1, yref="paper", text=text, xanchor="left", yanchor="bottom", showarrow=False, font=font,
        xshift=-6,
    )  # fmt: skip
