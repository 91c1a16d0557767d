"""The figures' colours: Okabe and Ito's palette, with lighter or darker twins where a page would swallow them.

Contrast against the page (WCAG 1.4.11 asks for 3:1), in the order target, draft, overlap, wrong: 5.2, 3.9, 3.4, 4.8 on
the light page and 7.7, 4.6, 5.2, 5.8 on the dark one. Colour never stands alone: what is resampled, rejected or wrong
is hatched as well, and every part carries a sign and a number.

Only the browser knows which page it shows, and it may change that at any time without telling the server. So figures
are built in LIGHT, and CSS swaps the colours.
"""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    target: str
    draft: str
    overlap: str  # what target and draft share: the mass that is accepted
    wrong: str  # a wrong rule
    ink: str
    faint: str  # grid lines


LIGHT = Palette("#0072B2", "#D55E00", "#009E73", "#A9568A", "#1C2126", "#C9D1D8")
DARK = Palette("#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E8ECEF", "#46525C")
HATCH = {"resampled": "/", "wrong": "x"}  # Plotly's names of the patterns


def css_variables() -> str:
    """The colours as --figure-target and so on, for drawings of our own."""
    return "".join(f"--figure-{name}: light-dark({light}, {dark}); " for name, light, dark in _pairs())


def css_for_charts() -> str:
    """Rules that recolour a Plotly chart, which writes its colours into the style of each mark as rgb(...)."""
    return "".join(_rules(light, f"light-dark({light}, {dark})") for _, light, dark in _pairs() if light != dark)


def _pairs() -> list[tuple[str, str, str]]:
    return [(name, light, getattr(DARK, name)) for name, light in vars(LIGHT).items()]


def _rules(light: str, either: str) -> str:
    rgb = f"rgb({', '.join(str(int(light[at : at + 2], 16)) for at in (1, 3, 5))})"
    chart = '[data-testid="stPlotlyChart"]'
    # Hatching has its colour in an attribute instead, with a stroke of its own in the pattern's path.
    return (
        f'{chart} [style*="fill: {rgb}"] {{ fill: {either} !important; }}\n'
        f'{chart} [style*="stroke: {rgb}"], {chart} [stroke="{rgb}"] {{ stroke: {either} !important; }}\n'
    )
