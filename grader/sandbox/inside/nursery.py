"""A warm parent of isolated processes: it has imported what answers need, and forks one child for each request.

It never sees a byte of student text: its one socket carries empty requests with the child's pipes, and only a child,
after its own lock-down, reads them. A child gets process, mount, network, host-name and IPC namespaces of its own
(and a user namespace where the judge is an ordinary user) before it does anything else. Linux only.
"""
from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import resource
import select
import signal
import socket

from . import frames, lockdown, main, selftest  # noqa: F401 (the self-test is imported once for all children)

TYPE_CHECKING = False  # importing typing costs three milliseconds
if TYPE_CHECKING:
    from typing import Any

NEW_PROCESSES, NEW_USER = 0x20000000, 0x10000000  # CLONE_NEWPID, CLONE_NEWUSER
NEW_OTHERS = 0x00020000 | 0x04000000 | 0x08000000 | 0x40000000  # mounts, host name, IPC, network
PIPES = 4  # of each request: the child's requests, replies and output, and where its end is to be reported
READY = b"r"
MAX_FILES = 2048


def serve() -> None:
    """Import, say so, then fork until the judge hangs up. Returns never in the parent; in a child it answers."""
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    configuration = frames.receive(control.fileno()) or {}
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_FILES, MAX_FILES))
    lockdown.forbid_new_privileges()
    main.load_packages(configuration)
    main.prepare_trusted(configuration["trusted"], *configuration["rehearsal"])
    gc.freeze()  # the collector of a child need not touch, and so copy, what is the parent's
    control.sendall(READY)
    if _fork_for_all(control, configuration["namespaces"], configuration["own_user"]):
        main.main(loaded=True)
    os._exit(0)


def _fork_for_all(control: socket.socket, namespaces: bool, own_user: bool) -> bool:
    """True in a child, False in the parent once the judge has hung up."""
    myself = os.pidfd_open(os.getpid())
    children: dict[int, tuple[int, int]] = {}  # process descriptor -> process id, where to report its end
    waiting = select.poll()
    waiting.register(control, select.POLLIN)
    while True:
        for descriptor, _ in waiting.poll():
            if descriptor in children:
                waiting.unregister(descriptor)
                os.close(descriptor)
                _report_end(*children.pop(descriptor))
                continue
            message, pipes, _, _ = socket.recv_fds(control, 1, PIPES)
            if not message or len(pipes) != PIPES:
                _end(children)
                return False
            pid = _fork(myself, namespaces)
            if pid == 0:
                control.detach()  # its number is about to belong to another file
                _become_a_child(pipes, namespaces, own_user)
                return True
            child = os.pidfd_open(pid)
            socket.send_fds(control, [READY], [child])
            children[child] = (pid, pipes[3])
            waiting.register(child, select.POLLIN)
            for pipe in pipes[:3]:
                os.close(pipe)


def _fork(myself: int, namespaces: bool) -> int:
    """os.fork(), the child as the first process of a new process namespace."""
    if namespaces:
        _call("unshare", NEW_PROCESSES)
    pid = os.fork()
    if pid and namespaces:
        _call("setns", myself, NEW_PROCESSES)  # the next child gets another one
    return pid


def _become_a_child(pipes: list[int], namespaces: bool, own_user: bool) -> None:
    """Nothing left of the parent but its memory: own namespaces, no descriptor but the three pipes."""
    for number, pipe in enumerate(pipes[:3]):
        os.dup2(pipe, number)
    os.closerange(3, MAX_FILES)
    signal.set_wakeup_fd(-1)
    if namespaces:
        _call("unshare", NEW_OTHERS | (NEW_USER if own_user else 0))


def _end(children: dict[int, tuple[int, int]]) -> None:
    """Nobody asks any more: kill and bury what is left, so that no orphan waits for the machine's first process."""
    for descriptor, (pid, _) in children.items():
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        os.waitpid(pid, 0)


def _report_end(pid: int, report: int) -> None:
    _, status, usage = os.wait4(pid, 0)
    with contextlib.suppress(BrokenPipeError):  # nobody asked how it ended
        os.write(report, json.dumps([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime]).encode())
    os.close(report)


def _call(name: str, *arguments: Any) -> None:
    if getattr(lockdown.LIBC, name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), name)
