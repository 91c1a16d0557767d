"""A warm parent of isolated processes: NumPy or torch is imported once, and each answer's process is forked from it.

Why that is no weaker than starting each process anew: the parent sits in the sandbox itself and never reads a byte of
student text (inside/nursery.py); every child gets namespaces and a user of its own, is locked down after the fork and
proves it as any other process does, and the judge asks the kernel about it once more (proof.py). What children share is
the place of things in memory and the hash seed; they have no channel to each other, and the judge is no relative.
"""
from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from io import RawIOBase
from threading import RLock
from typing import Any, cast

from grader.sandbox import advice, proof, runtime, tiers, trusted, usage
from grader.sandbox.channel import Pipes
from grader.sandbox.inside import frames
from grader.sandbox.model import SandboxUnavailable, Tier
from grader.sandbox.process import Exit, Process, exit_from

START_SECONDS = 120.0  # torch on a busy machine
FORK_SECONDS = 20.0
ATTEMPTS = 3  # to start the parent, without a child in between


class Nursery:
    """Forks isolated processes of one tier with the same packages imported. Started at the first fork; thread-safe.

    modules: our own modules for `Worker.trusted`, made ready once. rehearsal: a function of theirs and plain arguments
    of our own, called once in the parent, so that no child pays for the first call.
    """

    def __init__(
        self,
        tier: Tier,
        distributions: Sequence[str],
        preload: Sequence[str],
        modules: Mapping[str, str],
        rehearsal: tuple[str, Sequence[Any]] = ("", ()),
    ) -> None:
        self.modules = modules
        self._kind = (tier, tuple(distributions), tuple(preload))
        self._prepared = {"trusted": trusted.compiled(modules), "rehearsal": rehearsal}
        self._lock, self._owner = RLock(), os.getpid()
        self._parent: _Parent | None = None
        self._attempts, self._closed = 0, False

    def fork(self, cleanup: tuple[Callable[[], None], ...]) -> Forked:
        """A new process, not yet locked down; it runs `cleanup` when it is closed.

        Raises SandboxUnavailable where there is no parent to fork it, after `cleanup`.
        """
        try:
            with self._lock:
                for _ in range(2):
                    parent = self._running()
                    try:
                        child = Forked(*parent.fork(), cleanup)
                    except (OSError, EOFError):  # gone since the last fork
                        self._drop()
                    else:
                        self._attempts = 0
                        return child
            raise SandboxUnavailable("The parent of the isolated processes ends again and again.")
        except BaseException:
            for action in cleanup:
                action()
            raise

    def close(self) -> None:
        """End the parent, and all children with it. May be called again, and from a fork of the app."""
        if os.getpid() == self._owner:
            with self._lock:
                self._closed = True
                self._drop()

    def _running(self) -> _Parent:
        if self._closed or os.getpid() != self._owner or (self._parent is None and self._attempts >= ATTEMPTS):
            raise SandboxUnavailable("There is no parent to fork isolated processes from.")
        if self._parent is None:
            self._attempts += 1
            self._parent = _Parent(*self._kind, self._prepared)
        return self._parent

    def _drop(self) -> None:
        if self._parent is not None:
            self._parent.close()
            self._parent = None


class _Parent:
    """The warm process and the socket on which it takes requests."""

    def __init__(
        self, tier: Tier, distributions: tuple[str, ...], preload: tuple[str, ...], prepared: dict[str, Any]
    ) -> None:
        launch = tiers.nursery_launch(tier, runtime.current(distributions), preload)
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = Process(launch, theirs.fileno())
        self.close = weakref.finalize(self, _end, self._process, self._control)  # also at exit
        try:
            self._control.settimeout(START_SECONDS)
            self._control.sendall(frames.pack({**launch.configuration, **prepared}))
            if not self._control.recv(1):
                raise EOFError
            if _threads(self._process) != 1:
                raise EOFError("a process with threads can't be forked safely")
        except (OSError, EOFError) as error:
            printed = _last_words(self._process) or str(error)
            self.close()
            raise advice.unavailable(tier, "the parent to fork from did not start", printed) from None

    def fork(self) -> tuple[int, list[int]]:
        """Process descriptor and the judge's four pipe ends. Raises OSError or EOFError where the parent is gone."""
        pairs = [os.pipe() for _ in range(4)]
        theirs = [pairs[0][0], pairs[1][1], pairs[2][1], pairs[3][1]]
        ours = [pairs[0][1], pairs[1][0], pairs[2][0], pairs[3][0]]
        try:
            self._control.settimeout(FORK_SECONDS)
            socket.send_fds(self._control, [b"f"], theirs)
            answered, descriptors, _, _ = socket.recv_fds(self._control, 1, 1, socket.MSG_CMSG_CLOEXEC)
            if not answered or len(descriptors) != 1:
                raise EOFError
        except BaseException:
            for end in ours:
                os.close(end)
            raise
        finally:
            for end in theirs:
                os.close(end)
        return descriptors[0], ours


class Forked:
    """A forked process as seen from the judge: the same as process.Process."""

    def __init__(self, descriptor: int, ends: list[int], cleanup: tuple[Callable[[], None], ...]) -> None:
        self._owner, self._descriptor, self._cleanup, self._closed = os.getpid(), descriptor, cleanup, False
        opened = [os.fdopen(end, mode, buffering=0) for end, mode in zip(ends, ("wb", "rb", "rb", "rb"), strict=True)]
        self.pipes, self._ending = cast(Pipes, tuple(opened[:3])), cast(RawIOBase, opened[3])
        self.pid = _process_id(descriptor)

    def kill(self) -> None:
        """End it; it has no children, and were there any, they'd end with their namespace."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
        self._wait(5.0)

    def exit(self) -> Exit | None:
        """How it ended, None if it is still there after half a second."""
        end = time.monotonic() + 0.5
        if not self._wait(0.5):
            return None
        if not select.select([self._ending], [], [], max(0.05, end - time.monotonic()))[0]:
            return None
        told = self._ending.read(200)
        return exit_from(*json.loads(told)) if told else Exit()  # nothing told: the parent has gone with it

    def computed(self) -> float | None:
        """The processor time so far; None where the system doesn't tell."""
        return usage.cpu_seconds(self.pid)

    @property
    def alive(self) -> bool:
        return not self._closed and not self._wait(0.0)

    def close(self) -> None:
        """Kill, close the pipes and give back what the tier borrowed. May be called again, and from a fork."""
        if self._closed or os.getpid() != self._owner:
            return
        self._closed = True
        self.kill()
        for pipe in (*self.pipes, self._ending):
            pipe.close()
        os.close(self._descriptor)
        for action in self._cleanup:
            action()

    def _wait(self, seconds: float) -> bool:
        waiting = select.poll()
        waiting.register(self._descriptor, select.POLLIN)
        return bool(waiting.poll(seconds * 1000))


def _process_id(descriptor: int) -> int:
    with open(f"/proc/self/fdinfo/{descriptor}", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pid:"))


def _threads(process: Process) -> int:
    *_, program = usage.tree(process.pid)
    return int(proof.status(program)["Threads"])


def _last_words(process: Process) -> str:
    process.kill()
    return (process.pipes[2].read(1 << 14) or b"").decode("utf-8", "replace")


def _end(process: Process, control: socket.socket) -> None:
    control.close()
    process.wait(2.0)  # it buries its children
    process.close()
