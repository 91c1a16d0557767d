"""The drawings of real text, as SVG. Positions only; every number comes from the rounds."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from grader.language import Words
from lessons.figures.frame import number
from lessons.figures.stepper import rendered
from lessons.models.alphabet import ALPHABET

LINE = 38  # characters of a line of text; a drawing is 340 units wide
ADVANCE = 8.8  # units that a character takes
BAR = 210  # units of a bar of probability one
SIGNS = {" ": "␣", "\n": "⏎"}


class Place(NamedTuple):
    """A character at one place: its probabilities. No draft in the bonus row, a residual only after a rejection."""

    token: int
    target: float
    draft: float | None
    residual: float | None


class Line(NamedTuple):
    """characters of a line; accepted: (first, count) of runs of accepted drafts; drawn: places drawn by the target."""

    characters: str
    accepted: list[tuple[int, int]]
    drawn: list[int]


def text_so_far(prompt: str, emitted: Sequence[tuple[int, ...]], words: Words) -> str:
    """The prompt, then what each round has emitted: accepted drafts, and one token that the target drew."""
    origins = [(character, "prompt") for character in prompt]
    for tokens in emitted:
        origins += [(ALPHABET[token], "accepted") for token in tokens[:-1]] + [(ALPHABET[tokens[-1]], "drawn")]
    count = sum(map(len, emitted))
    heading = words("drawing.text", passes=len(emitted), characters=count)
    lines = _lines(origins)
    return _render("text", words, lines=lines, heading=heading, at=lambda place: round(1 + ADVANCE * place, 1))


def _lines(origins: list[tuple[str, str]]) -> list[Line]:
    lines = []
    while origins:
        part, origins = _wrapped(origins)
        characters = "".join("⏎" if character == "\n" else character for character, _ in part)
        drawn = [place for place, (_, origin) in enumerate(part) if origin == "drawn"]
        accepted = [place for place, (_, origin) in enumerate(part) if origin == "accepted"]
        runs: list[tuple[int, int]] = []
        for place in accepted:
            if runs and sum(runs[-1]) == place:
                runs[-1] = (runs[-1][0], runs[-1][1] + 1)
            else:
                runs.append((place, 1))
        lines.append(Line(characters, runs, drawn))
    return lines


def _wrapped(origins: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The first line, and the rest: broken behind a space, or anywhere where there is none."""
    spaces = [place for place, (character, _) in enumerate(origins[:LINE], start=1) if character == " "]
    end = spaces[-1] if len(origins) > LINE and spaces else LINE
    return origins[:end], origins[end:]


def probabilities(places: Sequence[Place], chosen: int, words: Words) -> str:
    """Bars of target and draft, and of the residual where there is one, for the likeliest characters at a place."""
    bars = [name for name in ("target", "draft", "residual") if getattr(places[0], name) is not None]
    return _render(
        "probabilities", words, places=places, chosen=chosen, bars=bars, bar=lambda mass: round(BAR * mass, 1),
        sign=lambda token: SIGNS.get(ALPHABET[token], ALPHABET[token]), named=lambda token: named(token, words),
    )


def named(token: int, words: Words) -> str:
    """A character in a sentence: the blank ones by their names."""
    names = {" ": "space", "\n": "break"}
    character = ALPHABET[token]
    return words(f"character.{names[character]}") if character in names else words("character.sign", sign=character)


def _render(template: str, words: Words, **values: object) -> str:
    return rendered(Path(__file__).parent, template, words, **values, number=number)
