"""A ragged batch step by step: draft rows, target rows, what comes out, and what comes out where a row is mixed up."""
from __future__ import annotations

from pathlib import Path

from grader.language import Words
from lessons.figures.frame import Drawn, sentences
from lessons.figures.known_rules import mistake
from lessons.figures.ragged_layout import picture
from lessons.figures.ragged_layout.layout import EXERCISE, PREFIX, State, layout, starts
from lessons.figures.ragged_layout.reading import MISTAKES, ROW_MIX_UPS, Result, result, right
from lessons.figures.stepper import Step, Stepper

TEXTS = Path(__file__).parent / "texts"


def build(state: State, words: Words) -> Drawn:
    """The figure in `words`' language."""
    due = right(state)
    rows = picture.target_rows(state.lengths, words, due)
    steps = [_drafts(state, words), _targets(state, words), _result(state, due, rows, words)]
    steps += [_mistake(state, name, due, rows, words) for name in MISTAKES]
    whole = sentences(words.language, *(step.sentence for step in steps))
    # One run for all: who looks at a step and chooses other lengths goes on looking at that step.
    return Drawn((Stepper(tuple(steps), PREFIX),), whole, _table(state, due, words))


def _drafts(state: State, words: Words) -> Step:
    drafts, _ = starts(state.lengths)
    sentence = words(
        "step.drafts.sentence", lengths=_listed(state.lengths), rows=drafts[-1], starts=_listed(drafts[:-1])
    )
    left = picture.draft_rows(state.lengths, words)
    return _step("drafts", sentence, left, picture.offsets(state.lengths, words, targets=False), words)


def _targets(state: State, words: Words) -> Step:
    drafts, targets = starts(state.lengths)
    sentence = words(
        "step.targets.sentence", drafts=drafts[-1], requests=len(state.lengths), rows=targets[-1],
        starts=_listed(targets[:-1]), offsets=_listed(targets),
    )
    left = picture.target_rows(state.lengths, words)
    return _step("targets", sentence, left, picture.offsets(state.lengths, words, targets=True), words)


def _result(state: State, due: Result, rows: str, words: Words) -> Step:
    sentence = words(
        "step.result.sentence", width=max(state.lengths) + 1, requests=len(state.lengths), counts=_listed(due.counts)
    )
    sentence = sentences(words.language, sentence, words(f"step.result.{state.rows}"))
    return _step("result", sentence, rows, _tokens(state, due, due, words), words)


def _mistake(state: State, name: str, due: Result, rows: str, words: Words) -> Step:
    found = result(state, name)
    wrong = _wrong_cells(found, due)
    verdict = (
        words("verdict.wrong", cells=wrong) if wrong
        else words(f"verdict.unseen_{'equal' if state.rows == 'equal' and name in ROW_MIX_UPS else 'here'}")
    )
    sentence = sentences(words.language, words(f"mistake.{name}"), verdict)
    title = words("step.mistake.title", name=mistake(EXERCISE, name).name.within(words.language))
    return Step(title, sentence, sentence, ((rows,), (_tokens(state, found, due, words),)))


def _wrong_cells(found: Result, due: Result) -> int:
    pairs = [*zip(found.tokens, due.tokens, strict=True), (found.counts, due.counts)]
    return sum(one != other for row, wanted in pairs for one, other in zip(row, wanted, strict=True))


def _tokens(state: State, found: Result, due: Result, words: Words) -> str:
    return picture.tokens(found, due, words, named=state.rows == "named")


def _step(name: str, sentence: str, left: str, right_side: str, words: Words) -> Step:
    return Step(words(f"step.{name}.title"), sentence, sentence, ((left,), (right_side,)))


def _listed(numbers: tuple[int, ...] | list[int]) -> str:
    return ", ".join(map(str, numbers))


def _table(state: State, due: Result, words: Words) -> list[dict[str, object]]:
    """A line for each target row."""
    rows = layout(state.lengths)
    return [
        {
            words("table.row"): str(at),
            words("table.request"): str(row.request),
            words("table.draft"): words("table.bonus") if row.draft is None else str(row.draft),
            words("table.emitted"): _emitted(row.place, due.tokens[row.request], due.counts[row.request]),
        }
        for at, row in enumerate(rows)
    ]


def _emitted(place: int, tokens: tuple[int, ...], count: int) -> str | None:
    return str(tokens[place]) if place < count else None
