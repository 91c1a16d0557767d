"""Limits by control group (cgroup v2), where this machine lets the app divide its own: memory, threads, processors.

They count what resource limits don't: kernel memory, and all processes of an answer together. The app moves into a
child group of its own, because a group with processes in it can't be divided; it does so only where its group holds
nothing but itself and its children, so that it never moves a stranger. Everywhere else the answers have the resource
limits only, and `doctor` says so.
"""
from __future__ import annotations

import contextlib
import functools
import itertools
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from grader.sandbox import usage
from grader.sandbox.model import Limits

ROOT, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
NEEDED, WANTED = {"memory", "pids"}, ("memory", "pids", "cpu")
OTHERS = 8  # processes of a sandbox beside the answer's threads
MIB = 1 << 20
PERIOD = 100_000  # microseconds: an answer gets one processor's time, however many threads it starts
FIX = "Start the course with `systemd-run --user --scope -p Delegate=yes`, or in a unit with `Delegate=yes`."

_numbers = itertools.count()


class NotDelegated(Exception):
    """This app's control group can't be divided; the text says why."""


class Group:
    """The control group of one answer. Raises OSError where it can't be made."""

    def __init__(self, parent: Path, limits: Limits) -> None:
        self._folder = parent / f"answer-{os.getpid()}-{next(_numbers)}"
        self._folder.mkdir()
        try:
            self._write("memory.max", limits.memory_mib * MIB)
            self._write("pids.max", limits.threads + OTHERS)
            for name, value in (("memory.swap.max", 0), ("memory.oom.group", 1), ("cpu.max", f"{PERIOD} {PERIOD}")):
                with contextlib.suppress(OSError):  # a kernel without swap accounting or without that controller
                    self._write(name, value)
        except OSError:
            self.remove()
            raise

    def add(self, pids: Iterable[int]) -> None:
        """Move processes in. Raises OSError where one can't be."""
        for pid in pids:
            self._write("cgroup.procs", pid)

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has killed here for want of memory."""
        with contextlib.suppress(OSError, ValueError):
            events = dict(line.split() for line in (self._folder / "memory.events").read_text().splitlines())
            return int(events.get("oom_kill", 0)) > 0
        return False

    def remove(self) -> None:
        """Kill what is left in it and remove it; a group that doesn't empty is left to the next sweep."""
        with contextlib.suppress(OSError):
            self._write("cgroup.kill", 1)
        end = time.monotonic() + 2
        while self._folder.exists() and time.monotonic() < end:
            try:
                self._folder.rmdir()
            except OSError:
                time.sleep(0.005)

    def _write(self, name: str, value: object) -> None:
        (self._folder / name).write_text(f"{value}\n")


@functools.cache
def divided() -> Path | None:
    """Where answers' groups go, None where this app's own group can't be divided."""
    with contextlib.suppress(NotDelegated):
        return divide()
    return None


def why_not() -> str:
    """Why answers get no control groups; "" where they do."""
    if divided() is not None:
        return ""
    try:
        divide()
    except NotDelegated as reason:
        return str(reason)
    return ""


def divide() -> Path:
    """Make this app's own group one of children: itself in one, each answer in another. Raises NotDelegated."""
    group = _own()
    try:
        controllers = set((group / "cgroup.controllers").read_text().split())
        if not controllers >= NEEDED:
            raise NotDelegated(f"no {' and no '.join(sorted(NEEDED - controllers))} controller in {group}")
        ours = set(usage.tree(os.getpid()))
        inside = _processes(group)
        if not inside <= ours:
            raise NotDelegated(f"other processes than the course's are in {group}")
        own = group / "course"
        own.mkdir(exist_ok=True)
        for pid in inside:
            (own / "cgroup.procs").write_text(f"{pid}\n")
        for name in WANTED:
            if name in controllers:
                (group / "cgroup.subtree_control").write_text(f"+{name}\n")
    except OSError as error:
        raise NotDelegated(f"{group} can't be divided ({error.strerror})") from error
    _sweep(group)
    return group


def _own() -> Path:
    """This app's group; its parent where it has moved into a child already."""
    if sys.platform != "linux":
        raise NotDelegated("control groups are Linux only")
    try:
        lines = OWN.read_text().splitlines()
    except OSError as error:
        raise NotDelegated(f"{OWN} can't be read ({error.strerror})") from error
    path = next((line.removeprefix("0::") for line in lines if line.startswith("0::")), None)
    if path is None or not (ROOT / "cgroup.controllers").exists():
        raise NotDelegated("this machine has no cgroup v2")
    group = ROOT / path.lstrip("/")
    return group.parent if group.name == "course" else group


def _processes(group: Path) -> set[int]:
    return {int(line) for line in (group / "cgroup.procs").read_text().split()}


def _sweep(group: Path) -> None:
    """Remove the empty groups that a killed app left."""
    for left in group.glob("answer-*"):
        with contextlib.suppress(OSError):
            left.rmdir()
