"""The line before the lab: one run at a time, for whoever came first; a reader who left gives up the place."""
from __future__ import annotations

import enum
import threading
import time
from collections.abc import Callable
from typing import Any

from lessons.lab.process import Worker

Request = dict[str, Any]
Start = Callable[[Request, Callable[[dict[str, Any]], None]], Worker]

LONGEST = 12  # requests that may wait
LIMIT_SECONDS = 300.0  # of one run
UNSEEN_SECONDS = 12.0  # a page asks every second; a reader who left, or lost the connection, doesn't
TICK = 0.1


class State(enum.StrEnum):
    """Of a ticket; the keys of the texts under `state`."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    LEFT = "left"  # nobody looked any more
    TIME_OUT = "time_out"
    CRASHED = "crashed"  # the process ended without a result


OPEN = frozenset({State.WAITING, State.RUNNING})


class Ticket:
    """One request for a run: its state, its last progress event, and its result in the end."""

    def __init__(self, learner: str, request: Request) -> None:
        self.learner, self.request = learner, request
        self.state = State.WAITING
        self.progress: dict[str, Any] = {}
        self.result: dict[str, Any] | None = None
        self.wish: State | None = None  # the state that somebody wants it to end in
        self.seen = time.monotonic()

    @property
    def open(self) -> bool:
        return self.state in OPEN

    def told(self, event: dict[str, Any]) -> None:
        if event.get("event") == "progress":
            self.progress = event
        elif event.get("event") == "result":
            self.result = event


class Refused(Exception):
    """No place in the line; the message is the key of a text."""


class Line:
    """Runs tickets in the order they came, one worker process at a time, from a thread that ends with the last one."""

    def __init__(
        self, start: Start = Worker, limit_seconds: float = LIMIT_SECONDS, unseen_seconds: float = UNSEEN_SECONDS
    ) -> None:
        self._start, self._limit, self._unseen = start, limit_seconds, unseen_seconds
        self._tickets: list[Ticket] = []  # the first one is running
        self._lock = threading.Lock()
        self._running = False

    def enter(self, learner: str, request: Request) -> Ticket:
        """Raises Refused where the learner stands in line already, or too many do."""
        with self._lock:
            self._drop_closed()
            if any(one.learner == learner for one in self._tickets):
                raise Refused("refused.already")
            if len(self._tickets) > LONGEST:
                raise Refused("refused.full")
            ticket = Ticket(learner, request)
            self._tickets.append(ticket)
            if not self._running:
                self._running = True
                threading.Thread(target=self._serve, name="lab", daemon=True).start()
        return ticket

    def place(self, ticket: Ticket) -> int:
        """How many are before it. Asking counts as being there."""
        ticket.seen = time.monotonic()
        with self._lock:
            return self._tickets.index(ticket) if ticket in self._tickets else 0

    def cancel(self, ticket: Ticket) -> None:
        """Leave the line, or end the run; its process is gone within a moment."""
        ticket.wish = State.CANCELLED
        with self._lock:
            if ticket.state is State.WAITING and ticket in self._tickets[1:]:
                ticket.state = State.CANCELLED
                self._drop_closed()

    def _drop_closed(self) -> None:
        self._tickets = [one for one in self._tickets if one.open]

    def _serve(self) -> None:
        while True:
            with self._lock:
                self._drop_closed()
                if not self._tickets:
                    self._running = False
                    return
                ticket = self._tickets[0]
            ticket.state = self._wish(ticket) or self._run(ticket)

    def _run(self, ticket: Ticket) -> State:
        ticket.state, deadline = State.RUNNING, time.monotonic() + self._limit
        try:
            worker = self._start(ticket.request, ticket.told)
        except OSError:
            return State.CRASHED
        try:
            while not worker.wait(TICK):
                if time.monotonic() > deadline:
                    return State.TIME_OUT
                wish = self._wish(ticket)
                if wish is not None:
                    return wish
        finally:
            worker.kill()
        return State.DONE if ticket.result else State.CRASHED

    def _wish(self, ticket: Ticket) -> State | None:
        return ticket.wish or (State.LEFT if time.monotonic() - ticket.seen > self._unseen else None)
