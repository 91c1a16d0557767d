"""Talking to an isolated process that may lie, flood, dawdle or die: one request, at most one reply, within bounds."""
from __future__ import annotations

import contextlib
import os
import selectors
import sys
import time
from io import RawIOBase
from typing import Any, NamedTuple

from grader.sandbox import pumps
from grader.sandbox.inside import frames

CHUNK = 1 << 16
Pipes = tuple[RawIOBase, RawIOBase, RawIOBase]  # requests to write, replies and printed text to read
# select(2) stops at descriptor 1024, which a busy server passes; Windows has nothing else.
Selector: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)


class Reply(NamedTuple):
    """What came back.

    kind: frame, timeout, ended, reply-limit, output-limit, malformed (which includes a frame nobody asked for).
    early: it was there before the request was sent.
    """

    kind: str
    message: Any = None
    early: bool = False


class Channel:
    """The three pipes of one process, as seen from the judge. For one thread at a time. Sizes in bytes."""

    def __init__(
        self, ends: Pipes, reply_limit: int, output_kept: int, output_limit: int,
        pumped: bool = sys.platform == "win32",
    ) -> None:  # fmt: skip
        self._reply_limit, self._output_kept, self._output_limit = reply_limit, output_kept, output_limit
        pipes = list(ends)
        if pumped:
            pipes = [pumps.writer(pipes[0]), pumps.reader(pipes[1]), pumps.reader(pipes[2])]
        else:
            for pipe in pipes:
                os.set_blocking(pipe.fileno(), False)
        self._requests, self._replies, self._printed = pipes
        self._pumped = pumped
        self._selector = Selector()
        self._selector.register(self._replies, selectors.EVENT_READ)
        self._selector.register(self._printed, selectors.EVENT_READ)
        self._received, self._output, self._output_size = bytearray(), bytearray(), 0
        self.replied = 0  # bytes of all replies so far

    def exchange(self, message: Any, seconds: float) -> Reply:
        """Send one message and wait for one frame, for at most `seconds` in all."""
        self._received, self._output, self._output_size = bytearray(), bytearray(), 0
        early = self._available(self._replies)
        if early is not None:
            return Reply("malformed" if early else "ended", early=True)
        end = time.monotonic() + seconds
        unsent = self._write(memoryview(frames.pack(message)))  # nearly always all of it
        if not unsent:
            return self._converse(unsent, end)
        self._selector.register(self._requests, selectors.EVENT_WRITE)
        try:
            return self._converse(unsent, end)
        finally:
            with contextlib.suppress(KeyError):  # already taken off when the last byte went
                self._selector.unregister(self._requests)

    def _converse(self, unsent: memoryview, end: float) -> Reply:
        while (left := end - time.monotonic()) > 0:
            ready = self._ready(left)
            if self._printed in ready and not self._read_printed():
                return Reply("output-limit")
            if self._requests in ready:
                unsent = self._write(unsent)
                if not unsent:
                    self._selector.unregister(self._requests)
            if self._replies in ready and (reply := self._read_reply()) is not None:
                return reply
        return Reply("timeout")

    def pending(self) -> bool:
        """Whether something is on the reply pipe that nobody asked for."""
        return bool(self._available(self._replies))

    def output(self) -> bytes:
        """What the process printed during the last exchange, cut at the kept size; empties the pipe."""
        while self._output_size <= self._output_limit and (part := self._available(self._printed)):
            self._keep(part)
        return bytes(self._output)

    def close(self) -> None:
        """Stop watching; the pipes themselves belong to the process, pumps to this channel."""
        self._selector.close()
        if self._pumped:
            for pipe in (self._requests, self._replies, self._printed):
                pipe.close()

    def _ready(self, seconds: float) -> list[Any]:
        return [key.fileobj for key, _ in self._selector.select(seconds)]

    def _write(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[self._requests.write(unsent) or 0 :]
        except OSError:  # the process is gone; its last words may still be in the reply pipe
            return unsent[:0]

    def _read_printed(self) -> bool:
        """Whether the process is still within its output limit."""
        part = self._available(self._printed)
        if part == b"":
            self._selector.unregister(self._printed)
        elif part:
            self._keep(part)
        return self._output_size <= self._output_limit

    def _keep(self, part: bytes) -> None:
        self._output_size += len(part)
        self._output += part[: max(0, self._output_kept - len(self._output))]

    def _read_reply(self) -> Reply | None:
        """The reply once it is complete, None while it is not."""
        part = self._available(self._replies)
        if part is None:
            return None
        if not part:
            return Reply("ended")
        self._received += part
        header = frames.HEADER.size
        if len(self._received) < header:
            return None
        size = frames.HEADER.unpack(self._received[:header])[0]
        if size > self._reply_limit:
            return Reply("reply-limit")
        if len(self._received) < header + size:
            return None
        return self._frame(bytes(self._received[header:]), size)

    def _frame(self, body: bytes, size: int) -> Reply:
        self.replied += size
        if len(body) != size:
            return Reply("malformed")
        try:
            return Reply("frame", frames.unpack(body))
        except (ValueError, RecursionError):
            return Reply("malformed")

    @staticmethod
    def _available(pipe: RawIOBase) -> bytes | None:
        """What can be read now: b"" at the end, None if there is nothing yet."""
        try:
            return pipe.read(CHUNK)
        except OSError:  # a reset connection of a pump
            return b""
