"""What every figure is made of, before anything is put on a page."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import plotly.graph_objects as go

from grader.language import Words, words
from lessons.figures.distributions import Problem
from lessons.figures.stepper import Stepper

SHARED = Path(__file__).parent / "texts"
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Drawn:
    """A figure: its drawings, the fact they show in words, and the numbers (one dict a row, keyed by heading)."""

    plots: tuple[go.Figure | Stepper, ...]
    alt: str
    table: list[dict[str, object]]


def shared(language: str) -> Words:
    """The texts that all figures share."""
    return words(SHARED, language)


def number(value: float) -> str:
    """Three decimals; two significant digits where three decimals would hide a value that is not zero."""
    if value == 0.0 or abs(value) >= 0.0005:
        text = f"{value:.3f}"
    elif abs(value) >= 1e-8:
        text = f"{float(f'{value:.2g}'):.9f}".rstrip("0")
    else:
        text = f"{value:.1e}"
    return text.replace("-", "\N{MINUS SIGN}")


def signed(value: float) -> str:
    """The same of a difference: with a sign, unless it is 0."""
    return ("+" if value > 0.0 else "") + number(value)


def power_of_ten(power: int) -> str:
    """Such as 10⁻⁸, in plain text."""
    return "10" if power == 1 else f"10{str(power).translate(SUPERSCRIPT)}"


def numbers(values: Sequence[float]) -> str:
    return "[" + ", ".join(number(value) for value in values) + "]"


def sentences(language: str, *parts: str) -> str:
    """Sentences after each other; Chinese puts no space between them."""
    return ("" if language == "zh" else " ").join(parts)


def apart(one: float, other: float) -> tuple[str, str]:
    """Two different numbers never shown as the same text."""
    for digits in (3, 6, 9, 17):
        texts = f"{one:.{digits}f}", f"{other:.{digits}f}"
        if one == other or texts[0] != texts[1]:
            return texts
    return texts


def token_name(token: int, language: str) -> str:
    """Figures name tokens by a short word."""
    return shared(language)(f"token.{token}")


def token_label(token: int, language: str) -> str:
    """The index that the exercise uses, and the word; a narrow table must not break them apart."""
    return f"{token}\N{NO-BREAK SPACE}{token_name(token, language)}"


def text_so_far(tokens: Sequence[int], language: str) -> str:
    """A text that ends with these tokens, such as “… cat dog”; Chinese puts no space between words."""
    begins, between = ("……", "") if language == "zh" else ("… ", " ")
    return (begins + between.join(token_name(token, language) for token in tokens)).rstrip()


def say(problem: Problem, language: str) -> str:
    """The problem in words; the row, where it has one, is named in the reader's language."""
    text = shared(language)
    slots = dict(problem.slots)
    if "row" in slots:
        slots["row"] = text(f"row.{slots['row']}")
    return text(problem.key, **slots)


def plain(text: str) -> str:
    """The text as Markdown that shows it as it is: names and messages may hold any sign."""
    return re.sub(r"([\\`*_{}\[\]<>#|$~:+!])", r"\\\1", text)
