"""Starting, killing and burying the isolated process, from outside.

The kernel binds "die with your parent" to the thread that started the process, so every process is started from one
thread that lives as long as the app. Killing goes through a process descriptor of the sandbox's pid 1, which takes
all its processes along; SIGKILL to bwrap itself is racy (bubblewrap#633, #692).
"""
from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, cast

from grader.sandbox import usage
from grader.sandbox.channel import Pipes
from grader.sandbox.model import SandboxUnavailable


@dataclass(frozen=True)
class Launch:
    """How one tier starts a process, and what it tells the process first."""

    command: list[str]
    environment: dict[str, str]
    cwd: str
    configuration: dict[str, Any]
    has_first_process: bool = False  # the command is bwrap, which reports the sandbox's pid 1
    cleanup: tuple[Callable[[], None], ...] = ()


@dataclass(frozen=True)
class Exit:
    """How a process ended: a signal's name or an exit code, and the most processor time that it can have taken."""

    signal: str = ""
    code: int | None = None
    cpu_seconds: float = 0.0


def exit_from(code: int, cpu_seconds: float) -> Exit:
    """code: as subprocess has it, negative for a signal."""
    with contextlib.suppress(ValueError):
        if code < 0:
            return Exit(signal.Signals(-code).name, None, cpu_seconds)
    return Exit("", code, cpu_seconds)


@dataclass
class _Spawner:
    """The one thread that starts processes."""

    jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = field(default_factory=SimpleQueue)
    thread: Thread | None = None
    lock: Lock = field(default_factory=Lock)

    def run(self, job: Callable[[], Any]) -> Any:
        with self.lock:
            if self.thread is None:
                self.thread = Thread(target=self._work, name="sandbox-spawner", daemon=True)
                self.thread.start()
        future: Future[Any] = Future()
        self.jobs.put((future, job))
        return future.result()

    def _work(self) -> None:
        while True:
            future, job = self.jobs.get()
            try:
                future.set_result(job())
            except Exception as error:
                future.set_exception(error)


_spawner = _Spawner()


def _fresh_spawner() -> None:
    global _spawner
    _spawner = _Spawner()


if hasattr(os, "register_at_fork"):  # threads don't survive a fork of the app
    os.register_at_fork(after_in_child=_fresh_spawner)


class Process:
    """A started process with its three pipes: requests (its stdin), replies (its stdout), output (its stderr)."""

    def __init__(self, launch: Launch, stdin: int = subprocess.PIPE) -> None:
        self._owner, self._born = os.getpid(), time.monotonic()
        self._cleanup = launch.cleanup
        self._first: int | None = None  # process descriptor of the sandbox's pid 1
        self._closed, self._counted = False, 0.0
        reading, writing = os.pipe() if launch.has_first_process else (None, None)
        try:
            self.popen: subprocess.Popen[bytes] = _spawner.run(lambda: _start(launch, writing, stdin))
        except OSError as error:
            self._tidy()
            raise SandboxUnavailable(f"{launch.command[0]} can't be started: {error}.") from error
        finally:
            if writing is not None:
                os.close(writing)
        if reading is not None:
            self._first = _first_process(reading)

    @property
    def pid(self) -> int:
        return self.popen.pid

    @property
    def pipes(self) -> Pipes:
        """Requests, replies, output."""
        return cast(Pipes, (self.popen.stdin, self.popen.stdout, self.popen.stderr))

    def kill(self) -> None:
        """End the process and everything it started. Does nothing if it is gone."""
        if self._first is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
            if self.wait(2.0):
                return
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.popen.pid)], capture_output=True, check=False)
        else:
            with contextlib.suppress(ProcessLookupError):  # the group lives on while any member does
                os.killpg(self.popen.pid, signal.SIGKILL)
        self.wait(5.0)

    def exit(self) -> Exit | None:
        """How it ended, None if it is still there half a second after its pipe closed."""
        if not self.wait(0.5):
            return None
        code, cpu_seconds = self.popen.returncode, self._cpu_seconds()
        return exit_from(128 - code if code > 128 and self._first is not None else code, cpu_seconds)

    def _cpu_seconds(self) -> float:
        """As the kernel counted it; bwrap does not wait for its payload, so there only the wall time bounds it."""
        if self._first is not None:
            return (time.monotonic() - self._born) * (os.cpu_count() or 1)
        return self._counted

    def computed(self) -> float | None:
        """The processor time so far, of a process that runs and all below it; None where the system doesn't tell."""
        return usage.cpu_seconds(self.popen.pid)

    @property
    def alive(self) -> bool:
        return not self._closed and not self.wait(0.0)

    def close(self) -> None:
        """Kill, reap, close the pipes and give back what the tier borrowed. May be called again, and from a fork."""
        if self._closed or os.getpid() != self._owner:
            return
        self._closed = True
        self.kill()
        for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if pipe is not None:
                pipe.close()
        if self._first is not None:
            os.close(self._first)
        self._tidy()

    def _tidy(self) -> None:
        for action in self._cleanup:
            action()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended, waiting for at most `seconds`. Keeps the processor time it used."""
        if sys.platform == "win32":
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(seconds)
            return self.popen.returncode is not None
        end, pause = time.monotonic() + seconds, 0.0005
        while self.popen.returncode is None:
            try:
                pid, status, usage = os.wait4(self.popen.pid, os.WNOHANG)
            except ChildProcessError:  # an app that ignores SIGCHLD
                self.popen.returncode = 255
                return True
            if pid:
                self.popen.returncode = os.waitstatus_to_exitcode(status)
                self._counted = usage.ru_utime + usage.ru_stime
            elif time.monotonic() >= end:
                return False
            else:
                time.sleep(pause)
                pause = min(2 * pause, 0.02)
        return True


def _start(launch: Launch, report_to: int | None, stdin: int) -> subprocess.Popen[bytes]:
    command, kept = launch.command, tuple[int, ...]()
    if report_to is not None:
        command, kept = [command[0], "--info-fd", str(report_to), *command[1:]], (report_to,)
    return subprocess.Popen(
        command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
        env=launch.environment, cwd=launch.cwd, start_new_session=True, pass_fds=kept,
    )  # fmt: skip


def _first_process(report: int) -> int | None:
    """Process descriptor of the sandbox's pid 1, from bwrap's report. None if bwrap failed before it had one."""
    text, end = b"", time.monotonic() + 10
    with selectors.DefaultSelector() as selector, os.fdopen(report, "rb", buffering=0) as pipe:
        selector.register(pipe, selectors.EVENT_READ)
        while selector.select(max(0.0, end - time.monotonic())):
            part = pipe.read(4096)
            if not part:
                break
            text += part
    try:
        return os.pidfd_open(json.loads(text)["child-pid"])
    except (ValueError, KeyError, OSError):  # killing bwrap's process group has to do then
        return None
