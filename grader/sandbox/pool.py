"""Warm workers, so that a student waits for a millisecond, not for a Python start and an import of NumPy."""
from __future__ import annotations

import atexit
import contextlib
import os
from collections import deque
from threading import Condition, Thread
from types import TracebackType
from typing import Any

from grader.sandbox.model import SandboxUnavailable, Tier
from grader.sandbox.nursery import Nursery
from grader.sandbox.worker import Worker

RETRY_SECONDS = 1.0


class Pool:
    """Keeps `size` workers ready. Each is taken once, by any thread, and closed by its taker.

    nursery: forks them; where it can't, each is started anew, which is as strong and slower.
    """

    def __init__(self, tier: Tier, size: int = 2, nursery: Nursery | None = None, **worker_arguments: Any) -> None:
        self._tier, self._size, self._arguments = tier, size, worker_arguments
        self._nursery = nursery
        self._ready: deque[Worker] = deque()
        self._failure: SandboxUnavailable | None = None
        self._closed, self._changed = False, Condition()
        self._owner = os.getpid()
        self._filler = Thread(target=self._fill, name="sandbox-pool", daemon=True)
        self._filler.start()
        atexit.register(self.close)

    def take(self) -> Worker:
        """A fresh worker, waiting for one to start if need be. Raises SandboxUnavailable if none can be started."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ready or self._failure or self._closed)
                if self._closed:
                    raise SandboxUnavailable("The pool of isolated processes is closed.")
                if not self._ready:
                    assert self._failure is not None
                    raise SandboxUnavailable(self._failure.reason, self._failure.fix)
                worker = self._ready.popleft()
                self._changed.notify_all()
            if worker.alive:
                return worker
            worker.close()  # something outside killed it while it waited

    def close(self) -> None:
        """End all workers that wait; those taken belong to their takers. May be called again."""
        if self._closed or os.getpid() != self._owner:
            return
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._filler.join()
        while self._ready:
            self._ready.popleft().close()
        atexit.unregister(self.close)

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _fill(self) -> None:
        while self._wait_for_room():
            try:
                worker = self._started()
            except SandboxUnavailable as error:
                self._fail(error)
            except Exception as error:  # the pool must tell its takers, whatever went wrong
                self._fail(SandboxUnavailable(f"An isolated process could not be started: {error!r}."))
            else:
                self._add(worker)

    def _started(self) -> Worker:
        if self._nursery is not None:
            with contextlib.suppress(SandboxUnavailable):
                return Worker(self._tier, nursery=self._nursery, **self._arguments)
        return Worker(self._tier, **self._arguments)

    def _wait_for_room(self) -> bool:
        """Wait until another worker is wanted; False once the pool is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._ready) < self._size)
            return not self._closed

    def _add(self, worker: Worker) -> None:
        with self._changed:
            self._ready.append(worker)
            self._failure = None
            self._changed.notify_all()

    def _fail(self, error: SandboxUnavailable) -> None:
        with self._changed:
            self._failure = error
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed, RETRY_SECONDS)
