"""The processor time of a running process: what tells an endless loop from a call that only waited."""
from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import Limits, Tier, usage

Start = Any
WORKED = "def f():\n    import time\n    end = time.process_time() + {cpu}\n    while time.process_time() < end: pass\n"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_a_time_out_says_how_much_the_request_computed_at_least(strong: Tier, start: Start) -> None:
    waited = start(strong, "import time\ndef f(): time.sleep(99)", Limits(call_seconds=1.5)).call("f")
    looped = start(strong, "def f():\n    while True: pass", Limits(call_seconds=1.5)).call("f")
    assert waited.status == looped.status == "timeout"
    assert waited.cpu_seconds < 0.75 and looped.cpu_seconds > waited.cpu_seconds


def test_what_earlier_requests_computed_does_not_count(strong: Tier, start: Start) -> None:
    source = WORKED.format(cpu=1.0) + "def g():\n    import time\n    time.sleep(99)\n"
    worker = start(strong, source, Limits(call_seconds=6.0))
    assert worker.call("f").ok
    object.__setattr__(worker, "limits", Limits(call_seconds=0.8))
    outcome = worker.call("g")
    assert outcome.status == "timeout" and outcome.cpu_seconds < 0.4


def test_the_limit_of_computing_itself_is_no_wall_time_out(start: Start) -> None:
    source = "def f():\n    while True: pass"
    outcome = start(Tier.KERNEL, source, Limits(cpu_seconds=1, call_seconds=60.0, answer_seconds=60.0)).call("f")
    assert outcome.status == "timeout" and "CPU" in outcome.detail and outcome.cpu_seconds is None


def test_children_count_and_those_that_are_gone_do_not_break_it() -> None:
    loop = "import os, time\nos.fork()\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", loop], start_new_session=True) as process:
        try:
            end = time.monotonic() + 20
            while len(list(usage.tree(process.pid))) < 2 or not (seconds := usage.cpu_seconds(process.pid)):
                assert time.monotonic() < end
                time.sleep(0.02)
            assert 0 < seconds < 60
        finally:
            os.killpg(process.pid, 9)
    assert usage.cpu_seconds(process.pid) is None


def test_a_system_that_does_not_tell_gives_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(usage, "PROC", tmp_path)
    assert usage.cpu_seconds(os.getpid()) is None
