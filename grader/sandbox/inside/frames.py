"""Frames on a pipe: four bytes of length (big-endian), then ASCII JSON."""
from __future__ import annotations

import json
import os
import struct

TYPE_CHECKING = False  # importing typing costs every worker three milliseconds
if TYPE_CHECKING:
    from typing import Any, NoReturn

HEADER = struct.Struct(">I")
CHUNK = 1 << 16


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_refuse_constant)  # json.loads would make a new one for each frame


def pack(message: Any) -> bytes:
    """The message as one frame."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return HEADER.pack(len(body)) + body


def unpack(body: bytes) -> Any:
    """The message in a frame's body. Raises ValueError or RecursionError if it is not strict ASCII JSON."""
    return _decoder.decode(body.decode("ascii"))


def receive(descriptor: int) -> Any | None:
    """The next message, or None once the other side has closed the pipe. Blocks.

    The other side waits for an answer to each message, so there is never more than one in the pipe.
    """
    data, size = bytearray(), HEADER.size
    while len(data) < size:
        part = os.read(descriptor, CHUNK)
        if not part:
            return None
        data += part
        if len(data) >= HEADER.size:
            size = HEADER.size + HEADER.unpack_from(data)[0]
    return unpack(bytes(data[HEADER.size :]))


def send(descriptor: int, message: Any) -> None:
    """Write one frame, however many writes it takes."""
    data = memoryview(pack(message))
    while data:
        data = data[os.write(descriptor, data) :]
