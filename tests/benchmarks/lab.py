"""The lab's own measurement of several batches, as a table: `python -m tests.benchmarks.lab` (or `--device cuda`).

What the lab's page runs, in this process: each way is checked row by row and on the grid, then all are timed in turns.
A cell has the median time, and how much of the floor that is: the time that the memory, at the best read bandwidth seen
in the same run, needs for the bytes that must move. ✕ is a way that is not right on this batch.
"""
from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from typing import Any

from grader.language import Words
from lessons.lab import report
from lessons.lab.limits import limit
from lessons.lab.process import ONE_THREAD
from lessons.pages.lab import TEXTS
from solutions.lab.choice import RUNS, Choice

BATCHES = (
    Choice(requests=1, drafts=4, size=32000),
    Choice(requests=16, drafts=4, size=32000),
    Choice(requests=64, drafts=4, size=32000),
    Choice(requests=64, drafts=8, size=128256),
    Choice(requests=256, drafts=4, size=8192),
    Choice(requests=16, drafts=4, size=32000, dtype="bfloat16"),
    Choice(requests=16, drafts=4, size=32000, logits=True),
    Choice(requests=64, drafts=8, size=128256, logits=True),
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--device", choices=list(RUNS), default="cpu")
    options.add_argument("--seconds", type=float, default=2.0, help="of timing for each way")
    options.add_argument("--few", type=int, default=len(BATCHES), help="only so many batches")
    given = options.parse_args()
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):  # read when NumPy is imported
        command = [sys.executable, "-m", "tests.benchmarks.lab", *sys.argv[1:]]
        os.execve(sys.executable, command, os.environ | ONE_THREAD)
    words = Words(TEXTS, "en")
    runs = tuple(run for run in RUNS[given.device] if run != "own")
    print_row(["B, K, V", "rows", *(words(f"run.{run}") for run in runs), "must move", "bandwidth, GB/s", "floor"])
    print_row(["---"] * (len(runs) + 5))
    for batch in BATCHES[: given.few]:
        choice = dataclasses.replace(batch, device=given.device, runs=runs)
        if choice.needed <= limit():
            result = measured(choice, given.seconds)
            print_row(cells(result))
    print(f"\n{report.environment(result, words)}")


def measured(choice: Choice, seconds: float) -> report.Result:
    from solutions.lab.measure_torch import measure

    *_, event = measure(choice, seconds=seconds)
    return report.Result(event)


def cells(result: report.Result) -> list[str]:
    event = result.event
    asked: dict[str, Any] = event["choice"]
    rows = f"{asked['dtype']} {'logits' if asked['logits'] else 'probabilities'}"
    facts = [report.size(event["bytes"]), f"{event['bandwidth'] / 1e9:,.1f}", report.duration(result.floor or 0.0)]
    shape = f"{asked['requests']}, {asked['drafts']}, {asked['size']}"
    return [shape, rows, *(cell(result, row) for row in result.rows), *facts]


def cell(result: report.Result, row: report.Row) -> str:
    if row.seconds is None:
        return row.reason or row.message or row.status
    of_floor = result.of_floor(row)
    share = "" if of_floor is None else f" ({of_floor:.1%})" if of_floor < 0.1 else f" ({of_floor:.0%})"
    return f"{'' if row.right else '✕ '}{report.duration(row.seconds)}{share}"


def print_row(row: list[str]) -> None:
    print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
