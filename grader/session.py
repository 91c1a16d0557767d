"""One answer in isolated processes: a fresh one after each that died, all within one budget of time."""
from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from grader.proxy import Reply, StudentFailure, failure_class
from grader.sandbox import Limits, Outcome, Worker
from grader.verdicts import Verdict

SURVIVED = frozenset({"ok", "error"})  # after any other end the process is not used again


class Session:
    """Calls one function of one program. Waiting for a worker is free; loading and calling spend the budget.

    `take` gives a warm worker. The first worker may be given, so that the one that parsed the answer also runs it.
    """

    def __init__(
        self, take: Callable[[], Worker], program: str, name: str, limits: Limits, worker: Worker | None = None
    ) -> None:
        self._take, self._program, self._name, self._limits = take, program, name, limits
        self._worker, self._loaded = worker, False
        self._spent = 0.0
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
        self._timed(self._worker.load, self._program)
        self._loaded = True

    def call(self, arguments: tuple[Any, ...]) -> Reply:
        """Call the function. Raises StudentFailure on every end but a value."""
        self.load()
        assert self._worker is not None
        outcome = self._timed(self._worker.call, self._name, *arguments)
        return Reply(outcome.value, outcome.arguments)

    def _timed(self, action: Callable[..., Outcome], *arguments: Any) -> Outcome:
        if self._spent >= self._limits.answer_seconds:
            raise StudentFailure(Verdict.TIMEOUT, message=f"{self._limits.answer_seconds:g} s")
        start = time.monotonic()
        outcome = action(*arguments)
        self._spent += time.monotonic() - start
        self.seen += outcome.seen
        if outcome.status not in SURVIVED:
            self._drop()
        if outcome.status != "ok":
            raise self._failure(outcome)
        return outcome

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
            self._worker.close()
        self._worker, self._loaded = None, False
