"""What “A batch of requests” claims: computed by the engine, or read off the benchmark's table in the README."""
from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from lessons.figures.known_rules import function
from lessons.figures.ragged_layout.layout import EXERCISE, round_of_equal_rows, starts
from solutions.batch_cases import Round, batch_of, padded, random_rounds, row_by_row
from tests.lessons.claims.kinds import Claim, Computed, Sourced, Written

README = Path(__file__).resolve().parents[3] / "README.md"
LENGTHS = (3, 0, 1)
K, V, BYTES, REQUESTS = 4, 32_000, 4, 64
BANDWIDTH, WEIGHTS = 3.35e12, 16e9  # bytes a second, and bytes: NVIDIA's data sheet, and the first page's model
BATCHES = 40
KINDS: tuple[Callable[[random.Random], list[Round]], ...] = (
    lambda rng: [round_of_equal_rows(rng, rng.randint(0, 3)) for _ in range(4)],
    lambda rng: random_rounds(rng, [rng.randint(1, 3)]),
    lambda rng: random_rounds(rng, [2] * 4),
    lambda rng: random_rounds(rng, [0, *(rng.randint(0, 3) for _ in range(3))]),
)
RAGGED = len(KINDS) - 1  # the kind that the text recommends; the table has the others
MIX_UPS = (
    "draft_stride", "bonus_rows_forgotten", "last_row_of_the_batch", "first_residual_for_all", "next_row_judges",
    "equal_lengths_assumed", "one_draw_for_all", "padded_with_zero",
)  # fmt: skip


def listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def rows_each() -> str:
    targets = starts(LENGTHS)[1]
    return listed([after - first for first, after in zip(targets, targets[1:], strict=False)])


def sees(mistake: str) -> str:
    """A line's marks: for each kind of batch, whether any result differs from that of request by request."""
    return "| " + " | ".join("✓" if any(_differs(mistake, kind)) else "–" for kind in range(RAGGED)) + " |"


def _differs(mistake: str, kind: int) -> Iterator[bool]:
    for rounds, due in _batches(kind):
        try:
            tokens, counts = function(EXERCISE, mistake)(*batch_of(rounds))
        except IndexError:  # a row that isn't there
            yield True
        else:
            yield (tokens.tolist(), counts.tolist()) != due


@functools.cache
def _batches(kind: int) -> list[tuple[list[Round], Any]]:
    """Random batches of this kind, in random order of requests, each with its right result."""
    rng, made = random.Random(7), []
    for _ in range(BATCHES):
        rounds = KINDS[kind](rng)
        rng.shuffle(rounds)
        emitted = row_by_row(rounds)
        made.append((rounds, (padded(emitted, rounds), [len(tokens) for tokens in emitted])))
    return made


def bytes_read(rows: int, vocabulary: int = V, size: int = BYTES) -> float:
    return float(rows * vocabulary * size)


def measured(column: str) -> float:
    """Microseconds of the README's benchmark for this shape."""
    lines = [line.strip("| ").split(" | ") for line in README.read_text("utf-8").splitlines() if line.startswith("| ")]
    heading = next(line for line in lines if line[0] == "B, K, V")
    row = next(line for line in lines if line[0] == f"{REQUESTS}, {K}, {V}")
    return float(row[heading.index(column)].replace(",", ""))


CLAIMS: dict[str, Claim] = {
    "draft_rows": Computed(lambda: starts(LENGTHS)[0][-1]),
    "target_rows": Computed(lambda: starts(LENGTHS)[1][-1]),
    "rows_each": Written(rows_each),
    "padded_draft": Computed(lambda: len(LENGTHS) * max(LENGTHS)),
    "padded_target": Computed(lambda: len(LENGTHS) * (max(LENGTHS) + 1)),
    "draft_starts": Written(lambda: listed(starts(LENGTHS)[0][:-1])),
    "target_starts": Written(lambda: listed(starts(LENGTHS)[1][:-1])),
    "offsets": Written(lambda: listed(starts(LENGTHS)[1])),
    "sees_all": Computed(lambda: sum(any(_differs(mistake, RAGGED)) for mistake in MIX_UPS)),
    "row_kb": Computed(lambda: bytes_read(1) / 1e3),
    "scalars": Computed(lambda: 2 * K),
    "lazy_kb": Computed(lambda: bytes_read(2) / 1e3),
    "all_kb": Computed(lambda: bytes_read(2 * K) / 1e3),
    "lazy_mb": Computed(lambda: REQUESTS * bytes_read(2) / 1e6),
    "all_mb": Computed(lambda: REQUESTS * bytes_read(2 * K) / 1e6),
    "lazy_us": Computed(lambda: 1e6 * REQUESTS * bytes_read(2) / BANDWIDTH),
    "all_us": Computed(lambda: 1e6 * REQUESTS * bytes_read(2 * K) / BANDWIDTH),
    "ours_us": Computed(lambda: measured("NumPy")),
    "textbook_us": Computed(lambda: measured("textbook batch")),
    "loop_us": Computed(lambda: measured("naive loop")),
    "pass_ms": Computed(lambda: 1e3 * WEIGHTS / BANDWIDTH),
    "sampling_share": Sourced("2601.11580"),
    "quiz_row": Computed(lambda: starts((2, 0, 0, 3))[1][3]),
    "quiz_lazy": Computed(lambda: bytes_read(2, 128_256, 2) / 1e6),
    "quiz_all": Computed(lambda: bytes_read(16, 128_256, 2) / 1e6),
}
CLAIMS |= {f"sees_{mistake}": Written(partial(sees, mistake)) for mistake in MIX_UPS}
