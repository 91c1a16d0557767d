"""The drawing of an experiment, as SVG: a line for each size, the foretold and the computed number on one axis."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from grader.language import Words
from lessons.figures.frame import power_of_ten
from lessons.figures.stepper import rendered
from solutions.numerics.finding import Finding

LEFT, LENGTH = 8, 324  # of the axis


def scientific(value: float) -> str:
    """Three digits from a thousandth on, two and a power of ten below it."""
    if value == 0.0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        return f"{value:.3g}" if abs(value) < 1000.0 else f"{value:,.0f}"
    digits, _, power = f"{value:.1e}".partition("e")
    return f"{digits} × {power_of_ten(int(power))}"


def lines(labels: Sequence[str], found: Sequence[Finding], at: int, wide: bool, words: Words) -> str:
    """Every size up to number `at`, which is the one looked at. wide: whether the axis is logarithmic."""
    low, high = _ends(found) if wide else (0.0, 1.0)
    ticks = _powers(low, high) if wide else [(share, f"{share:g}") for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return rendered(
        Path(__file__).parent, "lines", words, rows=list(zip(labels, found, strict=True)), at=at,
        scientific=scientific, left=LEFT, length=LENGTH, along=_along(low, high, wide), ticks=ticks, wide=wide,
    )


def _ends(found: Sequence[Finding]) -> tuple[float, float]:
    """The powers of ten around everything that is drawn."""
    values = [value for one in found for value in (one.computed, one.predicted) if value]
    if not values:
        return -18.0, 0.0
    return math.floor(math.log10(min(values))) - 1.0, min(0.0, math.ceil(math.log10(max(values))))


def _powers(low: float, high: float) -> list[tuple[float, str]]:
    """At most six marks; the axis is one power longer at the left, for zero."""
    step = max(1, math.ceil((high - low) / 6))
    return [(10.0**power, power_of_ten(power)) for power in range(int(high), int(low), -step)]


def _along(low: float, high: float, wide: bool) -> Callable[[float], float]:
    def place(value: float) -> float:
        share = value if not wide else (math.log10(value) - low) / (high - low) if value > 0.0 else 0.0
        return round(LEFT + LENGTH * min(1.0, max(0.0, share)), 1)

    return place
