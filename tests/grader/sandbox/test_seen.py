"""What a worker notices beside its outcome: for a person to read, never a reason for an outcome."""
from __future__ import annotations

import time
from typing import Any

from grader.sandbox import Tier

Start = Any


def test_a_process_that_ends_after_its_answer_is_noticed(start: Start, strong: Tier) -> None:
    source = """
import os, threading, time
def f(): threading.Thread(target=lambda: (time.sleep(0.1), os._exit(3))).start(); return 1
"""
    worker = start(strong, source)
    assert worker.call("f").seen == (("thread", ""),)
    time.sleep(0.6)
    outcome = worker.call("f")
    assert (outcome.status, outcome.seen) == ("killed", (("exited", "3"), ("ended_after_reply", "")))


def test_a_fault_or_a_crash_is_no_exit_of_choice(start: Start, strong: Tier) -> None:
    assert start(strong, "import ctypes\ndef f(): ctypes.string_at(0)").call("f").seen == ()
    assert start(strong, "def f(): open('/data/mine.csv')").call("f").seen == ()
    assert start(strong, "def f(): open('/etc/shadow')").call("f").seen == (("refused_path", "/etc/shadow"),)


def test_what_a_program_changes_is_told_once_and_its_value_still_counts(start: Start, strong: Tier) -> None:
    source = """
import json, sys
class Yes(float):
    def __eq__(self, other): return True
def abs(x): return 0
def f(): json.load = None; return Yes(1)
def g(): sys.modules["struct"] = json; return 2
def h(): return 3
"""
    worker = start(strong)
    loaded = worker.load(source)
    assert loaded.seen == (("shadowed", "abs"),)
    first = worker.call("f")
    assert first.ok and set(first.seen) == {("replaced", "json.load"), ("own_comparison", "Yes.__eq__")}
    second = worker.call("g")
    assert second.value == 2 and second.seen == (("replaced", "struct"),)


def test_a_watch_that_was_broken_costs_nothing(start: Start, strong: Tier) -> None:
    source = """
import sys
def f():
    sys._current_frames = None
    return 1
"""
    outcome = start(strong, source).call("f")
    assert (outcome.value, outcome.seen) == (1, ())


def test_a_reply_after_the_last_call_is_noticed(start: Start, strong: Tier) -> None:
    source = """
import os, threading, time
def f(): threading.Thread(target=lambda: (time.sleep(0.1), os.write(4, b"\\0\\0\\0\\2{}"))).start(); return 1
def g(): return 2
"""
    worker = start(strong, source)
    assert worker.call("g").value == 2 and worker.last_seen() == ()
    assert worker.call("f").value == 1
    time.sleep(0.6)
    assert worker.last_seen() == (("foul_reply", "after the last call"),)
    worker.close()
    assert worker.last_seen() == ()


def test_a_change_of_a_library_after_many_calls_is_told_at_the_end(start: Start, strong: Tier) -> None:
    source = """
import math
def f(): return 1
def g(): math.isclose = f; return 2
"""
    worker = start(strong, source)
    seen = [worker.call("f").seen for _ in range(4)]
    assert (worker.call("g").seen, seen) == ((), [()] * 4)  # the 5th call: the libraries are looked at after the 8th
    assert worker.last_seen() == (("replaced", "math.isclose"),)
    assert worker.last_seen() == ()


def test_a_library_that_was_changed_for_a_while_is_told_when_it_is_next_looked_at(start: Start, strong: Tier) -> None:
    worker = start(strong, "import os\ndef f(): return 1\ndef g(): del os.fspath; return 2")
    assert [worker.call(name).seen for name in "ffgf"] == [(), (), (), (("replaced", "os.fspath"),)]
