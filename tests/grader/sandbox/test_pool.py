"""Warm workers: at once, one for each taker, and all gone at the end, however the app ends."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from grader.sandbox import Limits, Pool, SandboxUnavailable, Tier, pool

ROOT = Path(__file__).resolve().parents[3]
BEST = Tier.FULL if sys.platform == "linux" else Tier.BASIC


def small_pool(tier: Tier = BEST, size: int = 1) -> Pool:
    return Pool(tier, size, limits=Limits(), distributions=(), preload=())


def test_each_taker_gets_a_worker_of_its_own(tier: Tier) -> None:
    with small_pool(tier, 2) as workers, workers.take() as first, workers.take() as second:
        assert first.load("x = 1\ndef f(): return x").ok and second.load("x = 2\ndef f(): return x").ok
        assert (first.call("f").value, second.call("f").value) == (1, 2)


def test_a_warm_worker_answers_sooner_than_one_can_be_started() -> None:
    def answer(workers: Pool) -> float:
        with workers.take() as worker:
            taken = time.perf_counter()
            worker.load("def f(p, q): return min(1.0, p / q)")
            assert worker.call("f", 0.3, 0.6).value == 0.5
            return time.perf_counter() - taken

    began = time.perf_counter()
    with Pool(BEST, 2) as workers:
        answer(workers)
        cold = time.perf_counter() - began
        assert min(answer(workers) for _ in range(5)) < cold / 2


def test_a_worker_outlives_the_thread_that_took_it() -> None:
    with small_pool() as workers:
        taken = []
        taker = threading.Thread(target=lambda: taken.append(workers.take()))
        taker.start()
        taker.join()
        time.sleep(0.1)
        with taken[0] as worker:
            assert worker.load("x = 1").ok


def test_a_worker_killed_while_it_waited_is_replaced() -> None:
    with small_pool() as workers:
        with workers.take() as worker:
            assert worker.alive
        _wait(lambda: len(workers._ready) == 1)
        waiting = workers._ready[0]
        waiting._process.kill()
        with workers.take() as worker:
            assert worker is not waiting and worker.load("x = 1").ok


def test_closing_ends_all_waiting_workers() -> None:
    workers = small_pool(size=2)
    _wait(lambda: len(workers._ready) == 2)
    pids = [worker._process.pid for worker in workers._ready]
    workers.close()
    workers.close()
    assert not any(_exists(pid) for pid in pids)
    with pytest.raises(SandboxUnavailable, match="closed"):
        workers.take()


def test_takers_hear_why_no_worker_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "RETRY_SECONDS", 0.05)
    with Pool(BEST, 1, distributions=("no-such-package",)) as workers:
        for _ in range(2):
            with pytest.raises(SandboxUnavailable, match="no-such-package is not installed"):
                workers.take()


APP = """
    import os, sys, threading, time
    from grader.sandbox import Pool, Tier
    workers = Pool(Tier({tier!r}), 2, distributions=(), preload=())
    kept = workers.take()
    while len(workers._ready) < 2: time.sleep(0.01)
    print(kept._process.pid, *(w._process.pid for w in workers._ready), flush=True)
    {ending}
"""
ENDINGS = {
    "normal exit": "",
    "uncaught error": "raise SystemExit(3)",
    "killed": "time.sleep(60)",
    "fork": "pid = os.fork(); (sys.exit(0) if pid == 0 else os.waitpid(pid, 0)); assert kept.load('x = 1').ok",
}


@pytest.mark.parametrize(
    ("tier", "ending"), [(BEST, ending) for ending in ENDINGS] + [(tier, "killed") for tier in Tier if tier is not BEST]
)
def test_no_process_survives_the_app(tier: Tier, ending: str) -> None:
    """A forked child of the app must not end the parent's workers, nor the app hang at its end."""
    code = textwrap.dedent(APP.format(tier=tier.value, ending=ENDINGS[ending]))
    app = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert app.stdout is not None
    with app, app.stdout:
        pids = [int(word) for word in app.stdout.readline().split()]
        assert len(pids) == 3
        if ending == "killed":
            app.send_signal(signal.SIGKILL)
        assert app.wait(20) == {"uncaught error": 3, "killed": -signal.SIGKILL}.get(ending, 0)
    _wait(lambda: not any(_exists(pid) for pid in pids))


def _exists(pid: int) -> bool:
    """Whether a process with this id runs (a zombie does not)."""
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False


def _wait(condition: object, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.01)
