"""The drawings of the flat layout, as SVG. Positions only; every number comes from layout.py."""
from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grader.language import Words
from lessons.figures.ragged_layout.layout import Result, Row, layout, starts
from lessons.figures.stepper import rendered

HERE = Path(__file__).parent


class Cell(NamedTuple):
    """One cell of a result: what came out, and what is due there."""

    found: int
    due: int

    @property
    def wrong(self) -> bool:
        return self.found != self.due


def draft_rows(lengths: tuple[int, ...], words: Words) -> str:
    """The draft rows, one below the other."""
    rows = [row for row in layout(lengths) if row.draft is not None]
    return rendered(HERE, "drafts", words, rows=rows)


def target_rows(lengths: tuple[int, ...], words: Words, due: Result | None = None) -> str:
    """The target rows and what each is for; with `due`, the right result, also what became of it."""
    rows = [(row, _fate(row, lengths, due) if due else "") for row in layout(lengths)]
    return rendered(HERE, "rows", words, rows=rows)


def _fate(row: Row, lengths: tuple[int, ...], due: Result) -> str:
    kept = due.counts[row.request] - 1
    if row.draft is None:
        return "bonus" if kept == lengths[row.request] else "unused"
    return "accepted" if row.place < kept else "rejected" if row.place == kept else "unreached"


def offsets(lengths: tuple[int, ...], words: Words, *, targets: bool) -> str:
    """Where the rows of each request begin; the target rows too, or the draft rows alone."""
    drafts, target = starts(lengths)
    rows = list(zip(lengths, drafts, target, strict=False))
    return rendered(HERE, "offsets", words, rows=rows, ends=(drafts[-1], target[-1]), targets=targets)


def tokens(found: Result, due: Result, words: Words, *, named: bool) -> str:
    """The matrix of tokens and the counts; what differs from `due` is marked, with what should be there."""
    cells = [
        [Cell(*pair) for pair in zip(row, wanted, strict=True)]
        for row, wanted in zip(found.tokens, due.tokens, strict=True)
    ]
    counts = [Cell(*pair) for pair in zip(found.counts, due.counts, strict=True)]
    wrong = any(cell.wrong for row in (*cells, counts) for cell in row)
    return rendered(HERE, "tokens", words, rows=list(zip(cells, counts, strict=True)), wrong=wrong, named=named)
