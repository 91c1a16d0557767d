"""Memory: what must move for a verification, how fast this machine's moves, and what a call takes for itself."""
from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solutions.lab.choice import COLD, MIB, Choice
from solutions.lab.pair import Made

LINE = {"cpu": 64, "cuda": 32}  # bytes that come along with one scalar
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")

Reader = tuple[int, Callable[[], Any]]
"""The bytes that a call reads, and the call."""


def must_move(choice: Choice, made: Made) -> float:
    """Bytes that no verification can do without, on average over the coins.

    From probabilities: two scalars for each draft token, then two rows of each rejected request, one of the others.
    From logits: every row whose softmax a decision needs, both models' at each judged position, and the bonus row.
    """
    judged, all_kept = _expected(made.keeps, made.batch.lengths)
    requests = len(made.batch.lengths)
    if choice.logits:
        return choice.row_bytes * (2 * judged + all_kept)
    scalars = 2 * len(made.keeps) * LINE[choice.device]
    return scalars + choice.row_bytes * (2 * requests - all_kept)


def _expected(keeps: NDArray[np.float64], lengths: NDArray[np.int64]) -> tuple[float, float]:
    """How many draft tokens are judged, and how many requests keep all of theirs."""
    judged, all_kept, start = 0.0, 0.0, 0
    for length in lengths.tolist():
        reached = np.cumprod(np.concatenate([[1.0], keeps[start : start + length]]))
        judged += float(reached[:-1].sum())
        all_kept += float(reached[-1])
        start += length
    return judged, all_kept


def is_cold(choice: Choice) -> bool:
    """Whether the batches are large enough, together, for their rows to come from memory: the floor is about that."""
    return choice.copies * choice.rows * choice.row_bytes >= COLD[choice.device] // 2


def readers() -> list[Reader]:
    """Reads of 256 MiB in one stream and in two, in pieces whose results stay in the cache."""
    memory = np.ones(256 * MIB // 4, np.float32).reshape(2, -1, 2**15)
    ones, scratch = np.ones(256, np.float32), np.empty(2**15, np.float32)

    def one_stream() -> None:
        for piece in memory.reshape(-1, 2**15):
            np.dot(piece.reshape(-1, 256), ones)

    def two_streams() -> None:
        for one, other in zip(*memory, strict=True):
            np.subtract(one, other, out=scratch)

    return [(memory.nbytes, one_stream), (memory.nbytes, two_streams)]


def peak_of(call: Callable[[], Any]) -> int | None:
    """Bytes that a call takes at most, beyond what this process has already. Known on Linux only, to a page or so."""
    if not (sys.platform == "linux" and CLEAR.exists()):
        return None
    ctypes.CDLL(None).malloc_trim(0)  # what is free already would be used again without a trace
    CLEAR.write_text("5")  # the peak starts anew
    before = _kib("VmRSS")
    call()
    return max(0, _kib("VmHWM") - before) * 1024


def _kib(name: str) -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(name + ":"))
    return int(line.split()[1])
