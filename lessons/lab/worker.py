"""The process that computes a lab run: `python -m lessons.lab.worker`, one request on stdin, JSON lines on stdout.

    {"devices": true}                                                     -> {"event": "devices", "devices": {...}}
    {"choice": {...}, "own": null or {"blanks": {...}, "tier": "full"}}   -> progress events, then one result

It gives way to everything else on the machine, and ends when its stdin does: when the app is gone, however it ended.
"""
from __future__ import annotations

import contextlib
import functools
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grader import catalogue
from grader.judge import Judge
from grader.sandbox import Tier
from solutions.lab.choice import Choice

EXERCISE = "verify_batch"
NICEST = 19


def main() -> None:
    send = _protocol()
    _give_way()
    request = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_the_app, daemon=True).start()
    answer(request, send)
    os._exit(0)  # at once: nothing of what is left needs an orderly end


def answer(request: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
    if request.get("devices"):
        from solutions.lab.environment_torch import devices

        send({"event": "devices", "devices": devices()})
        return
    from solutions.lab.measure_torch import measure

    with _own_function(request["own"]) as own:
        for event in measure(Choice.of_data(request["choice"]), own):
            send(event)


@contextlib.contextmanager
def _own_function(own: dict[str, Any] | None) -> Iterator[Callable[..., Any] | None]:
    """The reader's answer to the exercise, in an isolated process of its own, at the tier that the app allows."""
    if own is None:
        yield None
        return
    tier = Tier(own["tier"])
    judge = Judge(tier, warm=1, accept_basic=tier is Tier.BASIC)
    exercise = catalogue.load(EXERCISE)
    with contextlib.ExitStack() as stack:
        stack.callback(judge.close)

        @functools.cache
        def loaded() -> Callable[..., Any]:
            """At the first call: where it can't be loaded, that run fails and the others go on."""
            return stack.enter_context(judge.function(exercise, own["blanks"]))

        yield lambda *arguments: loaded()(*arguments)


def _protocol() -> Callable[[dict[str, Any]], None]:
    """Lines to the app. What libraries print goes to stderr instead."""
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def send(event: dict[str, Any]) -> None:
        lines.write(json.dumps(event) + "\n")
        lines.flush()

    return send


def _give_way() -> None:
    """Last in the queue for processors, first to go when memory runs out."""
    if hasattr(os, "nice"):
        os.nice(NICEST)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _end_with_the_app() -> None:
    sys.stdin.buffer.read()
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)  # a compiler that works for it too
    os._exit(1)


if __name__ == "__main__":
    main()
