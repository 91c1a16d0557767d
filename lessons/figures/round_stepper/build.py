"""A round of K drafts, step by step: coins, the first rejection, the draw from the residual, the cut, the bonus."""
from __future__ import annotations

from pathlib import Path

from grader.language import Words
from lessons.figures.frame import Drawn, apart, number, numbers, sentences, text_so_far, token_label, token_name
from lessons.figures.round_stepper import picture
from lessons.figures.round_stepper.play import Place, Played, State, play
from lessons.figures.stepper import Step, Stepper

TEXTS = Path(__file__).parent / "texts"


def build(state: State, words: Words) -> Drawn:
    """The figure in `words`' language."""
    played = play(state)
    steps = [_draft(played, words)]
    steps += [_coin(played, at, words) for at in range(min(played.kept + 1, len(played.places)))]
    steps += [_replacement(played, words), _cut(played, words)] if played.rejected else [_bonus(played, words)]
    whole = sentences(words.language, *(step.sentence for step in steps))
    run = "&".join(state.to_query().values())
    return Drawn((Stepper(tuple(steps), run),), whole, _table(played, words))


def _draft(played: Played, words: Words) -> Step:
    sentence = words(
        "step.draft.sentence", text=text_so_far(played.drafted, words.language), rows=len(played.places) + 1
    )
    return _step("draft", sentence, ((picture.chips(played, 0, words),), (picture.rows(played, words),)), words)


def _coin(played: Played, at: int, words: Words) -> Step:
    place = played.places[at]
    target, draft = place.rows.target[place.token], place.rows.draft[place.token]
    below, bar = apart(place.coin * draft, target)
    sentence = words(
        f"step.coin.{'stays' if place.passes else 'goes'}",
        before=text_so_far(place.before, words.language), token=token_name(place.token, words.language),
        draft=number(draft), target=number(target), coin=number(place.coin), product=below, bar=bar,
    )
    drawn = ((picture.chips(played, at + 1, words),), picture.coin(place, words))
    return _step("coin", sentence, drawn, words, place=at + 1)


def _replacement(played: Played, words: Words) -> Step:
    place, emitted = played.places[played.kept], played.emitted[-1]
    sentence = words(
        "step.replacement.sentence",
        place=played.kept + 1, before=text_so_far(place.before, words.language), residual=numbers(place.residual),
        draw=number(played.final_draw), token=token_name(emitted, words.language),
    )
    left = picture.chips(played, len(played.places), words, drawn=True)
    return _step("replacement", sentence, ((left,), (picture.last_draw(played, words),)), words)


def _cut(played: Played, words: Words) -> Step:
    """Also where nothing stands behind the rejected token: then the round ends there anyway."""
    gone = played.places[played.kept + 1 :]
    passing = sum(place.passes for place in gone)
    ending = "nothing" if not gone else "some" if passing else "none"
    sentence = sentences(
        words.language,
        words(
            f"step.cut.{ending}", gone=len(gone), passing=passing,
            before=text_so_far(played.drafted[: played.kept + 1], words.language),
            now=text_so_far(played.emitted, words.language),
        ),
        _result(played, words),
    )
    left = picture.chips(played, len(played.places), words, drawn=True, cut=True)
    return _step("cut", sentence, ((left,), (picture.dropped(played, words),) if gone else ()), words)


def _bonus(played: Played, words: Words) -> Step:
    sentence = sentences(
        words.language,
        words(
            "step.bonus.sentence", row=len(played.places) + 1,
            before=text_so_far(played.drafted, words.language), law=numbers(played.bonus),
            draw=number(played.final_draw), token=token_name(played.emitted[-1], words.language),
        ),
        _result(played, words),
    )
    left = picture.chips(played, len(played.places), words, drawn=True)
    return _step("bonus", sentence, ((left,), (picture.last_draw(played, words),)), words)


def _result(played: Played, words: Words) -> str:
    text = text_so_far(played.emitted, words.language)
    return words("result", drafts=len(played.places), kept=played.kept, emitted=len(played.emitted), text=text)


def _step(name: str, sentence: str, drawn: tuple[tuple[str, ...], ...], words: Words, **slots: object) -> Step:
    return Step(words(f"step.{name}.title", **slots), sentence, sentence, drawn)


def _table(played: Played, words: Words) -> list[dict[str, object]]:
    """A row for each draft token, and one for the token that is drawn."""
    last = words(f"table.{'replacement' if played.rejected else 'bonus'}")
    drawn = (last, None, token_label(played.emitted[-1], words.language), None, None, None, played.final_draw)
    rows = [_row(played, at, place, words) for at, place in enumerate(played.places)]
    rows.append((*drawn, words("verdict.drawn")))
    headings = ("place", "before", "token", "draft", "target", "accept", "uniform", "verdict")
    return [dict(zip((words(f"table.{heading}") for heading in headings), row, strict=True)) for row in rows]


def _row(played: Played, at: int, place: Place, words: Words) -> tuple[object, ...]:
    verdict = "accepted" if at < played.kept else "rejected" if at == played.kept else "unreached"
    before, token = text_so_far(place.before, words.language), token_label(place.token, words.language)
    draft, target = place.rows.draft[place.token], place.rows.target[place.token]
    return str(at + 1), before, token, draft, target, place.accept, place.coin, words(f"verdict.{verdict}")
