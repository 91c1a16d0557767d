"""The tokens of one round as chips: what happened to each, and its numbers in a sentence and a drawing."""
from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grader.language import Words
from lessons.figures.frame import apart, number
from lessons.figures.real_text.picture import SIGNS, Place, named, probabilities
from lessons.figures.rules import correct
from lessons.figures.stepper import Chip
from lessons.models.alphabet import ALPHABET
from lessons.models.play import Round

LIKELIEST = 3  # of target and of draft, in a drawing


class Token(NamedTuple):
    """row: of the round's rows, the one that judges or gives it. kind: as in Chip."""

    number: int
    row: int
    kind: str


def tokens(played: Round, judged: int, *, ended: bool = False) -> list[Token]:
    """The round's tokens once `judged` drafts have met their coin; `ended`: and the last token is drawn.

    The token that replaces a draft stands right behind it.
    """
    found = [Token(token, row, _kind(played, row, judged, ended)) for row, token in enumerate(played.drafted.tolist())]
    if ended:
        bonus = played.kept == len(played.drafted)
        last = Token(played.emitted[-1], played.kept, "bonus" if bonus else "resampled")
        found.insert(played.kept + 1, last)
    return found


def _kind(played: Round, row: int, judged: int, ended: bool) -> str:
    if row < min(judged, played.kept):
        return "accepted"
    if row < judged:
        return "rejected" if row == played.kept else "unreached"
    return "unreached" if ended or judged > played.kept else "proposed"


class Chips:
    """The chips of one round. A token keeps its drawing from step to step, so each is drawn once."""

    def __init__(self, played: Round, words: Words) -> None:
        self._played, self._words = played, words
        self._drawn: dict[tuple[int, int], str] = {}

    def of(self, found: list[Token]) -> tuple[Chip, ...]:
        return tuple(self._chip(token) for token in found)

    def _chip(self, token: Token) -> Chip:
        character, word = ALPHABET[token.number], self._words(f"chip.{token.kind}")
        told = _told(self._played, token, self._words)
        said = named(token.number, self._words)
        return Chip(SIGNS.get(character, character), said, word, token.kind, told, self._drawing(token))

    def _drawing(self, token: Token) -> str:
        if token.kind in ("resampled", "bonus"):
            return probabilities(_places(self._played, token), token.number, self._words)
        key = token.row, token.number
        if key not in self._drawn:
            self._drawn[key] = probabilities(_places(self._played, token), token.number, self._words)
        return self._drawn[key]


def _told(played: Round, token: Token, words: Words) -> str:
    target = float(played.target_rows[token.row, token.number])
    slots = {"token": named(token.number, words), "target": number(target), "row": token.row + 1}
    if token.kind != "bonus":
        draft = float(played.draft_rows[token.row, token.number])
        slots |= {"draft": number(draft)}
    if token.kind in ("accepted", "rejected"):
        coin = float(played.coins[token.row])
        product, bar = _compared(coin * draft, target)
        slots |= {"coin": number(coin), "product": product, "target": bar}
    if token.kind == "resampled":
        slots |= {"share": number(_residual(played)[token.number])}
    return words(f"told.{token.kind}", **slots)


def _compared(product: float, target: float) -> tuple[str, str]:
    """Both short, but never as the same text, and no small number as 0."""
    short = number(product), number(target)
    return short if short[0] != short[1] else apart(product, target)


def _residual(played: Round) -> list[float]:
    """The law of the token that replaces the rejected draft."""
    row = played.kept
    rows = played.target_rows[row].tolist(), played.draft_rows[row].tolist()
    return list(correct(*rows, int(played.drafted[row]))[1])


def _places(played: Round, token: Token) -> list[Place]:
    """The likeliest characters at the token's place, the token itself among them, the target's favourite first."""
    target = played.target_rows[token.row].tolist()
    draft = [] if token.kind == "bonus" else played.draft_rows[token.row].tolist()
    residual = _residual(played) if token.kind == "resampled" else []
    wanted = {token.number, *(one for law in (target, draft) for one in _likeliest(law))}
    ordered = sorted(wanted, key=lambda one: (-target[one], -draft[one] if draft else 0.0, one))
    return [
        Place(one, target[one], draft[one] if draft else None, residual[one] if residual else None) for one in ordered
    ]


def _likeliest(law: list[float]) -> Iterator[int]:
    ordered = sorted(range(len(law)), key=lambda token: -law[token])
    return (token for token in ordered[:LIKELIEST] if law[token] > 0.0)
