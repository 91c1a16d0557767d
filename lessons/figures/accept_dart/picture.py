"""The drawings of one step, as SVG. Positions only; every number comes from build.py."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from grader.language import Words
from lessons.figures.distributions import Pair
from lessons.figures.frame import apart, number, token_label, token_name
from lessons.figures.stepper import rendered

# A drawing is 340 units wide: on a phone that is about one pixel a unit.
LINE_START, LINE_LENGTH = 16, 308  # the line from 0 to 1
BAR_START, BAR_LENGTH = 62, 176  # a bar of probability one; its label needs the rest


@dataclass(frozen=True)
class Picture:
    """Everything that a draw can show. `shared` is the accepted mass by token."""

    pair: Pair
    shared: tuple[float, ...]
    token: int
    accept: float
    u: float
    accepted: bool
    residual: tuple[float, ...]
    again: float
    emitted: int


def columns(picture: Picture, shown: int, words: Words) -> tuple[tuple[str, ...], ...]:
    """What each step adds: 0 the distributions, 1 the token, 2 the threshold, 3 the dart, 4 the residual, 5 a draw."""
    laws = _render(
        "laws", words, pair=picture.pair, shared=picture.shared, chosen=picture.token if shown else None,
        row_height=46 if len(picture.shared) <= 4 else 42,
    )
    right = [line(picture, words, dart=shown >= 3)] if shown >= 2 else []
    right += [residual(picture, words, dart=shown >= 5)] if shown >= 4 else []
    return (laws,), tuple(right)


def line(picture: Picture, words: Words, *, dart: bool) -> str:
    """The line from 0 to 1 with the threshold, and u on it once it is thrown."""
    product, bar = apart(picture.u * picture.pair.draft[picture.token], picture.pair.target[picture.token])
    comparison = words("drawing.below" if picture.accepted else "drawing.not_below", product=product, bar=bar)
    return _render(
        "line", words, token=picture.token, accept=picture.accept, accepted=picture.accepted,
        u=picture.u if dart else None, comparison=comparison,
    )


def residual(picture: Picture, words: Words, *, dart: bool) -> str:
    """The residual's bars, and below them the draw from it."""
    return draw(
        "residual", picture.residual, words, title=words("drawing.residual"), residual=True,
        uniform=picture.again if dart else None, thrown=words("drawing.again", u=number(picture.again)),
        verdict=words("drawing.resampled", token=token_name(picture.emitted, words.language)),
    )


def draw(panel: str, law: Sequence[float], words: Words, **values: object) -> str:
    """The bars of a law over (V,) tokens, and the draw from it; `panel` keeps two such drawings of a page apart."""
    ends = list(accumulate(law))
    pieces = [(token, end - mass, end) for token, (mass, end) in enumerate(zip(law, ends, strict=True)) if mass > 0.0]
    return _render("draw", words, panel=panel, law=law, pieces=pieces, **values)


def _render(template: str, words: Words, **values: object) -> str:
    return rendered(Path(__file__).parent, template, words, **values, **scales(words))


def scales(words: Words) -> dict[str, object]:
    """What places things in a drawing: lengths, ends, and the names of tokens."""
    return {
        "bar_start": BAR_START,
        "bar": lambda mass: round(BAR_LENGTH * mass, 1),
        "along": lambda share: round(LINE_START + LINE_LENGTH * share, 1),
        "anchor": _anchor,
        "number": number,
        "label": lambda token: token_label(token, words.language),
        "name": lambda token: token_name(token, words.language),
    }


def _anchor(share: float) -> str:
    """Where a label beside the line is held, so that it stays inside the drawing."""
    return "start" if share < 0.3 else "end" if share > 0.7 else "middle"
