"""The steps of each round: the drafts and the pass, a coin for every draft that is reached, the target's own token."""
from __future__ import annotations

from grader.language import Words
from lessons.figures.frame import sentences
from lessons.figures.real_text.picture import named, text_so_far
from lessons.figures.real_text.state import PROMPTS, State, rounds
from lessons.figures.real_text.tokens import Chips, tokens
from lessons.figures.stepper import Step
from lessons.models.alphabet import decode
from lessons.models.play import Round

Emitted = list[tuple[int, ...]]


def steps(state: State, words: Words) -> tuple[tuple[Step, ...], tuple[int, ...]]:
    """All steps, and at which of them a round begins."""
    made: list[Step] = []
    begins: list[int] = []
    played = rounds(state)
    for index, one in enumerate(played):
        begins.append(len(made))
        made += _RoundSteps(state, index + 1, one, [earlier.emitted for earlier in played[:index]], words).all()
    return tuple(made), tuple(begins)


class _RoundSteps:
    """emitted: by the rounds before this one, which is number `place`, from 1."""

    def __init__(self, state: State, place: int, played: Round, emitted: Emitted, words: Words) -> None:
        self._state, self._played, self._emitted, self._words = state, played, emitted, words
        self._chips = Chips(played, words)
        self._drawing = text_so_far(PROMPTS[state.prompt], emitted, words)  # until the round has emitted its own
        self._slots: dict[str, object] = {
            "round": place, "drafts": state.drafts, "rows": state.drafts + 1,
            "drafted": words("character.text", text=decode(played.drafted).replace("\n", "⏎")),
            "token": named(played.emitted[-1], words),
            "emitted": words("count.one" if len(played.emitted) == 1 else "count.many", count=len(played.emitted)),
        }

    def all(self) -> list[Step]:
        reached = min(self._played.kept + 1, self._state.drafts)
        return [self._drafted(), *map(self._judged, range(reached)), self._drawn()]

    def _drafted(self) -> Step:
        told = self._words("step.draft.sentence", **self._slots)
        if self._state.temperature == 0.0:
            told = sentences(self._words.language, told, self._words("step.draft.greedy"))
        title = self._words("step.draft.title", **self._slots)
        chips = self._chips.of(tokens(self._played, 0))
        return Step(title, told, self._read_out(told, self._emitted), ((self._drawing,),), chips=chips)

    def _judged(self, row: int) -> Step:
        kind = "accepted" if row < self._played.kept else "rejected"
        told = self._words(f"step.{kind}.sentence", token=named(int(self._played.drafted[row]), self._words))
        title = self._words("step.judged.title", **(self._slots | {"draft": row + 1}))
        chips = self._chips.of(tokens(self._played, row + 1))
        return Step(title, told, self._read_out(told, self._emitted), ((self._drawing,),), chips=chips, chosen=row)

    def _drawn(self) -> Step:
        bonus = self._played.kept == self._state.drafts
        told = self._words(f"step.{'bonus' if bonus else 'resampled'}.sentence", **self._slots)
        title = self._words("step.drawn.title", **self._slots)
        emitted = [*self._emitted, self._played.emitted]
        drawing = text_so_far(PROMPTS[self._state.prompt], emitted, self._words)
        chips = self._chips.of(tokens(self._played, self._state.drafts, ended=True))
        chosen = self._played.kept if bonus else self._played.kept + 1  # behind the draft that it replaces
        return Step(title, told, self._read_out(told, emitted), ((drawing,),), chips=chips, chosen=chosen)

    def _read_out(self, told: str, emitted: Emitted) -> str:
        text = PROMPTS[self._state.prompt] + "".join(decode(list(one)) for one in emitted)
        return sentences(self._words.language, told, self._words("drawing.read", text=text))
