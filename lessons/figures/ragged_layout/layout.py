"""A ragged batch laid out flat, and what verification of it gives: the right one, and known mistakes with rows."""
from __future__ import annotations

import functools
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass

from lessons.figures.distributions import Problem
from lessons.figures.known_rules import CORRECT, function
from lessons.figures.query import Query, within
from solutions.batch_cases import Round, batch_of, rows_that_name_themselves

PREFIX = "ragged"
EXERCISE = "verify_batch"
MAX_REQUESTS, MAX_DRAFTS = 4, 3
ROWS = ("named", "equal")
MISTAKES = (  # of the exercise
    "draft_stride",
    "bonus_rows_forgotten",
    "next_row_judges",
    "last_row_of_the_batch",
    "padded_with_zero",
)
ROW_MIX_UPS = MISTAKES[:-1]  # these read a wrong row
TARGET, DRAFT = (0.5, 0.25, 0.25), (0.25, 0.25, 0.5)  # where all rows are equal


@dataclass(frozen=True)
class State:
    """lengths: the draft tokens of each request. rows: one of ROWS. seed: of what is rejected."""

    lengths: tuple[int, ...] = (3, 0, 1)
    rows: str = "named"
    seed: int = 1

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(
            link.read("lengths", _lengths, cls.lengths),
            link.one_of("rows", ROWS, cls.rows),
            link.seed(cls.seed),
        ), link.problems

    def to_query(self) -> dict[str, str]:
        return {"lengths": ",".join(map(str, self.lengths)), "rows": self.rows, "seed": str(self.seed)}


def _lengths(text: str) -> tuple[int, ...]:
    parts = [part for part in re.split(r"[\s,]+", text[:40]) if part]
    within(len(parts), 1, MAX_REQUESTS)
    return tuple(within(int(part), 0, MAX_DRAFTS) for part in parts)


@dataclass(frozen=True)
class Row:
    """One target row of the flat layout: its request, its place there, and the draft row that it judges, or None."""

    request: int
    place: int
    draft: int | None


def layout(lengths: tuple[int, ...]) -> list[Row]:
    """Every target row, request after request, the bonus row last."""
    rows: list[Row] = []
    drafts = 0
    for request, length in enumerate(lengths):
        rows += [Row(request, place, drafts + place) for place in range(length)]
        rows.append(Row(request, length, None))
        drafts += length
    return rows


def starts(lengths: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Of each request the first draft row and the first target row, and at the end how many there are of both."""
    rows = layout(lengths)
    first = [at for at, row in enumerate(rows) if row.place == 0]
    drafts = [sum(row.draft is not None for row in rows[:at]) for at in (*first, len(rows))]
    return drafts, [*first, len(rows)]


@dataclass(frozen=True)
class Result:
    """tokens: (B, max K_b + 1), counts: (B,), as the function returned them; or error, the class of what it raised."""

    tokens: tuple[tuple[int, ...], ...] = ()
    counts: tuple[int, ...] = ()
    error: str = ""


@functools.lru_cache(maxsize=2048)
def result(state: State, rule: str) -> Result:
    """What the function gives for this batch. The first call in a process imports PyTorch, which takes a second."""
    import torch

    torch.set_num_threads(1)  # a dozen numbers: a second thread is only waited for, where its core is busy
    batch = batch_of(batch_rounds(state))
    try:
        tokens, counts = function(EXERCISE, rule)(*batch)
    except (IndexError, RuntimeError, ValueError) as error:  # a wrong row may be one that isn't there
        return Result(error=type(error).__name__)
    return Result(tuple(map(tuple, tokens.tolist())), tuple(counts.tolist()))


def right(state: State) -> Result:
    return result(state, CORRECT)


def batch_rounds(state: State) -> list[Round]:
    """The requests, each with draft tokens, rows and uniforms of its own."""
    rng = random.Random(state.seed)
    if state.rows == "named":
        return rows_that_name_themselves(state.lengths, [rng.randint(0, length) for length in state.lengths])
    return [round_of_equal_rows(rng, length) for length in state.lengths]


def round_of_equal_rows(rng: random.Random, length: int) -> Round:
    tokens = rng.choices(range(len(DRAFT)), DRAFT, k=length)
    coins = [rng.random() for _ in range(length)]
    return Round(tokens, [TARGET] * (length + 1), [DRAFT] * length, coins, rng.random())
