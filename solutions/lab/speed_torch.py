"""Runs in turns of some milliseconds, on one batch after the other, each call with fresh uniforms."""
from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from solutions.batch.batch import Batch
from solutions.lab import memory
from solutions.lab.choice import MIB
from solutions.lab.runs_torch import Run

TURN, LONG = 0.02, 0.3  # seconds of one run, then it is the next one's turn; up to LONG for CALLS calls
CALLS = 4
SECONDS = 1.0  # of timing for each run, in all
ROUNDS = 5  # at least
OWN_ROUNDS = 3  # of the reader's own function, which is slow to reach
SLOW = 20.0  # seconds of timing after which fewer rounds will do

Calls = Iterator[Callable[[], Any]]


def calls_of(run: Run, batches: list[Batch]) -> Calls:
    """The run on one batch after the other, without end."""
    return itertools.cycle([functools.partial(_with_uniforms, run, run.given(batch)) for batch in batches])


_rng = np.random.default_rng(3)


def _with_uniforms(run: Run, batch: Batch) -> Any:
    drafts, requests = len(batch.draft_tokens), len(batch.lengths)
    uniforms = _rng.random(drafts + requests) if run.arrays else _uniforms(drafts + requests, batch.lengths.device)
    return run.verify(batch._replace(coins=uniforms[:drafts], final_draws=uniforms[drafts:]))


def _uniforms(count: int, device: Any) -> Any:
    return torch.rand(count, dtype=torch.float64, device=device)


class Race:
    """All runs in turns, so that all see the same machine, and the bandwidth of the same minutes.

    times: seconds of every call by run. bandwidth: the best that was seen, in bytes a second.
    """

    def __init__(self, device: str, runs: dict[str, Calls], seconds: float) -> None:
        self._runs, self._budget = runs, seconds * max(1, len(runs))
        self._reads, self._wait = _readers(device), torch.cuda.synchronize if device == "cuda" else _nothing
        self.times: dict[str, list[float]] = {name: [] for name in runs}
        self.bandwidth = 0.0

    def rounds(self) -> Iterator[float]:
        """Runs it; yields how much is done, from 0 to 1, before each round."""
        started = time.monotonic()
        for number in itertools.count():
            gone = time.monotonic() - started
            least = ROUNDS if gone < SLOW else 2
            if number >= least and gone >= self._budget:
                return
            yield min(gone / max(self._budget, gone, 1e-9), number / least, 0.99)
            self._round(number)

    def _round(self, number: int) -> None:
        for size, read in self._reads:
            self.bandwidth = max(self.bandwidth, size / self._timed(read))
        for name, calls in self._runs.items():
            if name != "own" or number < OWN_ROUNDS:
                self.times[name] += self._turn(calls)

    def _turn(self, calls: Calls) -> list[float]:
        """Seconds of each call, one at least; the first of several meets a cold processor and does not count."""
        times: list[float] = []
        while sum(times) < (TURN if len(times) >= CALLS else LONG):
            times.append(self._timed(next(calls)))
        return times[1:] or times

    def _timed(self, call: Callable[[], Any]) -> float:
        """A device works on its own: it is waited for before and after."""
        self._wait()
        started = time.perf_counter()
        call()
        self._wait()
        return time.perf_counter() - started


def _readers(device: str) -> list[memory.Reader]:
    if device == "cpu":
        return memory.readers()
    large = torch.ones((2, 512 * MIB // 4), device=device)
    return [(large.nbytes, large.sum), (large.nbytes, lambda: torch.dot(large[0], large[1]))]


def _nothing() -> None:
    pass
