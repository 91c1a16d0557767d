"""Turns of work: a fixed number at a time, and now and then one alone."""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from types import TracebackType


class Turns:
    """`with turns:` waits for one of `places`. Whoever holds a turn may ask for a while alone.

    Who waits to be alone goes before new turns, so it waits only for the turns that have begun.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._running, self._asking, self._alone = 0, 0, False
        self._changed = threading.Condition()

    def __enter__(self) -> None:
        with self._changed:
            self._changed.wait_for(self._may_begin)
            self._running += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._running -= 1
            self._changed.notify_all()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """A while in which no other turn runs. Only for a holder of a turn, whose own turn rests meanwhile.

        Two holders who ask don't wait for each other, as a resting turn is no running one.
        """
        with self._changed:
            self._running -= 1
            self._asking += 1
            self._changed.notify_all()
            try:
                self._changed.wait_for(lambda: self._running == 0 and not self._alone)
            except BaseException:  # Ctrl+C while waiting: the turn is its holder's again
                self._running += 1
                raise
            finally:
                self._asking -= 1
                self._changed.notify_all()
            self._alone = True
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._running += 1
                self._changed.notify_all()

    def _may_begin(self) -> bool:
        return self._running < self._places and not self._asking and not self._alone
