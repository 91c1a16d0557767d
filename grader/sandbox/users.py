"""The user that a worker of a root app becomes: one of its own for each worker, because threads are counted by user."""
from __future__ import annotations

import os
import random
from pathlib import Path
from threading import Lock

from grader.sandbox.model import SandboxUnavailable

FIRST, COUNT = 60_600, 500  # a range that neither distributions nor systemd hand out

_lock = Lock()
_taken: set[int] = set()


def take() -> int | None:
    """A user id nobody in this process has taken; None if this app is not root and its workers stay the same user."""
    if os.name == "nt" or os.getuid() != 0:
        return None
    with _lock:
        free = sorted(set(range(FIRST, FIRST + COUNT)) - _taken)
        if not free:
            raise SandboxUnavailable(f"All {COUNT} users for isolated processes are taken.", "Close workers after use.")
        uid = random.SystemRandom().choice(free)  # another app on this machine chooses from the same range
        _taken.add(uid)
        return uid


def give_back(uid: int | None) -> None:
    with _lock:
        _taken.discard(uid if uid is not None else -1)


def running_threads() -> int:
    """Threads that this app's user has on this machine, which count against RLIMIT_NPROC together with a worker's."""
    uid, total = os.getuid(), 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:  # ended meanwhile
            continue
        if int(fields["Uid"].split()[0]) == uid:
            total += int(fields["Threads"])
    return total
