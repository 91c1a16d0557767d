"""Which flat rows each request reads, by the exercise's solution and by its known mistakes, and what comes of it.

The mistakes differ from the right verification in nothing else (a test runs the exercise's own code beside this), so
no tensors are needed here: importing PyTorch in the course's server would stop every reader for a second.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lessons.figures.known_rules import CORRECT
from lessons.figures.ragged_layout.layout import State, batch_rounds, starts
from solutions.batch.batch import Batch
from solutions.batch.block_sums import WHOLE
from solutions.batch.two_level import draw_one
from solutions.batch_cases import PADDING, Round, arrays_of
from solutions.speculative_step.solution import speculative_step


class Reads(NamedTuple):
    """What one request of K draft tokens reads, as places in the flat layout.

    drafts: (K,) of its draft tokens, of their draft rows and of their coins. judges: (K,) the target rows that judge
    them. draws: (K + 1,) the target row that its last token is drawn from, after 0 to K tokens that stay.
    """

    drafts: range
    judges: Sequence[int]
    draws: Sequence[int]


def _bonus_rows_forgotten(right: Reads, _: int) -> Reads:
    rows = range(right.drafts.start, right.drafts.stop + 1)
    return right._replace(judges=rows[:-1], draws=rows)


MIX_UPS: dict[str, Callable[[Reads, int], Reads]] = {  # the exercise's mistake: (right reads, last row) -> its reads
    "draft_stride": lambda right, _: right._replace(judges=right.drafts),
    "bonus_rows_forgotten": _bonus_rows_forgotten,
    "next_row_judges": lambda right, _: right._replace(judges=right.draws[1:]),
    "last_row_of_the_batch": lambda right, last: right._replace(draws=[*right.draws[:-1], last]),
}
FILLED_WITH = {"padded_with_zero": 0}  # mistakes that read the right rows
ROW_MIX_UPS = tuple(MIX_UPS)
MISTAKES = (*ROW_MIX_UPS, *FILLED_WITH)


def reads(lengths: Sequence[int], rule: str) -> list[Reads]:
    """What each request reads under the right rule, CORRECT, or one of MISTAKES."""
    drafts, targets = starts(tuple(lengths))
    every: list[Reads] = []
    for length, draft, target in zip(lengths, drafts, targets, strict=False):  # both end with how many there are
        rows = range(target, target + length + 1)
        right = Reads(range(draft, draft + length), rows[:-1], rows)
        every.append(MIX_UPS[rule](right, targets[-1] - 1) if rule in MIX_UPS else right)
    return every


@dataclass(frozen=True)
class Result:
    """tokens: (B, max K_b + 1), filled up behind what each request emits; counts: (B,), how many it emits."""

    tokens: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]


@functools.lru_cache(maxsize=2048)
def result(state: State, rule: str) -> Result:
    """What CORRECT or one of MISTAKES gives for this batch."""
    return verified(batch_rounds(state), rule)


def right(state: State) -> Result:
    return result(state, CORRECT)


def verified(rounds: Sequence[Round], rule: str) -> Result:
    """The rounds as one batch, each request judged by the rows that it reads under `rule`."""
    batch, lengths = arrays_of(rounds), [len(one.tokens) for one in rounds]
    emitted = [_emitted(batch, *each) for each in zip(reads(lengths, rule), batch.final_draws.tolist(), strict=True)]
    fill, width = FILLED_WITH.get(rule, PADDING), max(lengths) + 1
    tokens = tuple((*tokens, *[fill] * (width - len(tokens))) for tokens in emitted)
    return Result(tokens, tuple(map(len, emitted)))


def _emitted(batch: Batch, read: Reads, final_draw: float) -> list[int]:
    """One request by the engine: how many tokens stay, then the last one, which may be drawn from other rows."""
    here, judges = list(read.drafts), [*read.judges, read.draws[-1]]
    tokens, target, draft = batch.draft_tokens[here], batch.target_rows, batch.draft_rows
    stay = len(speculative_step(tokens, target[judges], draft[here], batch.coins[here], final_draw)) - 1
    draft_row = here[stay] if stay < len(here) else WHOLE
    return [*tokens[:stay].tolist(), draw_one(target, draft, read.draws[stay], draft_row, final_draw)]
