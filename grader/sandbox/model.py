"""The words of the isolation: its tiers, its limits, and what a request to an isolated process came to. Data only."""
from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple


class Tier(enum.StrEnum):
    """How strongly student code is kept apart from this machine."""

    FULL = "full"  # namespaces (bubblewrap), Landlock, system-call filter, resource limits
    KERNEL = "kernel"  # Landlock, system-call filter, resource limits; no namespaces
    BASIC = "basic"  # a process of its own with a time limit: NOT a sandbox


class SandboxUnavailable(Exception):
    """This machine can't give the asked isolation. `reason` says why, `fix` what to do about it."""

    def __init__(self, reason: str, fix: str = "") -> None:
        self.reason, self.fix = reason, fix
        super().__init__(f"{reason} {fix}".strip())


@dataclass(frozen=True)
class Limits:
    """What one answer may use; the defaults suit a NumPy exercise."""

    cpu_seconds: int = 10  # processor time of the whole process, imports and all threads included
    call_seconds: float = 6.0  # wall time of one request
    answer_seconds: float = 20.0  # wall time of all requests together
    memory_mib: int = 1024  # address space
    threads: int = 16
    output_kib: int = 64  # printed text kept of one request; sixteen times as much ends the process
    reply_kib: int = 4096  # size of one encoded reply


# Importing torch takes 0.9 s of processor time and 660 MiB of address space; its numbers are 10 to 1000 times NumPy's.
TORCH = Limits(cpu_seconds=60, call_seconds=15.0, answer_seconds=60.0, memory_mib=3072, threads=32, reply_kib=16384)


def limits_for(modules: Collection[str], **given: float) -> Limits:
    """The limits of a process that imports these modules, with those that are given in place of the defaults."""
    return replace(TORCH if "torch" in modules else Limits(), **given)  # type: ignore[arg-type]


class Outcome(NamedTuple):
    """What one request came to.

    Everything but `status` and `detail` comes from the student's process, so it is data to judge and text to escape,
    never markup and never trusted.
    """

    status: str  # ok, error, timeout, memory, output-limit, killed, blocked, tampered
    value: object = None
    arguments: tuple[object, ...] = ()  # as they are after the call, to see what it changed; () if the process ended
    error_class: str = ""  # the nearest built-in exception class
    error_message: str = ""
    error_line: int | None = None  # line of the submitted source, counted from 1
    detail: str = ""  # which limit, which signal, what was refused
    cpu_seconds: float | None = None  # of a wall time-out: the time that the request computed at least; None: unknown
    output: str = ""  # what the request printed, cut at Limits.output_kib
    seen: tuple[tuple[str, str], ...] = ()  # (code, name) of odd things noticed; proves and decides nothing

    @property
    def ok(self) -> bool:
        return self.status == "ok"
