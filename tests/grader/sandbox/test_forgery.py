"""Replies that no honest worker makes, and ends without a reply: found out, and never taken for an answer."""
from __future__ import annotations

import time
from typing import Any

import pytest

from grader.sandbox import Limits, Tier
from grader.sandbox.process import Process

Start = Any

FORGE = """
import json, os, struct, sys, threading, time
def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    os.write(4, struct.pack(">I", len(body)) + body)
def sequence():
    step = sys._getframe()
    while step:
        if "request" in step.f_locals: return step.f_locals["request"]["seq"]
        step = step.f_back
def good(): return {"seq": sequence(), "value": {"float": "0x1p0"}, "changed": None}
def later():
    def work():
        time.sleep(0.1); frame({"seq": 1, "value": None, "changed": None})
    threading.Thread(target=work, daemon=True).start()
def g(): return 2
"""
FORGED = {
    "garbage": "def f(): os.write(4, b'\\0\\0\\0\\3abc')",
    "two frames": "def f(): frame(good())",
    "another request's number": "def f(): frame({'seq': 1, 'value': None, 'changed': None})",
    "number as text": "def f(): frame({**good(), 'seq': str(sequence())})",
    "unknown tag": "def f(): frame({**good(), 'value': {'eval': '1'}})",
    "bare number": "def f(): frame({**good(), 'value': 1})",
    "object array": "def f(): frame({**good(), 'value': {'array': ['|O', [1], 'AAAAAAAAAAA=']}})",
    "NaN token": "def f(): frame(json.dumps({**good(), 'value': float('nan')}).encode())",
    "nesting": "def f(): frame(b'[' * 100_000)",
    "value and error": "def f(): frame({**good(), 'error': {}})",
    "more arguments": "def f(): frame({**good(), 'changed': [None] * 3})",
    "error class of its own": "def f(): frame({'seq': sequence(), 'changed': None, 'error': {'class': 'Passed', "
    "'message': '', 'line': 1, 'refused': '', 'own_class': '', 'note': ''}})",
    "error that is a list": "def f(): frame({'seq': sequence(), 'changed': None, 'error': [1, 2]})",
    "three megabytes of lists": "def f(): frame(b'{\"seq\":%d,\"value\":{\"list\":[' % sequence() + b'[],' * 1_000_000 "
    "+ b'[]]},\"changed\":null}')",
    "patched json": "def f(): json.dumps = lambda *a, **k: '{}'",
    "empty frame": "def f(): os.write(4, b'\\0\\0\\0\\0')",
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGED)
def test_forged_replies_are_found_out(forgery: str, strong: Tier, start: Start) -> None:
    worker = start(strong, FORGE + FORGED[forgery])
    first = worker.call("f")
    second = worker.call("g")  # a second frame may arrive too late for the first call; it never answers the next
    assert "tampered" in (first.status, second.status), (first, second)
    assert second.status == "tampered" and second.value is None and not worker.alive


def test_a_thread_left_behind_cannot_answer_a_later_call(tier: Tier, start: Start) -> None:
    worker = start(tier, FORGE)
    assert worker.call("later").ok
    time.sleep(0.3)
    outcome = worker.call("g")
    assert (outcome.status, outcome.value) == ("tampered", None)


def test_a_frame_that_never_ends(tier: Tier, start: Start) -> None:
    source = FORGE + "def f():\n    os.write(4, b'\\0\\1\\0\\0'); time.sleep(99)"
    assert start(tier, source, Limits(call_seconds=0.5)).call("f").status == "timeout"
    source = FORGE + "def f(): os.write(4, b'\\xff\\xff\\xff\\xff')"
    assert start(tier, source).call("f").status == "output-limit"


ENDINGS = {
    "exit at once": ("import os\ndef f(): os._exit(0)", "killed", "exit 0"),
    "segmentation fault": ("import ctypes\ndef f(): ctypes.string_at(0)", "killed", "SIGSEGV"),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_ends_without_an_answer(ending: str, tier: Tier, start: Start) -> None:
    source, status, detail = ENDINGS[ending]
    outcome = start(tier, source).call("f")
    assert (outcome.status, outcome.detail) == (status, detail), outcome


def test_closing_all_pipes_ends_the_call(tier: Tier, start: Start) -> None:
    source = "import os, time\ndef f(): os.closerange(3, 64); time.sleep(99)"
    worker = start(tier, source, Limits(call_seconds=0.8))
    outcome = worker.call("f")
    kept_open = tier is Tier.FULL and isinstance(worker._process, Process)  # by bwrap's own pid 1
    expected = ("timeout", "call limit 0.8 s") if kept_open else ("killed", "closed its reply pipe")
    assert (outcome.status, outcome.detail) == expected
