"""Real rounds on real text, token by token; and over a long text, how often each place of a round is accepted."""
from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

from grader.language import Words
from grader.language import words as language_file
from lessons.figures.frame import Drawn, number, sentences
from lessons.figures.real_text.charts import by_place
from lessons.figures.real_text.picture import text_so_far
from lessons.figures.real_text.state import PROMPTS, State, rounds
from lessons.figures.real_text.tokens import chips, named, tokens
from lessons.figures.stepper import Step, Stepper
from lessons.models.alphabet import decode
from lessons.models.play import Round
from lessons.models.traces import Measured, measured

TEXTS = Path(__file__).parent / "texts"


def build(state: State, words: Words) -> Drawn:
    """The figure in `words`' language: the rounds in steps, then acceptance by place."""
    return _build(state, words.language)


@functools.lru_cache(maxsize=64)
def _build(state: State, language: str) -> Drawn:
    words = language_file(TEXTS, language)
    steps, leaps = _steps(state, words)
    found = measured(state.order, state.temperature, state.drafts)
    stepper = Stepper(steps, run="&".join(state.to_query().values()), leaps=leaps)
    return Drawn((stepper, by_place(found, words)), _told_measured(state, found, words), _table(found, words))


def _steps(state: State, words: Words) -> tuple[tuple[Step, ...], tuple[int, ...]]:
    """All steps, and at which of them a round begins."""
    steps: list[Step] = []
    leaps: list[int] = []
    played = rounds(state)
    for index, one in enumerate(played):
        leaps.append(len(steps))
        emitted = [earlier.emitted for earlier in played[:index]]
        steps += _round(state, index + 1, one, emitted, words)
    return tuple(steps), tuple(leaps)


def _round(
    state: State, place: int, played: Round, emitted: list[tuple[int, ...]], words: Words
) -> Iterator[Step]:
    prompt = PROMPTS[state.prompt]
    slots = _slots(state, place, played, words)
    before = text_so_far(prompt, emitted, words)
    read = words("drawing.read", text=prompt + "".join(map(decode, map(list, emitted))))
    opening = words("step.draft.sentence", **slots)
    if state.temperature == 0.0:
        opening = sentences(words.language, opening, words("step.draft.greedy"))
    alt = sentences(words.language, opening, read)
    title = words("step.draft.title", **slots)
    yield Step(title, opening, alt, ((before,),), chips(played, tokens(played, 0), words))
    for row in range(min(played.kept + 1, state.drafts)):
        kind = "accepted" if row < played.kept else "rejected"
        told = words(f"step.{kind}.sentence", token=named(int(played.drafted[row]), words))
        title = words("step.judged.title", **(slots | {"draft": row + 1}))
        shown = chips(played, tokens(played, row + 1), words)
        yield Step(title, told, sentences(words.language, told, read), ((before,),), shown, chosen=row)
    bonus = played.kept == state.drafts
    told = words(f"step.{'bonus' if bonus else 'resampled'}.sentence", **slots)
    after = text_so_far(prompt, [*emitted, played.emitted], words)
    read = words("drawing.read", text=prompt + "".join(map(decode, map(list, [*emitted, played.emitted]))))
    found = tokens(played, state.drafts, ended=True)
    last = played.kept if bonus else played.kept + 1
    title = words("step.drawn.title", **slots)
    yield Step(title, told, sentences(words.language, told, read), ((after,),), chips(played, found, words), last)


def _slots(state: State, place: int, played: Round, words: Words) -> dict[str, object]:
    return {
        "round": place, "order": state.order, "drafts": state.drafts, "rows": state.drafts + 1,
        "drafted": words("character.text", text=decode(played.drafted).replace("\n", "⏎")),
        "token": named(played.emitted[-1], words), "row": played.kept + 1, "kept": played.kept,
        "emitted": words("count.one" if len(played.emitted) == 1 else "count.many", count=len(played.emitted)),
    }


def _told_measured(state: State, found: Measured, words: Words) -> str:
    slots = {
        "order": state.order, "temperature": f"{state.temperature:g}", "drafts": state.drafts,
        "tokens": f"{found.tokens_per_pass:.2f}", "formula": f"{found.formula:.2f}", "alpha": number(found.alpha),
        "gap": f"{abs(found.gap):.1%}", "rounds": f"{round(found.rounds, -2):,.0f}",
        "first": number(found.accepted[0]), "last": number(found.accepted[-1]),
    }
    verdict = "same" if abs(found.gap) < 0.0005 else "above" if found.gap > 0.0 else "below"
    parts = [words("told.measured", **slots), words(f"told.{verdict}", **slots)]
    if state.drafts > 1:
        parts.insert(1, words("told.places", **slots))
    return sentences(words.language, *parts)


def _table(found: Measured, words: Words) -> list[dict[str, object]]:
    return [
        {
            words("table.place"): place,
            words("table.reached"): reached,
            words("table.reached_formula"): found.alpha ** (place - 1),
            words("table.accepted"): accepted,
            words("table.alpha"): found.alpha,
        }
        for place, (reached, accepted) in enumerate(zip(found.reached, found.accepted, strict=True), start=1)
    ]
