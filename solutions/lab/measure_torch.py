"""One lab run: batches are made, each way to verify is checked, then all are timed in turns; events tell of it."""
from __future__ import annotations

import functools
import statistics
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import torch

from solutions.batch.batch import Batch
from solutions.lab import memory
from solutions.lab.choice import Choice
from solutions.lab.correct_torch import GridCheck, agreement
from solutions.lab.environment_torch import environment
from solutions.lab.pair import make
from solutions.lab.runs_torch import NotHere, Run, run_of
from solutions.lab.speed_torch import SECONDS, Calls, Race, calls_of

Event = dict[str, Any]

MADE, CHECKED = 0.2, 0.6  # how far along the progress is when that is done
MESSAGE = 300  # letters of an error


@dataclass
class Outcome:
    """What was found about one run; `reason` is the key of a text, `message` an error's own words."""

    run: str
    status: str = "ok"  # skipped, failed
    reason: str = ""
    message: str = ""
    equal: int = 0
    boundary: int = 0
    wrong: int = 0
    law_error: float | None = None
    peak: int | None = None  # bytes
    seconds: float | None = None  # median
    best: float | None = None
    calls: int = 0


def measure(choice: Choice, own: Callable[..., Any] | None = None, seconds: float = SECONDS) -> Iterator[Event]:
    """Events: progress (part from 0 to 1, stage, run), then one result. One thread computes."""
    torch.set_num_threads(1)
    batches, facts = yield from _make(choice)
    outcomes: list[Outcome] = []
    runs: dict[str, Calls] = {}
    for number, name in enumerate(choice.runs):
        yield _progress(MADE + (CHECKED - MADE) * number / len(choice.runs), "check", name)
        outcome = Outcome(name)
        outcomes.append(outcome)
        try:
            run = run_of(name, choice, own)
            _check(outcome, run, choice, batches[0])
        except NotHere as missing:
            outcome.status, outcome.reason = "skipped", str(missing)
        except Exception as error:  # whatever one way to verify does, the others go on
            outcome.status, outcome.message = "failed", f"{type(error).__name__}: {error}"[:MESSAGE]
        else:
            runs[name] = calls_of(run, [_on(batch, choice.device) for batch in batches])
    race = Race(choice.device, runs, seconds)
    for part in race.rounds():
        yield _progress(CHECKED + (1 - CHECKED) * part, "time")
    for outcome in outcomes:
        _tell_times(outcome, race.times.get(outcome.run, []))
    yield {
        "event": "result", "choice": choice.as_data(), "environment": environment(choice),
        "bandwidth": race.bandwidth, **facts, "outcomes": [asdict(one) for one in outcomes],
    }  # fmt: skip


def _tell_times(outcome: Outcome, times: list[float]) -> None:
    if times:
        outcome.calls, outcome.best, outcome.seconds = len(times), min(times), statistics.median(times)


def _make(choice: Choice) -> Generator[Event, None, tuple[list[Batch], dict[str, Any]]]:
    """The batches, on the CPU, and what is known of them."""
    batches, alphas, moves = [], [], []
    for seed in range(choice.copies):
        yield _progress(MADE * seed / choice.copies, "data")
        made = make(choice, seed)
        alphas.append(made.alpha)
        moves.append(memory.must_move(choice, made))
        batches.append(_tensors(made.batch, choice))
    facts = {
        "alpha": statistics.fmean(alphas), "bytes": statistics.fmean(moves), "cold": memory.is_cold(choice),
        "draft_tokens": len(batches[0].draft_tokens), "requests": choice.requests,
    }  # fmt: skip
    return batches, facts


def _tensors(batch: Batch, choice: Choice) -> Batch:
    dtype = getattr(torch, choice.dtype)
    parts = Batch(*map(torch.from_numpy, batch))
    return parts._replace(target_rows=parts.target_rows.to(dtype), draft_rows=parts.draft_rows.to(dtype))


def _on(batch: Batch, device: str) -> Batch:
    return batch if device == "cpu" else Batch(*(part.to(device) for part in batch))


def _check(outcome: Outcome, run: Run, choice: Choice, batch: Batch) -> None:
    """Right on the grid, right row by row, and what one more call takes of memory."""
    grid = GridCheck(choice.dtype, choice.logits)
    outcome.law_error = grid.error(run.check(run.given(_on(grid.batch, choice.device))))
    given = run.given(_on(batch, choice.device))
    found = agreement(run.check(given), batch, choice.logits)
    outcome.equal, outcome.boundary, outcome.wrong = found
    outcome.peak = _peak(choice.device, functools.partial(run.verify, given))


def _peak(device: str, call: Callable[[], Any]) -> int | None:
    if device == "cpu":
        return memory.peak_of(call)
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    call()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


def _progress(part: float, stage: str, run: str = "") -> Event:
    return {"event": "progress", "part": round(part, 3), "stage": stage, "run": run}
