"""The formula with one acceptance rate against rounds that have more than one."""
from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grader.language import Words
from lessons.figures.assumptions.charts import depths, lengths
from lessons.figures.assumptions.stories import State, survived, told_rate
from lessons.figures.frame import Drawn, sentences
from lessons.models.traces import MAX_DRAFTS
from solutions.acceptance import accepted_of_judged, mean_tokens, rates_by_depth
from solutions.expected_tokens.solution import expected_tokens

TEXTS = Path(__file__).parent / "texts"
SAME = 0.005  # tokens closer than this read as the same


class Line(NamedTuple):
    """K draft tokens: mean tokens a round, and what the formula says: with the told rate, with accepted over judged."""

    drafts: int
    tokens: float
    formula: float
    of_judged: float
    with_judged: float


def line(state: State, drafts: int) -> Line:
    seen = survived(state, drafts)
    of_judged = accepted_of_judged(seen)
    told = expected_tokens(told_rate(state), drafts)
    return Line(drafts, mean_tokens(seen), told, of_judged, expected_tokens(of_judged, drafts))


def build(state: State, words: Words) -> Drawn:
    lines = [line(state, drafts) for drafts in range(1, MAX_DRAFTS + 1)]
    rates = rates_by_depth(survived(state, MAX_DRAFTS))
    plots = lengths(lines, state.drafts, words), depths(rates, told_rate(state), words)
    return Drawn(plots, _told(state, lines[state.drafts - 1], words), [_row(one, words) for one in lines])


def _told(state: State, here: Line, words: Words) -> str:
    apart = here.formula - here.tokens
    verdict = "same" if abs(apart) < SAME else "high" if apart > 0.0 else "low"
    slots = {
        "drafts": here.drafts, "tokens": f"{here.tokens:.2f}", "formula": f"{here.formula:.2f}",
        "alpha": f"{told_rate(state):.2f}", "percent": f"{100 * abs(apart) / here.tokens:.1f}",
        "judged": f"{here.of_judged:.2f}", "with_judged": f"{here.with_judged:.2f}",
    }
    parts = (words(f"told.{key}", **slots) for key in (state.story, verdict, "judged"))
    return sentences(words.language, *parts)


def _row(one: Line, words: Words) -> dict[str, object]:
    return {
        words("table.drafts"): one.drafts,
        words("table.tokens"): one.tokens,
        words("table.formula"): one.formula,
        words("table.judged"): one.of_judged,
        words("table.with_judged"): one.with_judged,
    }
