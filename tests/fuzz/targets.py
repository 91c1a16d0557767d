"""What each reader of hostile input promises, as functions that raise only where the promise is broken.

Shared by the hypothesis tests beside this file and by the atheris harness (coverage_guided.py).
"""
from __future__ import annotations

import ast
import contextlib
import io
import json
import os
from collections.abc import Sequence
from typing import Any, cast

from grader.reading import suites
from grader.reading.answer import find_answer
from grader.reading.archive import Budget, members
from grader.reading.decode import Unreadable
from grader.reading.files import Cell, Submission, read_submission
from grader.reading.pairing import BLANK
from grader.sandbox import Limits, Tier, outcomes
from grader.sandbox.channel import Channel, Pipes
from grader.sandbox.inside import codec, frames
from tests.grader.reading import suite_cases
from tests.grader.reading.cases import STUB

SETUP = outcomes.Setup(Tier.FULL, Limits(), ("numpy",))
KINDS = frozenset({"frame", "timeout", "ended", "reply-limit", "output-limit", "malformed"})
RULE = (STUB, "rejection_rule", ())  # stub, function, start texts
SUITES = (
    (suite_cases.MIDDLE, "total", ()),
    (suite_cases.FREE, "free", ()),
    (suite_cases.TWO, "area", ()),
    (suite_cases.HUNT, "hunt", (suite_cases.START,)),
)
REPLY_LIMIT, INFLATED = 100_000, 1 << 20


def read_file(data: bytes, name: str) -> None:
    """A file is a submission whose text travels into the isolated process, or Unreadable with a reason."""
    try:
        submission = read_submission(data, name)
    except Unreadable as unreadable:
        assert unreadable.reason.en and unreadable.reason.zh
        return
    for cell in submission.cells:
        cell.source.encode("utf-8")
    try:
        codec.encode(submission.plain(), strict=True)
    except codec.CodecError:  # thousands of cells
        assert len(submission.cells) > 1000


def read_archive(data: bytes) -> None:
    """An archive is a list of members, each of them bytes or Unreadable, or it is Unreadable itself."""
    try:
        found = members(data, "class.zip", Budget(INFLATED))
    except Unreadable:
        return
    for one in found:
        assert one.path and not any(part in ("", ".", "..") or "/" in part for part in one.path)
        with contextlib.suppress(Unreadable):
            assert one.read is None or isinstance(one.read(), bytes)


def decode_value(tree: Any) -> None:
    """A value of a reply is one that `encode` makes too, or CodecError."""
    try:
        value = codec.decode(tree, tensors=True)
    except codec.CodecError:
        return
    again = codec.encode_or_opaque(value)
    twice = codec.encode_or_opaque(codec.decode(again, tensors=True))
    assert _unordered(twice) == _unordered(again) or "opaque" in json.dumps(again)


def _unordered(tree: Any) -> Any:
    """The tree with the elements of its sets sorted: in which order a set gives them is its own business."""
    if isinstance(tree, dict):
        bodies = {tag: _unordered(body) for tag, body in tree.items()}
        return {tag: sorted(body, key=json.dumps) if "set" in tag else body for tag, body in bodies.items()}
    return [*map(_unordered, tree)] if isinstance(tree, list) else tree


def read_reply(data: bytes) -> None:
    """Whatever arrives on the pipes is one of the known ends, and a frame is an outcome or Malformed."""
    with _Fed(data) as channel:
        reply = channel.exchange({"seq": 1}, 0.05 if data else 0.0)
        channel.output()
    assert reply.kind in KINDS
    if reply.kind == "frame":
        judge_message(reply.message)


def judge_message(message: Any) -> None:
    """The message of a frame is an outcome, or Malformed."""
    try:
        outcome = outcomes.from_reply(message, 1, ([1.0], "x"), SETUP)
    except outcomes.Malformed:
        return
    assert outcome.status in ("ok", "error", "memory", "blocked")
    outcome.error_message.encode("utf-8")


def read_frame(body: bytes) -> None:
    """A frame's body is JSON, or one of the two errors that the channel expects."""
    try:
        message = frames.unpack(body)
    except (ValueError, RecursionError):
        return
    judge_message(message)


def align(sources: Sequence[str], stub: tuple[str, str, tuple[str, ...]] = RULE) -> None:
    """Any cells give a verdict, and the program is one that Python takes wherever the blanks alone were used."""
    cells = Submission(tuple(Cell(source, "code", None, None, index) for index, source in enumerate(sources)), ())
    text, name, starts = stub
    result = find_answer(text, name, cells.plain(), (), starts)
    assert result["status"] in ("ok", "missing", "error", "unreadable")
    assert bool(result["source"]) is (result["status"] == "ok")
    assert (result["reason"] is None) is (result["status"] == "ok")
    if result["mode"] == "blanks":
        ast.parse(result["source"])
    codec.encode(result, strict=True)


def fill(text: str) -> None:
    """Any text for a blank of statements is placed in the stub, the same when it is read back and placed again."""
    kept = suites.dedented(text)
    assert suites.dedented(kept) == kept or not suites.inside_strings(kept) == set()
    stub = suites.splice(SUITES[0][0], [text if column is None else kept for column in suites.columns(SUITES[0][0])])
    assert stub.startswith(SUITES[0][0].partition(BLANK)[0])
    suites.essence(text)
    suites.lifted(text, 8)


class _Fed:
    """A channel whose process answers each request with the given bytes, on both pipes."""

    def __init__(self, data: bytes) -> None:
        replies, self._reply = os.pipe()
        printed, self._print = os.pipe()
        self._data, self._pipes = data, [os.fdopen(end, "rb", buffering=0) for end in (replies, printed)]
        ends = cast(Pipes, (_Answering(self), *self._pipes))
        self._channel = Channel(ends, REPLY_LIMIT, output_kept=1000, output_limit=16_000, pumped=False)

    def __enter__(self) -> Channel:
        return self._channel

    def __exit__(self, *_: object) -> None:
        self._channel.close()
        self._end()
        for pipe in self._pipes:
            pipe.close()

    def answer(self) -> None:
        os.write(self._reply, self._data[:60_000])  # a pipe holds 64 KiB
        os.write(self._print, self._data[:60_000])
        self._end()

    def _end(self) -> None:
        for end in (self._reply, self._print):
            if end >= 0:
                os.close(end)
        self._reply = self._print = -1


class _Answering(io.RawIOBase):
    def __init__(self, fed: _Fed) -> None:
        self._fed = fed

    def fileno(self) -> int:
        return self._fed._print

    def write(self, data: Any, /) -> int:
        self._fed.answer()
        return len(data)
