"""One experiment with finite arithmetic, size by size: the number foretold, the number computed, and what it means."""
from __future__ import annotations

from pathlib import Path

from grader.language import Words
from lessons.figures.frame import Drawn, power_of_ten, sentences
from lessons.figures.numbers.picture import lines, scientific
from lessons.figures.numbers.state import PREFIX, State
from lessons.figures.stepper import Step, Stepper
from solutions.numerics.experiments import EXPERIMENTS, run
from solutions.numerics.finding import Finding

TEXTS = Path(__file__).parent / "texts"


def build(state: State, words: Words) -> Drawn:
    """The figure in `words`' language: a step for each size of the experiment."""
    experiment = EXPERIMENTS[state.experiment]
    found = [run(state.experiment, state.variant, size, state.seed) for size in experiment.sizes]
    labels = [size_label(state.experiment, size, words) for size in experiment.sizes]
    told = [_told(state, one, words) for one in found]
    alts = [words("told.at", size=label, told=sentence) for label, sentence in zip(labels, told, strict=True)]
    steps = tuple(
        Step(label, sentence, alt, ((lines(labels, found, at, experiment.wide, words),), ()))
        for at, (label, sentence, alt) in enumerate(zip(labels, told, alts, strict=True))
    )
    what = words(f"measured.{state.experiment}", variant=variant_label(state.variant, words))
    run_name = f"{PREFIX}.{state.experiment}.{state.variant}"
    return Drawn((Stepper(steps, run=run_name),), sentences(words.language, what, *alts), _table(state, words))


def size_label(experiment: str, size: str, words: Words) -> str:
    """The size as the reader sees it: V = 32,000, ε = 10⁻⁸, or a way of going on."""
    kind = {"closed": "coins", "zero": "fallback", "dropout": "rate"}.get(experiment)
    if kind == "fallback":
        return words(f"fallback.{size}")
    if kind is None:
        kind = "epsilon" if experiment.endswith("epsilon") else "noise" if experiment == "half" else "vocabulary"
    return words(f"size.{kind}", size=_shown(size))


def _shown(size: str) -> str:
    if size.startswith("1e-"):
        return power_of_ten(int(size[2:]))
    return f"{int(size):,}" if size.isdecimal() and size != "0" else size


def variant_label(variant: str, words: Words) -> str:
    return words("size.vocabulary", size=_shown(variant)) if variant.isdecimal() else words(f"variant.{variant}")


def _told(state: State, one: Finding, words: Words) -> str:
    slots = {
        "raised": one.raised,
        "computed": "" if one.computed is None else scientific(one.computed),
        "predicted": "" if one.predicted is None else scientific(one.predicted),
        "extra": "" if one.extra is None else scientific(one.extra), "share": _percent(one.extra),
        "percent": _percent(one.computed),
    }
    if one.computed is None:
        return words("told.raised", **slots)
    return words(f"told.{_sentence(state, one)}", **slots)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{float(f'{100 * share:.3g}'):.6f}".rstrip("0").rstrip(".") + "%"


def _sentence(state: State, one: Finding) -> str:
    """Which sentence fits: some variants of an experiment measure another thing, or have nothing foretold."""
    name = state.experiment
    if name == "closed":
        return "closed" if one.extra is not None else "strict"
    if name == "dropout":
        return f"dropout_{state.variant}"
    if name == "cumsum":
        return "cumsum" if one.predicted is not None else "cumsum_other"
    if name == "uniform":
        return "uniform" if one.predicted is not None else "uniform_few"
    if name == "stall":
        return "stall" if one.computed else "stall_none"
    if name == "choice":
        return "choice" if one.computed else "choice_none"
    return name


def _table(state: State, words: Words) -> list[dict[str, object]]:
    def cell(value: float | None) -> str | None:
        return None if value is None else scientific(value)

    rows = []
    for size in EXPERIMENTS[state.experiment].sizes:
        one = run(state.experiment, state.variant, size, state.seed)
        row: dict[str, object] = {
            words("table.size"): size_label(state.experiment, size, words),
            words("table.predicted"): cell(one.predicted),
            words("table.computed"): cell(one.computed),
        }
        if one.extra is not None or state.experiment in ("closed", "half"):
            row[words(f"extra.{state.experiment}")] = cell(one.extra)
        row[words("table.raised")] = one.raised or None
        rows.append(row)
    return rows
