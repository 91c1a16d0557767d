"""What the Plotly figures have in common: rows of horizontal bars, one a token, that stay legible on a phone."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from lessons.figures.palette import LIGHT

CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False, "showAxisDragHandles": False}
ROW = 104  # pixels a token's row is high: a line of text, its bars, target's label
MIDDLE = 0.04  # of the bars within their row
FONT = {"size": 14, "color": LIGHT.ink}
MARK = 30  # target's mark; Plotly draws it 1.4 times as many pixels high
Axis = Mapping[str, object]  # settings of a Plotly axis


def quiet(figure: go.Figure, height: int, x: Axis | None = None, y: Axis | None = None) -> None:
    """No zoom, no hover (nothing may be hidden behind a mouse), the key above the chart. Comes before other layout.

    x, y: more settings of the axes; `title` is its text. The layout is set in one go: update_layout costs 8 ms.
    """
    figure.layout = {
        "height": height,
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
        "legend": {
            "orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0.0, "xanchor": "left", "traceorder": "normal",
            "font": FONT, "itemclick": False, "itemdoubleclick": False,
        },
        "hovermode": False,
        "dragmode": False,
        "annotations": figure.layout.annotations,
        "xaxis": _axis(x or {}),
        "yaxis": _axis(y or {}),
    }


def _axis(more: Axis) -> dict[str, object]:
    settings = {
        "fixedrange": True, "automargin": True, "zeroline": False, "gridcolor": LIGHT.faint, "tickfont": FONT, **more,
    }
    title = settings.pop("title", "")
    return settings | {"title": {"text": title, "font": FONT} if title else {"font": FONT}}


def bars(figure: go.Figure, labels: list[str], axis: str) -> None:
    """Token `labels` down the left side, probabilities along a fixed axis from 0 to 1."""
    # No grid: it would run through the rows' numbers.
    x = {
        "range": [0, 1.02], "tickvals": [0, 0.25, 0.5, 0.75, 1], "showgrid": False, "title": axis,
        "ticks": "outside", "tickcolor": LIGHT.ink, "showline": True, "linecolor": LIGHT.ink,
    }
    y = {
        "tickvals": [row + MIDDLE for row in range(len(labels))], "ticktext": labels,
        "range": [len(labels) - 0.5, -0.5], "showgrid": False,
    }
    quiet(figure, 104 + ROW * len(labels), x, y)


def line_of_text(figure: go.Figure, row: int, text: str) -> None:
    """The row's numbers, above its bars: on a phone there is no room beside or inside them."""
    font = {"size": 14, "color": LIGHT.ink}
    figure.add_annotation(x=0, y=row - 0.33, text=text, xanchor="left", showarrow=False, font=font)


def target_marks(
    figure: go.Figure, target: Sequence[float], labels: Sequence[str], band: float | None = None
) -> None:
    """An upright mark across each row, named below it; `band` is drawn to both sides."""
    figure.add_scatter(
        x=list(target),
        y=[row + MIDDLE for row in range(len(target))],
        mode="markers",
        marker={"symbol": "line-ns", "size": MARK, "line": {"color": LIGHT.ink, "width": 3}, "color": LIGHT.ink},
        error_x={"type": "constant", "value": band or 0.0, "visible": band is not None, "color": LIGHT.ink},
        cliponaxis=False,
        showlegend=False,
    )
    font = {"size": 14, "color": LIGHT.ink}
    for row, (share, text) in enumerate(zip(target, labels, strict=True)):
        side = _side(share)
        figure.add_annotation(x=share, y=row + 0.38, text=text, xanchor=side, align=side, showarrow=False, font=font)


def _side(share: float) -> str:
    """Which end of a label stays at its mark, so that the chart's edge doesn't cut it."""
    return "left" if share < 0.25 else "right" if share > 0.65 else "center"


def hatch(shape: str, colour: str) -> dict[str, object]:
    """A Plotly marker that is hatched in `colour` on the page's own background, with an edge of the same colour."""
    pattern = {"shape": shape, "fgcolor": colour, "bgcolor": "rgba(0,0,0,0)", "fillmode": "replace", "size": 7}
    return {"color": colour, "pattern": pattern | {"solidity": 0.35}, "line": {"color": colour, "width": 2}}


def solid(colour: str) -> dict[str, object]:
    return {"color": colour, "line": {"color": colour, "width": 2}}
