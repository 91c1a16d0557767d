"""What a lab run may take of memory, and which devices there are to choose from."""
from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import Any

from lessons.lab.process import Worker
from solutions.lab.choice import GIB

HARD_CAP = 4 * GIB  # however much is free: making and checking more takes minutes
SHARE = 2  # half of what is free
MEMINFO = Path("/proc/meminfo")
CONTROL_GROUP = Path("/sys/fs/cgroup")
PROBE_SECONDS = 60.0


def limit() -> int:
    """Bytes that a run may take now."""
    found = [bytes_free for bytes_free in (_free(), _free_in_group()) if bytes_free is not None]
    return min(HARD_CAP, *(one // SHARE for one in found)) if found else HARD_CAP // SHARE


def _free() -> int | None:
    """Of this machine; None where it doesn't tell."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = MEMINFO.read_text().splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1])
    return None


def _free_in_group() -> int | None:
    """Of the container, where it has a limit of its own."""
    with contextlib.suppress(OSError, ValueError):  # "max" is no number
        most = int((CONTROL_GROUP / "memory.max").read_text())
        return max(0, most - int((CONTROL_GROUP / "memory.current").read_text()))
    return None


_lock = threading.Lock()
_devices: dict[str, str] = {}


def devices() -> dict[str, str]:
    """Name by device, of those that PyTorch sees: asked of a process that imports it, until it has answered once.

    {} where it didn't.
    """
    with _lock:
        if not _devices:
            told: list[dict[str, Any]] = []
            worker = Worker({"devices": True}, told.append)
            worker.wait(PROBE_SECONDS)
            worker.kill()
            _devices.update(told[0]["devices"] if told else {})
        return dict(_devices)
