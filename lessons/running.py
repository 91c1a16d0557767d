"""At most one running answer for each learner of this server, however many tabs and presses there are."""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator


class OneEach:
    """`with turns.turn(learner) as free:` — `free` is False where an answer of this learner is running already."""

    def __init__(self) -> None:
        self._busy: set[str] = set()
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def turn(self, learner: str, wait: float = 0.0) -> Iterator[bool]:
        """wait: seconds to wait for the one before."""
        with self._changed:
            free = self._changed.wait_for(lambda: learner not in self._busy, wait)
            if free:
                self._busy.add(learner)
        try:
            yield free
        finally:
            if free:
                with self._changed:
                    self._busy.discard(learner)
                    self._changed.notify_all()


ANSWERS = OneEach()
