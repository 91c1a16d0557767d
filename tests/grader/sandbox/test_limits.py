"""Each limit ends what exceeds it, in time, and says which one it was."""
from __future__ import annotations

import sys
import time
from typing import Any

import pytest

from grader.sandbox import Limits, Tier

Start = Any

ENDLESS = {
    "python loop": "def f():\n    while True: pass",
    "sleep": "import time\ndef f(): time.sleep(99)",
    "integer power in C": "def f(): return 10 ** 10 ** 8",
    "regular expression in C": "import re\ndef f(): re.match('(a+)+$', 'a' * 40 + 'b')",
    "swallows everything": "def f():\n while True:\n  try:\n   while True: pass\n  except BaseException: pass",
    "exception text": "class E(Exception):\n    def __str__(self):\n        while True: pass\ndef f(): raise E",
    "stolen request pipe": "import os, threading\ndef f():\n    threading.Thread(target=os.read, args=(3, 9)).start()\n"
    "    import time; time.sleep(99)",
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_a_call_that_takes_too_long(source: str, strong: Tier, start: Start) -> None:
    worker = start(strong, source, Limits(call_seconds=0.3))
    began = time.monotonic()
    outcome = worker.call("f")
    assert (outcome.status, outcome.detail) == ("timeout", "call limit 0.3 s")
    assert time.monotonic() - began < 2.0
    assert not worker.alive and worker.call("f").status == "timeout"


def test_the_basic_tier_ends_a_loop_too(start: Start) -> None:
    worker = start(Tier.BASIC, ENDLESS["python loop"], Limits(call_seconds=0.5))
    assert worker.call("f").detail == "call limit 0.5 s"


def test_a_program_that_hangs_while_loading(tier: Tier, start: Start) -> None:
    outcome = start(tier, limits=Limits(call_seconds=0.5)).load("while True: pass")
    assert (outcome.status, outcome.detail) == ("timeout", "call limit 0.5 s")


def test_many_short_calls_share_one_budget(tier: Tier, start: Start) -> None:
    worker = start(tier, "import time\ndef f(): time.sleep(0.3)", Limits(call_seconds=0.6, answer_seconds=1.0))
    outcomes = [worker.call("f") for _ in range(5)]
    assert outcomes[0].ok and outcomes[1].ok
    assert [outcome.detail for outcome in outcomes[3:]] == ["answer limit 1 s"] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="processor time of a child is measured on Linux")
@pytest.mark.parametrize(
    ("tier", "handler"),
    [(Tier.FULL, "SIG_DFL"), (Tier.FULL, "SIG_IGN"), (Tier.KERNEL, "SIG_IGN"), (Tier.BASIC, "SIG_DFL")],
)
def test_processor_time(tier: Tier, handler: str, start: Start) -> None:
    source = f"import signal\nsignal.signal(signal.SIGXCPU, signal.{handler})\ndef f():\n    while True: pass"
    outcome = start(tier, source, Limits(cpu_seconds=1, call_seconds=8)).call("f")
    assert (outcome.status, outcome.detail) == ("timeout", "CPU limit 1 s")


MEMORY = {
    "bytes": "def f(): return len(b'x' * (8 << 30))",
    "list": "def f():\n    kept = []\n    while True: kept.append([0] * 100_000)",
    "string": "def f():\n    text = 'x'\n    while True: text += text",
    "top level": "def f(): exec('kept = bytearray(4 << 30)')",
}


@pytest.mark.skipif(sys.platform != "linux", reason="no address-space limit elsewhere")
@pytest.mark.parametrize("source", MEMORY.values(), ids=MEMORY)
def test_memory(source: str, tier: Tier, start: Start) -> None:
    worker = start(tier, source + "\ndef g(): return 1", Limits(memory_mib=256, call_seconds=10))
    outcome = worker.call("f")
    assert (outcome.status, outcome.detail) == ("memory", "memory limit 256 MiB"), outcome
    assert worker.call("g").value == 1


def test_numpy_memory(strong: Tier, start: Start) -> None:
    worker = start(strong, "import numpy as np\ndef f(): return np.ones(10 ** 10).sum()", numpy=True)
    outcome = worker.call("f")
    assert (outcome.status, outcome.error_line) == ("memory", 2)


def test_printing_is_cut_and_a_flood_ends_the_process(tier: Tier, start: Start) -> None:
    limits = Limits(output_kib=4)
    worker = start(tier, "def f(n): print('x' * n)", limits)
    assert len(worker.call("f", 30_000).output) == 4 * 1024
    flood = worker.call("f", 10_000_000)
    assert (flood.status, flood.detail) == ("output-limit", "printed more than 64 KiB")
    assert len(flood.output) == 4 * 1024 and not worker.alive


def test_a_reply_that_is_too_large(tier: Tier, start: Start) -> None:
    worker = start(tier, "def f(): return 'x' * 200_000", Limits(reply_kib=100))
    assert worker.call("f").detail == "reply limit 100 KiB"


def test_a_large_request_and_reply_within_the_limit(tier: Tier, start: Start) -> None:
    assert start(tier, "def f(text): return text[::-1]").call("f", "ab" * 500_000).value == "ba" * 500_000


def test_threads(strong: Tier, start: Start) -> None:
    source = """
import threading
def f(n):
    done = threading.Event()
    started = 0
    try:
        for _ in range(n):
            threading.Thread(target=done.wait).start()
            started += 1
    finally:
        done.set()
    return started
"""
    worker = start(strong, source, Limits(threads=16))
    assert worker.call("f", 10).value == 10
    outcome = worker.call("f", 10_000)
    assert (outcome.status, outcome.detail) == ("blocked", "thread limit 16")
