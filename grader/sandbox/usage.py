"""How much processor time a running process and those below it have taken, from /proc."""
from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def cpu_seconds(pid: int) -> float | None:
    """User and system time of the process and all that live below it; None where the system doesn't tell.

    bwrap's own process takes next to none, so for a sandbox this is the time of the program inside.
    """
    try:
        ticks = sum(_ticks(one) for one in tree(pid))
        return ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):  # not Linux, or the process has just gone
        return None


def tree(pid: int) -> Iterator[int]:
    """The process and all that live below it. Raises OSError where one has gone or the system doesn't tell."""
    yield pid
    for thread in (PROC / str(pid) / "task").iterdir():
        for child in (thread / "children").read_text().split():
            yield from tree(int(child))


def _ticks(pid: int) -> int:
    fields = (PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])  # utime and stime; the program's name, cut off here, may hold anything
