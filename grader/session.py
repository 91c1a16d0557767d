"""One answer in isolated processes: a fresh one after each that died, all within one budget of time."""
from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from grader.proxy import Reply, StudentFailure, failure_class
from grader.sandbox import Limits, Outcome, Worker
from grader.verdicts import Verdict

SURVIVED = frozenset({"ok", "error"})  # after any other end the process is not used again
STARVED = 0.5  # a call out of time that computed for less than this part of it may only have waited
RETRIES = 3  # of one answer; the first that fails is the last, so that a sleeping answer costs others one call limit

KIB = 1 << 10
ALL_REPLIES = 8  # times the size of one reply: what an answer may return in all, for reading it costs the judge time

Request = Callable[[Worker], Outcome]


class Session:
    """Calls the functions of one program. Waiting for a worker is free; loading and calling spend the budget.

    `take` gives a warm worker. The first worker may be given, so that the one that parsed the answer also runs it.
    `spent`: seconds of the answer's time that are gone already; no call takes longer than what is left.
    `alone` keeps this machine's other answers waiting: on a loaded machine a call may run out of time and hardly have
    computed. It's then made once more, in a fresh process, alone; and only that counts.
    """

    def __init__(
        self,
        take: Callable[[], Worker],
        program: str,
        limits: Limits,
        worker: Worker | None = None,
        alone: Callable[[], AbstractContextManager[None]] | None = None,
        spent: float = 0.0,
    ) -> None:
        self._take, self._program, self._limits = take, program, limits
        self._worker, self._loaded = worker, False
        self.spent, self._replied = spent, 0  # seconds; bytes of replies of processes that are gone
        self._alone, self._retries = alone or contextlib.nullcontext, RETRIES if alone else 0
        self.seen: list[tuple[str, str]] = []  # odd things noticed so far, for grader.flags

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()

    def load(self) -> None:
        """Run the program once. Raises StudentFailure where it doesn't run to its end."""
        if self._loaded:
            return
        if self._worker is None:
            self._worker = self._take()
        self._timed(self._load)
        self._loaded = True

    def call(self, name: str, arguments: tuple[Any, ...]) -> Reply:
        """Call the program's function of that name. Raises StudentFailure on every end but a value."""
        self.load()
        outcome = self._timed(lambda worker: worker.call(name, *arguments))
        return Reply(outcome.value, outcome.arguments)

    def _load(self, worker: Worker) -> Outcome:
        return worker.load(self._program)

    def _timed(self, request: Request) -> Outcome:
        if self.spent >= self._limits.answer_seconds:
            raise StudentFailure(Verdict.TIMEOUT, message=f"{self._limits.answer_seconds:g} s")
        most = ALL_REPLIES * self._limits.reply_kib
        if self._replied + (self._worker.replied if self._worker else 0) > most * KIB:
            raise StudentFailure(Verdict.OUTPUT_LIMIT, message=f"{most} KiB")
        outcome, seconds = self._asked(request)
        if self._retries and starved(outcome, seconds):
            outcome, seconds = self._again(request, seconds)
        self.spent += seconds
        self.seen += outcome.seen
        if outcome.status not in SURVIVED:
            self._drop()
        if outcome.status != "ok":
            raise self._failure(outcome)
        return outcome

    def _asked(self, request: Request) -> tuple[Outcome, float]:
        assert self._worker is not None
        self._worker.allow(self._limits.answer_seconds - self.spent)
        start = time.monotonic()
        outcome = request(self._worker)
        return outcome, time.monotonic() - start

    def _again(self, request: Request, seconds: float) -> tuple[Outcome, float]:
        """The same request, alone. Its outcome and time count where it ends; else both attempts' time does."""
        self._retries -= 1
        self._drop()
        self._worker = self._take()
        with self._alone():
            outcome, again = self._asked(self._load)
            if outcome.ok and request != self._load:
                self._loaded = True
                outcome, calling = self._asked(request)
                again += calling
        if outcome.status == "timeout":
            self._retries = 0
            return outcome, seconds + again
        return outcome, again

    def _failure(self, outcome: Outcome) -> StudentFailure:
        kind = failure_class(outcome.error_class) if outcome.status == "error" else StudentFailure
        return kind(
            Verdict(outcome.status),
            outcome.error_class,
            outcome.error_message or outcome.detail,
            self._line(outcome.error_line),
        )

    def _line(self, number: int | None) -> str:
        lines = self._program.splitlines()
        return lines[number - 1].strip() if number and 0 < number <= len(lines) else ""

    def _drop(self) -> None:
        if self._worker is not None:
            self.seen += self._worker.last_seen()
            self._replied += self._worker.replied
            self._worker.close()
        self._worker, self._loaded = None, False


def starved(outcome: Outcome, seconds: float) -> bool:
    """Whether a call ran out of wall time without having computed. Unknown (also the limit of computing itself): no."""
    if outcome.status != "timeout" or outcome.cpu_seconds is None:
        return False
    return outcome.cpu_seconds < STARVED * seconds
