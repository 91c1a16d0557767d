"""The pipes themselves, also with the pumps that Windows needs: here with a plain child process on the other end."""
from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import cast

import pytest

from grader.sandbox.channel import Channel, Pipes
from grader.sandbox.inside import frames

CHILD = """
import os, struct, sys, time
def receive():
    size = struct.unpack(">I", sys.stdin.buffer.read(4))[0]
    return sys.stdin.buffer.read(size)
def send(body, announced=None):
    data = struct.pack(">I", len(body) if announced is None else announced) + body
    while data: data = data[os.write(1, data):]
"""
Open = Callable[[str], Channel]


@pytest.fixture(params=[False, True], ids=["pipes", "pumps"])
def open_channel(request: pytest.FixtureRequest) -> Iterator[Open]:
    opened: list[tuple[subprocess.Popen[bytes], Channel]] = []

    def begin(code: str) -> Channel:
        command = [sys.executable, "-I", "-S", "-c", CHILD + code]
        piped = subprocess.PIPE
        child = subprocess.Popen(command, stdin=piped, stdout=piped, stderr=piped, bufsize=0)
        ends = cast(Pipes, (child.stdin, child.stdout, child.stderr))
        channel = Channel(ends, reply_limit=3_000_000, output_kept=100, output_limit=5_000, pumped=request.param)
        opened.append((child, channel))
        return channel

    yield begin
    for child, channel in opened:
        child.kill()
        child.wait()
        channel.close()
        for pipe in (child.stdin, child.stdout, child.stderr):
            assert pipe is not None
            pipe.close()


def test_requests_and_replies_of_any_size(open_channel: Open) -> None:
    channel = open_channel("while True: send(receive())")
    for message in ({"a": [1, None, "é"]}, "x" * 2_000_000, []):
        reply = channel.exchange(message, 10)
        assert (reply.kind, reply.message) == ("frame", message)


def test_printed_text_is_kept_up_to_a_size_and_for_one_exchange(open_channel: Open) -> None:
    channel = open_channel("while True: receive(); os.write(2, b'y' * 300); send(b'1')")
    for _ in range(3):
        assert channel.exchange(None, 10).kind == "frame"
        _settle(lambda: len(channel.output()) == 100)
        assert channel.output() == b"y" * 100


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("receive(); time.sleep(9)", "timeout"),
        ("time.sleep(9)", "timeout"),
        ("receive()", "ended"),
        ("receive(); send(b'', 4_000_000_000)", "reply-limit"),
        ("receive(); os.write(2, b'z' * 20_000); time.sleep(9)", "output-limit"),
        ("receive(); send(b'1') ; send(b'2'); time.sleep(9)", "malformed"),
        ("receive(); send(b'{'); time.sleep(9)", "malformed"),
        ("receive(); send(b''); time.sleep(9)", "malformed"),
        ("os.close(1); receive(); time.sleep(9)", "ended"),
    ],
)
def test_bad_ends(code: str, kind: str, open_channel: Open) -> None:
    channel = open_channel(code)
    seen = [channel.exchange("x" * 200_000, 0.7).kind]
    if seen == ["frame"]:  # the second of two frames came a moment later: it must not answer the next request
        time.sleep(0.2)
        seen.append(channel.exchange(None, 0.7).kind)
    assert seen[-1] == kind


def test_a_frame_that_nobody_asked_for(open_channel: Open) -> None:
    channel = open_channel("send(b'1'); receive(); send(b'2'); time.sleep(9)")
    time.sleep(0.3)
    assert channel.exchange(None, 2).kind == "malformed"


def test_a_frame_is_one_write_of_header_and_ascii() -> None:
    assert frames.pack(["é", 1]) == b'\x00\x00\x00\x0c["\\u00e9",1]'


def _settle(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
