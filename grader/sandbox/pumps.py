"""Pipes as sockets, for Windows, where only sockets can be waited for: a thread copies between the two."""
from __future__ import annotations

import contextlib
import socket
from io import RawIOBase
from threading import Thread
from typing import cast

CHUNK = 1 << 16


def reader(pipe: RawIOBase) -> RawIOBase:
    """A socket to read what arrives in `pipe`."""
    near, far = _pair()
    Thread(target=_copy_in, args=(pipe, far), name="sandbox-pump", daemon=True).start()
    return near


def writer(pipe: RawIOBase) -> RawIOBase:
    """A socket to write what shall go to `pipe`; closing it closes the pipe."""
    near, far = _pair()
    Thread(target=_copy_out, args=(far, pipe), name="sandbox-pump", daemon=True).start()
    return near


def _pair() -> tuple[RawIOBase, socket.socket]:
    near, far = socket.socketpair()
    near.setblocking(False)
    raw = cast(RawIOBase, near.makefile("rwb", buffering=0))
    near.close()  # the file keeps the socket open
    return raw, far


def _copy_in(pipe: RawIOBase, far: socket.socket) -> None:
    with far, contextlib.suppress(OSError, ValueError):  # the near end or the pipe was closed
        while part := pipe.read(CHUNK):
            far.sendall(part)


def _copy_out(far: socket.socket, pipe: RawIOBase) -> None:
    with far, pipe, contextlib.suppress(OSError, ValueError):
        while part := far.recv(CHUNK):
            view = memoryview(part)
            while view:
                view = view[pipe.write(view) or 0 :]
