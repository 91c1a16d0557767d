"""The drawings of a round, as SVG. Positions only; every number comes from play.py."""
from __future__ import annotations

from pathlib import Path

from grader.language import Words
from grader.language import words as language_file
from lessons.figures.accept_dart import build as one_dart
from lessons.figures.accept_dart import picture as dart
from lessons.figures.frame import number, text_so_far, token_name
from lessons.figures.round_stepper.play import Place, Played
from lessons.figures.stepper import rendered
from solutions.law import one_step_law
from solutions.rejection_rule.solution import rejection_rule
from solutions.trees import Tokens


def chips(played: Played, judged: int, words: Words, *, drawn: bool = False, cut: bool = False) -> str:
    """Every draft token and what has become of it, and below them the bonus row.

    judged: how many coins have been thrown. drawn: whether the last token is there. cut: whether the rest is gone.
    """
    kinds = [_kind(played, place, judged, cut) for place in range(len(played.places))]
    bonus = ("rejected" if played.rejected else "bonus") if drawn else "open"
    return _render("chips", words, played=played, kinds=kinds, bonus=bonus, drawn=drawn, cut=cut)


def _kind(played: Played, place: int, judged: int, cut: bool) -> str:
    if place < min(judged, played.kept):
        return "accepted"
    if place == played.kept and judged > place:
        return "rejected"
    return "unreached" if cut else "drafted"


def rows(played: Played, words: Words) -> str:
    """The K + 1 rows of the pass: what each was computed after, and what it's for."""
    return _render("rows", words, played=played)


def coin(place: Place, words: Words) -> tuple[str, ...]:
    """Both rows at this place, and the coin on its line: the drawings of the single step."""
    shown, texts = _single(place), language_file(one_dart.TEXTS, words.language)
    return dart.columns(shown, 1, texts)[0] + (dart.line(shown, texts, dart=True),)


def last_draw(played: Played, words: Words) -> str:
    """The law of the last token, the residual of the rejected place or the bonus row, and the final draw from it."""
    kind = "residual" if played.rejected else "bonus"
    return dart.draw(
        "draw", played.places[played.kept].residual if played.rejected else played.bonus, words,
        title=words(f"drawing.draw_{kind}"), residual=played.rejected,
        uniform=played.final_draw, thrown=words("drawing.final", u=number(played.final_draw)),
        verdict=words(f"drawing.drawn_{kind}", token=token_name(played.emitted[-1], words.language)),
    )


def dropped(played: Played, words: Words) -> str:
    """What the tokens behind the rejection were judged after, and the text that there is now."""
    return _render("dropped", words, played=played)


def _single(place: Place) -> dart.Picture:
    """The place as the single step that the page on the rejection rule draws."""
    shared = one_step_law(place.rows.target, place.rows.draft, rejection_rule).accepted
    return dart.Picture(
        place.rows, shared, place.token, place.accept, place.coin, place.passes, place.residual, 0.0, place.token
    )


def _render(template: str, words: Words, **values: object) -> str:
    def so_far(tokens: Tokens) -> str:
        return text_so_far(tokens, words.language)

    return rendered(Path(__file__).parent, template, words, **values, **dart.scales(words), so_far=so_far)
