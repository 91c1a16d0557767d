"""Sampling parameters: both laws stage by stage, what verification is handed, and what comes out of it."""
from __future__ import annotations

from pathlib import Path

from grader.language import Words
from lessons.figures.frame import Drawn, number, numbers, sentences, token_label
from lessons.figures.sampling_parameters.laws import Round, Stage, judged, removed, stages
from lessons.figures.sampling_parameters.picture import comes_out, handed, processing
from lessons.figures.sampling_parameters.state import PREFIX, SIDES, State
from lessons.figures.stepper import Step, Stepper
from solutions.law import one_step_law, total_variation
from solutions.mismatches import match_or_own

TEXTS = Path(__file__).parent / "texts"
EXACT = 1e-9  # rounding; a real difference is far above it


def build(state: State, words: Words) -> Drawn:
    """The figure in `words`' language: the processing of both sides, the rows as handed on, the law that comes out."""
    found = {side: stages(state.context, side, getattr(state, side)) for side in SIDES}
    round_ = judged(state)
    told = {
        "laws": _told_laws(found, words),
        "handed": _told_handed(state, round_, words),
        "output": _told_output(state, round_, words),
    }
    tables = ((processing("target", found["target"], words),), (processing("draft", found["draft"], words),))
    out = comes_out(round_, words, judged=state.way != "padding_residual")
    rows = handed(round_, words)
    drawn = {"laws": tables, "handed": ((rows,), ()), "output": ((out,), (rows,))}
    steps = tuple(Step(words(f"step.{name}"), told[name], told[name], drawn[name]) for name in drawn)
    # One run for all: who looks at the last step stays there, and sees what another slider does to it.
    return Drawn((Stepper(steps, run=PREFIX),), sentences(words.language, *told.values()), _table(found, round_, words))


def _told_laws(found: dict[str, tuple[Stage, ...]], words: Words) -> str:
    return sentences(words.language, *(
        words(f"told.{side}", stages=_listed(found[side][1:], words), law=numbers(found[side][-1].law))
        for side in SIDES
    ))


def _listed(on: tuple[Stage, ...], words: Words) -> str:
    """The stages that are on, in their order."""
    names = [words(f"stage.{stage.name}", value=_value(stage)) for stage in on]
    return words("stage.then").join(names) if names else words("stage.none")


def _value(stage: Stage) -> str:
    return "" if stage.name == "allowed_tokens" else f"{stage.value:g}"


def _told_handed(state: State, round_: Round, words: Words) -> str:
    slots = {
        "target": numbers(round_.target), "draft": numbers(round_.draft), "rate": number(round_.rate),
        "agree": number(sum(one_step_law(round_.target, round_.drawn, match_or_own).accepted)),
    }
    if state.way == "padding_residual":
        return words("told.nothing_drawn", **slots)
    return sentences(words.language, words("told.handed", **slots), words(f"told.{_way(state, round_)}", **slots))


def _way(state: State, round_: Round) -> str:
    """A raw row is only wrong where it isn't the processed one anyway."""
    if state.way == "scored_raw" and total_variation(round_.draft, round_.drawn) <= EXACT:
        return "same_draft"
    if state.way == "request_forgotten" and total_variation(round_.target, round_.wanted) <= EXACT:
        return "same_target"
    return f"way_{state.way}"


def _told_output(state: State, round_: Round, words: Words) -> str:
    slots = {"law": numbers(round_.ledger.law), "wanted": numbers(round_.wanted), "distance": number(round_.distance)}
    if round_.distance > EXACT:
        return words("told.off", **slots)
    if state.way == "right":
        return words("told.exact", **slots)
    nothing = state.way == "removed_target" and not removed(state)
    return words("told.nothing_removed" if nothing else "told.harmless", **slots)


def _table(found: dict[str, tuple[Stage, ...]], round_: Round, words: Words) -> list[dict[str, object]]:
    return [
        {
            words("table.token"): token_label(token, words.language),
            words("table.raw_target"): found["target"][0].law[token],
            words("table.wanted"): round_.wanted[token],
            words("table.raw_draft"): found["draft"][0].law[token],
            words("table.drawn"): round_.drawn[token],
            words("table.accepted"): round_.ledger.accepted[token],
            words("table.resampled"): round_.ledger.resampled[token],
            words("table.out"): round_.ledger.law[token],
        }
        for token in range(len(round_.wanted))
    ]
