"""Which isolation this machine really gives, found by starting real workers."""
from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass

from grader.sandbox import cgroups, syscalls
from grader.sandbox.model import Limits, SandboxUnavailable, Tier
from grader.sandbox.nursery import Nursery
from grader.sandbox.worker import Worker

STRONG = (Tier.FULL, Tier.KERNEL)


@dataclass(frozen=True)
class TierReport:
    """Whether one tier works here; if not, why, and what to do about it."""

    tier: Tier
    works: bool
    reason: str = ""
    fix: str = ""
    landlock: int = 0  # version of the kernel's Landlock that its worker used; 0: none


@dataclass(frozen=True)
class DoctorReport:
    """The best tier that works here, and what it rests on. Version texts are "" where the thing is missing."""

    tier: Tier | None
    limits: Limits
    tiers: tuple[TierReport, ...]
    system: str
    kernel: str
    python: str
    bubblewrap: str
    libseccomp: str
    landlock: int
    no_groups: str  # why answers get no control groups of their own; "" where they do
    no_forks: str  # why each isolated process is started anew, which costs more; "" where they are forked

    def as_json(self) -> str:
        """The report as a JSON text."""
        return json.dumps(asdict(self), indent=2)


def detect(allow_basic: bool = False) -> Tier:
    """The best tier that works here. Raises SandboxUnavailable with every tier's reason if none does.

    `basic` is no sandbox, so it counts only if `allow_basic`.
    """
    failures = []
    for tier in (*STRONG, Tier.BASIC) if allow_basic else STRONG:
        report = examine(tier)
        if report.works:
            return tier
        failures.append(report)
    raise SandboxUnavailable(
        " ".join(failure.reason for failure in failures), " ".join(dict.fromkeys(failure.fix for failure in failures))
    )


def examine(tier: Tier, limits: Limits = Limits()) -> TierReport:  # noqa: B008 (frozen)
    """Start a worker of this tier, self-test included, and say what came of it."""
    try:
        with Worker(tier, limits, distributions=(), preload=()) as worker:
            return TierReport(tier, True, landlock=int(worker.report["landlock"]))
    except SandboxUnavailable as error:
        return TierReport(tier, False, error.reason, error.fix)


def doctor(limits: Limits = Limits()) -> DoctorReport:  # noqa: B008 (frozen)
    """Examine all tiers of this machine."""
    tiers = tuple(examine(tier, limits) for tier in Tier)
    best = next((report.tier for report in tiers if report.works), None)
    return DoctorReport(
        tier=best,
        limits=limits,
        tiers=tiers,
        system=platform.system(),
        kernel=platform.release(),
        python=f"{platform.python_version()} ({sys.executable})",
        bubblewrap=_bubblewrap_version(),
        libseccomp=syscalls.library_version(),
        landlock=max(report.landlock for report in tiers),
        no_groups=cgroups.why_not(),
        no_forks=_why_no_forks(best),
    )


def _why_no_forks(tier: Tier | None) -> str:
    if tier not in STRONG:
        return "that needs one of the tiers full and kernel"
    parent = Nursery(tier, (), (), {})
    try:
        Worker(tier, distributions=(), preload=(), nursery=parent).close()
    except SandboxUnavailable as error:
        return error.reason
    finally:
        parent.close()
    return ""


def _bubblewrap_version() -> str:
    program = shutil.which("bwrap")
    if program is None:
        return ""
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=10).stdout
    return printed.strip().removeprefix("bubblewrap ")
