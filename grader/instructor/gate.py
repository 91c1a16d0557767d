"""The instructor's password: compared in constant time, and guessed ever more slowly.

Waiting times are kept for the whole process, by client and for all clients together, so that neither a new session nor
many addresses make guessing faster. Neither passwords nor guesses are ever stored, shown or logged.
"""
from __future__ import annotations

import hashlib
import hmac
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

SETTING = "COURSE_INSTRUCTOR_PASSWORD"
FREE_TRIES = 3  # wrong guesses of one client before it has to wait
FREE_TRIES_OF_ALL = 20
LONGEST_WAIT = 60.0  # seconds, for one client, which may be a proxy that the instructor shares with others
LONGEST_WAIT_OF_ALL = 15.0  # short: a guesser must not be able to lock the instructor out
FORGET_AFTER = 3600.0  # seconds without a wrong guess
CLIENTS = 10_000  # remembered at most


@dataclass
class _Misses:
    count: int = 0
    last: float = 0.0


def is_set() -> bool:
    return bool(os.environ.get(SETTING))


def ticket() -> str:
    """What a session keeps to show that it entered; another password makes it worthless."""
    return hashlib.sha256(b"instructor\0" + os.environ.get(SETTING, "").encode("utf-8", "surrogatepass")).hexdigest()


class Gate:
    """Decides on guesses. One for the process: `GATE`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._clients: dict[str, _Misses] = {}
        self._all = _Misses()

    def wait(self, client: str) -> float:
        """Seconds until this client may guess again; 0 where it may now."""
        with self._lock:
            return self._wait(client)

    def enter(self, client: str, guess: str) -> bool:
        """Whether the guess is right. During a waiting time every guess is wrong, the right one too."""
        with self._lock:
            if self._wait(client) > 0 or not is_set():
                return False
            if hmac.compare_digest(_digest(guess), _digest(os.environ[SETTING])):
                self._clients.pop(client, None)
                return True
            self._miss(client)
            return False

    def _wait(self, client: str) -> float:
        mine = self._clients.get(client, _Misses())
        return max(
            self._left(mine, FREE_TRIES, LONGEST_WAIT),
            self._left(self._all, FREE_TRIES_OF_ALL, LONGEST_WAIT_OF_ALL),
        )

    def _left(self, misses: _Misses, free: int, longest: float) -> float:
        if misses.count < free:
            return 0.0
        delay = min(longest, 2.0 ** min(misses.count - free, 20))
        return max(0.0, misses.last + delay - self._clock())

    def _miss(self, client: str) -> None:
        if len(self._clients) >= CLIENTS:
            self._clients.pop(min(self._clients, key=lambda known: self._clients[known].last))
        for misses in (self._clients.setdefault(client, _Misses()), self._all):
            if self._clock() - misses.last > FORGET_AFTER:
                misses.count = 0
            misses.count += 1
            misses.last = self._clock()


def _digest(text: str) -> bytes:
    """Equal length for any guess, so that the comparison tells nothing about the length either."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


GATE = Gate()
