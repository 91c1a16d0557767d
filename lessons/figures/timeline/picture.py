"""The drawings of the timeline, as SVG. Positions only; every number comes from build.py and simulate.py."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.language import Words
from lessons.figures.frame import number
from lessons.figures.stepper import rendered
from lessons.figures.timeline.simulate import Round

WIDTH = 336  # of the time axis; a drawing is 340 units wide
ROOM_FOR_TEXT = 15  # units that a pass must be long to carry a number below it
ROOM_FOR_EMITTED = 24  # the same for a round and what it emits


def timeline(tokens: int, played: Sequence[Round], longest: float, words: Words, *, current: bool = True) -> str:
    """Plain decoding of `tokens` tokens, and below it the rounds so far, on an axis that is `longest` passes long.

    current: whether the last of the rounds is the one that is being looked at.
    """
    round_width = WIDTH * (played[0].ends - played[0].begins) / longest if played else 0.0
    return _render(
        "timeline", words, tokens=tokens, rounds=played, current=current,
        time=length(played[-1].ends) if played else "", roomy=round_width >= ROOM_FOR_EMITTED,
        along=lambda time: round(2 + WIDTH * time / longest, 1),
        numbered=WIDTH / longest >= ROOM_FOR_TEXT,
    )


def one_pass(drafts: int, one: Round, words: Words) -> str:
    """The K + 1 rows that one pass of the target gives, and what each decides."""
    rows = [("accepted" if place < one.accepted else "rejected" if place == one.accepted else "unreached")
            for place in range(drafts)]
    return _render("pass", words, rows=rows, bonus=one.accepted == drafts, emitted=one.emitted)


def costs(speed: float, mean_speed: float, words: Words) -> str:
    """The time for one token: plainly, in the drawn rounds, and over many."""
    bars = [("plain", 1.0), ("drawn", 1.0 / speed), ("many", 1.0 / mean_speed)]
    most = max(cost for _, cost in bars)
    return _render("costs", words, bars=bars, width=lambda cost: round(250 * cost / most, 1))


def length(time: float) -> str:
    """Passes of the target; the page's costs have two decimals, so three never hide anything."""
    return f"{round(time, 3):g}"


def _render(template: str, words: Words, **values: object) -> str:
    return rendered(Path(__file__).parent, template, words, **values, number=number)
