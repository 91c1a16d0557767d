"""What a lab run found, for readers: the table, the facts in words, and the same as CSV."""
from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.language import Words
from solutions.lab.choice import GIB, MIB

NONE = "–"


@dataclass(frozen=True)
class Row:
    """One run. times in seconds, bytes as they are; None: not measured."""

    run: str
    status: str
    reason: str
    message: str
    equal: int
    boundary: int
    wrong: int
    law_error: float | None
    peak: int | None
    seconds: float | None
    best: float | None
    calls: int

    @property
    def right(self) -> bool:
        return self.status == "ok" and self.wrong == 0 and self.law_error == 0.0


class Result:
    """The result event of a worker."""

    def __init__(self, event: Mapping[str, Any]) -> None:
        self.event = event
        self.rows = [Row(**outcome) for outcome in event["outcomes"]]

    @property
    def floor(self) -> float | None:
        """Seconds that the bytes need which must move; None where they may come from a cache."""
        return self.event["bytes"] / self.event["bandwidth"] if self.event["cold"] else None

    @property
    def timed(self) -> list[Row]:
        """Fastest first."""
        return sorted((row for row in self.rows if row.seconds is not None), key=lambda row: row.seconds or 0.0)

    def of_floor(self, row: Row) -> float | None:
        return self.floor / row.seconds if self.floor is not None and row.seconds else None

    def tokens_per_second(self, row: Row) -> float | None:
        return self.event["draft_tokens"] / row.seconds if row.seconds else None


# --- in words --------------------------------------------------------------------------------------------------------


def table(result: Result, words: Words) -> list[dict[str, str]]:
    """A line for each run, in the order that was asked for."""
    return [_line(result, row, words) for row in result.rows]


def _line(result: Result, row: Row, words: Words) -> dict[str, str]:
    ran, of_floor, tokens = row.status == "ok", result.of_floor(row), result.tokens_per_second(row)
    cells = {
        "run": words(f"run.{row.run}"),
        "rows": _agreement(row, words) if ran else words(f"status.{row.status}"),
        "law": _law(row, words) if row.law_error is not None else NONE,
        "median": NONE if row.seconds is None else duration(row.seconds),
        "tokens": NONE if tokens is None else f"{float(f'{tokens:.3g}'):,.0f}",
        "of_floor": NONE if of_floor is None else f"{of_floor:.2g}" if of_floor < 0.01 else f"{of_floor:.0%}",
        "peak": NONE if row.peak is None else size(row.peak),
    }
    return {words(f"column.{name}"): cell for name, cell in cells.items()}


def _agreement(row: Row, words: Words) -> str:
    all_rows = row.equal + row.boundary + row.wrong
    if row.wrong:
        return words("rows.wrong", wrong=row.wrong, all=all_rows)
    return words("rows.boundary" if row.boundary else "rows.right", all=all_rows, boundary=row.boundary)


def _law(row: Row, words: Words) -> str:
    return words("law.exact") if row.law_error == 0.0 else words("law.off", error=f"{row.law_error:.2g}")


def notes(result: Result, words: Words) -> list[str]:
    """Why runs have no figures, and what a column can't say of them."""
    found = [words(f"reason.{row.reason}", run=words(f"run.{row.run}")) for row in result.rows if row.reason]
    found += [
        words("failed", run=words(f"run.{row.run}"), message=row.message) for row in result.rows if row.message
    ]
    if any(row.run == "own" and row.status == "ok" for row in result.rows):
        found.append(words("own_time"))
    if any(row.wrong for row in result.rows if row.run == "textbook"):
        found.append(words("textbook_wrong"))
    return found


def facts(result: Result, words: Words) -> str:
    """The bytes, the bandwidth of the same minutes, and the floor."""
    event = result.event
    slots = {"bytes": size(event["bytes"]), "bandwidth": f"{event['bandwidth'] / 1e9:.1f}"}
    key = "facts.in_cache" if result.floor is None else "facts.floor"
    return words(key, **slots, floor=duration(result.floor or 0.0), alpha=f"{event['alpha']:.2f}")


def sentence(result: Result, words: Words) -> str:
    """The fact that the chart shows."""
    timed = result.timed
    if not timed:
        return words("fact.nothing")
    first, last = timed[0], timed[-1]
    fastest = {"run": words(f"run.{first.run}"), "time": duration(first.seconds or 0.0)}
    if first is last:
        return words("fact.one", **fastest)
    times = f"{(last.seconds or 0.0) / (first.seconds or 1.0):.2g}"
    if float(times) >= 100:
        times = f"{float(times):,.0f}"
    return words("fact.many", **fastest, slowest=words(f"run.{last.run}"), times=times)


def environment(result: Result, words: Words) -> str:
    told = result.event["environment"]
    versions = [f"{name} {told[key]}" for key, name in VERSIONS.items() if key in told]
    parts = [told["processor"], *([told["device"]] if result.event["choice"]["device"] != "cpu" else [])]
    load = [words("load", load=told["load"])] if "load" in told else []
    return ", ".join([*parts, words("threads", count=told["threads"]), told["system"], *versions, *load])


VERSIONS = {"python": "Python", "numpy": "NumPy", "torch": "PyTorch", "triton": "Triton"}


def duration(seconds: float) -> str:
    seconds = float(f"{seconds:.3g}")
    for factor, unit in ((1e6, "µs"), (1e3, "ms")):
        if seconds * factor < 1000:
            return f"{seconds * factor:.4g} {unit}"
    return f"{seconds:g} s"


def size(count: float) -> str:
    for unit, name in ((GIB, "GiB"), (MIB, "MiB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count / 1024:.0f} KiB"


# --- as a file -------------------------------------------------------------------------------------------------------

MEASURED = ("status", "equal", "boundary", "wrong", "law_error", "seconds", "best", "calls", "peak")


def as_csv(result: Result) -> str:
    """A line for each run, with all that it depends on: made to be put under others."""
    event, file = result.event, io.StringIO()
    choice = {name: value for name, value in event["choice"].items() if name != "runs"}
    common = {"alpha_measured": event["alpha"], "draft_tokens": event["draft_tokens"]}
    common |= {"bytes_that_must_move": event["bytes"], "bandwidth": event["bandwidth"], "floor_seconds": result.floor}
    told = {f"env_{name}": value for name, value in event["environment"].items()}
    lines = [
        {"run": row.run, **{name: getattr(row, name) for name in MEASURED}, "of_floor": result.of_floor(row),
         "draft_tokens_per_second": result.tokens_per_second(row), **choice, **common, **told}
        for row in result.rows
    ]  # fmt: skip
    writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return file.getvalue()
