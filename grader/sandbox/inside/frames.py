"""Frames on a pipe: four bytes of length (big-endian), then ASCII JSON."""
from __future__ import annotations

import json
import os
import struct

TYPE_CHECKING = False  # importing typing costs every worker three milliseconds
if TYPE_CHECKING:
    from typing import Any, NoReturn

HEADER = struct.Struct(">I")


def pack(message: Any) -> bytes:
    """The message as one frame."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return HEADER.pack(len(body)) + body


def unpack(body: bytes) -> Any:
    """The message in a frame's body. Raises ValueError or RecursionError if it is not strict ASCII JSON."""
    return json.loads(body.decode("ascii"), parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def receive(descriptor: int) -> Any | None:
    """The next message, or None once the other side has closed the pipe. Blocks."""
    header = _read_exactly(descriptor, HEADER.size)
    body = header and _read_exactly(descriptor, HEADER.unpack(header)[0])
    return unpack(body) if body else None


def send(descriptor: int, message: Any) -> None:
    """Write one frame, however many writes it takes."""
    data = memoryview(pack(message))
    while data:
        data = data[os.write(descriptor, data) :]


def _read_exactly(descriptor: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = os.read(descriptor, size - len(data))
        if not part:
            return b""
        data += part
    return bytes(data)
