"""What can stand behind a `{claim: name}` of a lesson, and how each kind is checked against the text before it."""
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_NUMBER = re.compile(
    r"(?P<sign>[-\N{MINUS SIGN}]?)(?P<digits>\d[\d,]*(?:\.\d+)?)"
    r"(?:\s*\\times\s*10\^(?:\{(?P<power>-?\d+)\}|(?P<short>\d))|[eE](?P<plain>-?\d+))?(?P<percent>\s?\\?%)?"
)


@dataclass(frozen=True)
class Shown:
    """A number as a text shows it: `unit` is the worth of its last digit."""

    value: float
    unit: float


def last_number(text: str) -> Shown | None:
    """The last number in `text`; "70%" is 0.7, and $1.6 \\times 10^{-8}$ and 1,300 are understood."""
    every = list(_NUMBER.finditer(text))
    if not every:
        return None
    found = every[-1]
    digits = found["digits"].rstrip(",").replace(",", "")
    power = int(found["power"] or found["short"] or found["plain"] or 0) - (2 if found["percent"] else 0)
    value = float(digits) * (-1.0 if found["sign"] else 1.0)
    decimals = len(digits.partition(".")[2])
    return Shown(value * 10.0**power, 10.0 ** (power - decimals))


@dataclass(frozen=True)
class Computed:
    """The last number before the marker is this value, rounded to the digits shown."""

    value: Callable[[], float]

    def problem(self, before: str, lesson: str) -> str:
        shown, value = last_number(before), self.value()
        if shown is None:
            return "no number stands before it"
        rounded_right = abs(shown.value - value) <= shown.unit * 0.5 * (1 + 1e-9) + 1e-12 * abs(value)
        return "" if rounded_right else f"the text says {shown.value:.12g}, computed is {value:.12g}"


@dataclass(frozen=True)
class Written:
    """This text stands directly before the marker."""

    text: Callable[[], str]

    def problem(self, before: str, lesson: str) -> str:
        text = self.text()
        return "" if before.rstrip().endswith(text) else f"computed is {text!r}, the text ends {before[-60:]!r}"


@dataclass(frozen=True)
class Sourced:
    """Somebody else's measurement or statement: the lesson names where it comes from.

    value: the number as the source has it, where there is one; it's the last one before the marker.
    """

    key: str
    value: float | None = None

    def problem(self, before: str, lesson: str) -> str:
        if self.key not in lesson:
            return f"the lesson doesn't name its source {self.key!r}"
        shown = last_number(before)
        if self.value is None or (shown is not None and abs(shown.value - self.value) < 1e-12):
            return ""
        return f"the source has {self.value:g}, the text ends {before[-60:]!r}"


Claim = Computed | Written | Sourced
