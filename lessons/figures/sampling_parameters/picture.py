"""The drawings of the figure, as SVG. Positions only; every number comes from laws.py."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.language import Words
from grader.language import words as language_file
from lessons.figures.distributions import Pair
from lessons.figures.frame import number, signed, token_name
from lessons.figures.overlap.build import TEXTS as OVERLAP
from lessons.figures.overlap.picture import columns
from lessons.figures.sampling_parameters.laws import Round, Stage
from lessons.figures.stepper import rendered

LENGTH = 264  # of the longest bar of what comes out
COLUMN = 48


def processing(side: str, found: Sequence[Stage], words: Words) -> str:
    """One side's law after each stage that is on: a column a stage, a bar and a number a token."""
    largest = max(mass for stage in found for mass in stage.law)
    return _render(
        "stages", words, side=side, stages=found, column=COLUMN,
        length=lambda mass: round((COLUMN - 8) * mass / largest, 1),
    )


def handed(round_: Round, words: Words) -> str:
    """The two rows that verification gets, with their overlap: the drawing of the figure `overlap`."""
    shared = [min(pair) for pair in zip(round_.target, round_.draft, strict=True)]
    return columns(Pair(round_.target, round_.draft), shared, language_file(OVERLAP, words.language), rest=True)


def comes_out(round_: Round, words: Words, *, judged: bool) -> str:
    """What comes out, token by token, in its two parts, against the request's law. judged: a draft token was there."""
    ledger = round_.ledger
    largest = max(*ledger.law, *round_.wanted)
    rows = list(zip(ledger.accepted, ledger.resampled, ledger.law, round_.wanted, strict=True))
    return _render(
        "output", words, rows=rows, judged=judged, distance=round_.distance, gap=_gap,
        length=lambda mass: round(LENGTH * mass / largest, 1),
    )


def _gap(law: float, wanted: float) -> str:
    """What a token has too much or too little of; "" where it has what it should."""
    off = law - wanted
    return "" if abs(off) < 5e-4 else signed(off)


def _render(template: str, words: Words, **values: object) -> str:
    return rendered(
        Path(__file__).parent, template, words,
        **values, number=number, name=lambda token: token_name(token, words.language)
    )
