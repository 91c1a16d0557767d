"""The line before the lab, and its processes: one at a time, progress, Cancel, readers who left, nothing left over."""
from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader import catalogue
from grader.known_mistakes import solution_blanks
from lessons.lab import limits, line
from lessons.lab.line import Line, Refused, State, Ticket
from lessons.lab.process import ROOT, Worker
from solutions.lab.choice import GIB, Choice

SOON = 30.0  # seconds; a busy machine takes its time
SLEEPS = "import sys, time; sys.stdin.readline(); print('{}', flush=True); time.sleep(600)"
ENDS = "import sys; sys.stdin.readline()"
TELLS = """
import json, sys
asked = json.loads(sys.stdin.readline())
print(json.dumps({"event": "progress", "part": 0.5, "stage": "data", "run": ""}))
print("no JSON at all")
print(json.dumps({"event": "result", "asked": asked}))
"""
HAS_A_CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print('{"event": "progress", "child": %d}' % child.pid, flush=True)
time.sleep(600)
"""
posix = pytest.mark.skipif(os.name != "posix", reason="process groups")


def worker(script: str) -> Callable[..., Worker]:
    return functools.partial(Worker, command=(sys.executable, "-c", script))


def until(true: Callable[[], Any]) -> None:
    deadline = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def closed(ticket: Ticket) -> bool:
    return not ticket.open


def alive(pid: int) -> bool:
    """A zombie is not: it waits for its parent to ask."""
    if not Path("/proc").exists():
        return subprocess.run(["ps", "-p", str(pid)], capture_output=True).returncode == 0
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_run_tells_its_progress_and_its_result() -> None:
    one = Line(worker(TELLS))
    ticket = one.enter("ann", {"choice": 1})
    until(lambda: closed(ticket))
    assert ticket.state is State.DONE and ticket.progress["part"] == 0.5
    assert ticket.result == {"event": "result", "asked": {"choice": 1}}


def test_one_runs_and_the_others_wait_in_order() -> None:
    one = Line(worker(SLEEPS))
    first, second, third = (one.enter(name, {}) for name in ("ann", "bob", "cem"))
    until(lambda: first.state is State.RUNNING)
    assert [one.place(ticket) for ticket in (first, second, third)] == [0, 1, 2]
    one.cancel(second)
    assert second.state is State.CANCELLED and one.place(third) == 1
    one.cancel(first)
    until(lambda: third.state is State.RUNNING)
    assert first.state is State.CANCELLED and one.place(third) == 0
    one.cancel(third)
    until(lambda: closed(third))


def test_a_learner_has_one_place_and_the_line_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "LONGEST", 2)
    one = Line(worker(SLEEPS))
    tickets = [one.enter(name, {}) for name in ("ann", "bob", "cem")]
    with pytest.raises(Refused, match="refused.already"):
        one.enter("ann", {})
    with pytest.raises(Refused, match="refused.full"):
        one.enter("dan", {})
    for ticket in reversed(tickets):
        one.cancel(ticket)
    until(lambda: all(map(closed, tickets)))
    again = one.enter("ann", {})
    one.cancel(again)
    until(lambda: closed(again))


@posix
def test_cancel_ends_the_process_and_what_it_has_started() -> None:
    started: list[Worker] = []

    def start(*arguments: Any) -> Worker:
        started.append(worker(HAS_A_CHILD)(*arguments))
        return started[0]

    one = Line(start)
    ticket = one.enter("ann", {})
    until(lambda: "child" in ticket.progress)
    pids = [started[0].pid, ticket.progress["child"]]
    assert all(map(alive, pids))
    one.cancel(ticket)
    until(lambda: closed(ticket))
    until(lambda: not any(map(alive, pids)))


def test_a_reader_who_left_is_not_waited_for() -> None:
    one = Line(worker(SLEEPS), unseen_seconds=0.3)
    first, second = one.enter("ann", {}), one.enter("bob", {})
    until(lambda: closed(first) and closed(second))
    assert (first.state, second.state) == (State.LEFT, State.LEFT)


def test_a_run_that_takes_too_long_or_ends_without_a_result_is_told_as_such() -> None:
    slow = Line(worker(SLEEPS), limit_seconds=0.3).enter("ann", {})
    ended = Line(worker(ENDS)).enter("ann", {})
    nothing = Line(functools.partial(Worker, command=("/no/such/program",))).enter("ann", {})
    until(lambda: all(map(closed, (slow, ended, nothing))))
    assert (slow.state, ended.state, nothing.state) == (State.TIME_OUT, State.CRASHED, State.CRASHED)


# --- the real worker -------------------------------------------------------------------------------------------------


def test_the_real_worker_measures_in_a_process_of_its_own() -> None:
    """With an answer to the exercise; it leaves no process."""
    choice = Choice(requests=1, drafts=1, size=16, runs=("numpy", "own"))
    own = {"blanks": solution_blanks(catalogue.load("verify_batch")), "tier": "basic"}
    before = ours()
    one = Line()
    ticket = one.enter("ann", {"choice": choice.as_data(), "own": own})
    until(lambda: one.place(ticket) or ticket.progress)
    if Path("/proc").exists():
        [pid] = [pid for pid in ours() - before if "lessons.lab.worker" in command(pid)]
        assert os.getpriority(os.PRIO_PROCESS, pid) == 19
    deadline = time.monotonic() + 4 * SOON
    while ticket.open and time.monotonic() < deadline:
        one.place(ticket)
        time.sleep(0.1)
    assert ticket.state is State.DONE and ticket.result is not None
    for found in ticket.result["outcomes"]:
        assert (found["status"], found["equal"], found["law_error"]) == ("ok", 1, 0.0), found
    until(lambda: not ours() - before)


def ours() -> set[int]:
    """Living processes of lab workers and of what they isolate, that this test process has started."""
    if not Path("/proc").exists():
        return set()
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return {pid for pid in pids if alive(pid) and os.getpid() in ancestors(pid) and pid != os.getpid()}


def ancestors(pid: int) -> list[int]:
    found: list[int] = []
    while pid > 1 and len(found) < 30:
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            break
        found.append(pid)
    return found


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


@posix
def test_a_worker_ends_when_the_app_is_killed() -> None:
    """The app can't tell it then: its stdin ends."""
    code = (
        "import sys, time; from lessons.lab.process import Worker; from solutions.lab.choice import Choice\n"
        "one = Worker({'choice': Choice(runs=('naive',)).as_data(), 'own': None}, print)\n"
        "print(one.pid, flush=True); time.sleep(600)"
    )
    app = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert app.stdout is not None
    pid = int(app.stdout.readline())
    app.stdout.readline()  # it has begun
    assert alive(pid)
    app.send_signal(signal.SIGKILL)
    app.wait()
    app.stdout.close()
    until(lambda: not alive(pid))


def test_the_app_asks_for_devices_without_importing_torch() -> None:
    code = (
        "import json, sys; from lessons.lab import chart, limits; import lessons.pages.lab\n"
        "print(json.dumps([limits.devices(), 'torch' in sys.modules, 'triton' in sys.modules]))"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    devices, torch, triton = json.loads(told.stdout.splitlines()[-1])
    assert "cpu" in devices and not torch and not triton


# --- limits ----------------------------------------------------------------------------------------------------------


def test_a_run_may_take_half_of_what_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONTROL_GROUP", tmp_path)
    monkeypatch.setattr(limits, "MEMINFO", tmp_path / "meminfo")
    assert limits.limit() == limits.HARD_CAP // 2  # a machine that doesn't tell
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable: 2097152 kB\n")
    assert limits.limit() == GIB
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("5\n")
    assert limits.limit() == GIB
    (tmp_path / "memory.max").write_text(f"{GIB // 2 + 5}\n")
    assert limits.limit() == GIB // 4
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "meminfo").write_text("MemAvailable: 1097152000 kB\n")
    assert limits.limit() == limits.HARD_CAP
