"""May this server run students' code? The policy, and the one judge of the process.

A server that only this computer reaches accepts the tiers full and kernel, and basic after an explicit yes that is
remembered in data/. The yes must come from whoever started the server: it is a code that only the terminal shows, for
what a browser says of its own address proves nothing. A server that others reach accepts full, and kernel only with
COURSE_ACCEPT_TIER=kernel. In every other case there is no judge, the reason is told, and the lessons stay up.
"""
from __future__ import annotations

import enum
import hmac
import os
import secrets
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from grader.judge import Judge
from grader.sandbox import SandboxUnavailable, Tier

CONSENT = Path(__file__).resolve().parent.parent / "data" / "basic-isolation-accepted"
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Problem(enum.StrEnum):
    """Why there is no judge; the keys of the texts under `judging`."""

    NO_ISOLATION = "no_isolation"  # nothing proved to work, and the server is shared
    ASK_FOR_BASIC = "ask_for_basic"  # nothing proved to work, and this is the reader's own computer
    KERNEL_ONLY = "kernel_only"  # kernel works, a shared server asks for more


class Access(NamedTuple):
    """The judge, or the problem and its technical detail."""

    judge: Judge | None
    problem: Problem | None = None
    detail: str = ""


def is_loopback(host: str | None) -> bool:
    """Whether only this computer can use the address. No address means every network."""
    return host is not None and host.strip("[]").lower() in LOOPBACK


def verdict(tier: Tier, served: bool, setting: str, consent: bool) -> Problem | None:
    """The policy by itself: what is wrong with running code at `tier`, if anything."""
    if tier is Tier.FULL or (tier is Tier.KERNEL and (not served or setting == "kernel")):
        return None
    if tier is Tier.KERNEL:
        return Problem.KERNEL_ONLY
    if served:
        return Problem.NO_ISOLATION
    return None if consent else Problem.ASK_FOR_BASIC


class Judging:
    """Finds out once what this machine can isolate, and starts a judge only where the policy allows it."""

    def __init__(self, start: Callable[..., Judge] = Judge, consent: Path = CONSENT) -> None:
        self._start, self._consent = start, consent
        self._lock = threading.Lock()
        self._judge: Judge | None = None
        self._detail = ""
        self._tried = False
        self._code = ""

    def access(self, served: bool) -> Access:
        """The judge for a reader of a server that is `served` to others, or why there is none."""
        judge = self._isolated()
        problem = verdict(
            judge.tier if judge else Tier.BASIC,
            served,
            os.environ.get("COURSE_ACCEPT_TIER", ""),
            self._consent.exists(),
        )
        if problem is not None:
            return Access(None, problem, self._detail or f"tier {judge.tier}" if judge else self._detail)
        return Access(judge or self._unisolated())

    def tier(self) -> str:
        """The best proven tier, or "none": what /healthz reports."""
        judge = self._isolated()
        return str(judge.tier) if judge and judge.tier is not Tier.BASIC else "none"

    def ask(self) -> None:
        """Show the code of the yes in the terminal, once."""
        with self._lock:
            if not self._code:
                self._new_code()

    def accept_basic(self, code: str) -> bool:
        """The explicit yes, remembered on this machine. After a wrong code another one is shown, so none is guessed."""
        with self._lock:
            if not self._code or not hmac.compare_digest(code.strip().encode(), self._code.encode()):
                self._new_code()
                return False
            self._consent.parent.mkdir(parents=True, exist_ok=True)
            self._consent.touch()
            return True

    def _new_code(self) -> None:
        self._code = f"{secrets.randbelow(10**6):06d}"
        print(f"To run code without isolation, type this code into the page: {self._code}", file=sys.stderr, flush=True)

    def _isolated(self) -> Judge | None:
        with self._lock:
            if not self._tried:
                try:
                    self._judge = self._start()
                except SandboxUnavailable as unavailable:
                    self._detail = str(unavailable)
                self._tried = True
            return self._judge

    def _unisolated(self) -> Judge:
        with self._lock:
            if self._judge is None:
                self._judge = self._start(tier=Tier.BASIC, accept_basic=True)
            return self._judge
