"""A time-out on a loaded machine, with real processes: one that is stopped looks like one that gets no processor."""
from __future__ import annotations

import dataclasses
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from exercises.expect import Text, call
from grader.catalogue import Check, Exercise
from grader.judge import Judge
from grader.reading.files import Cell, Submission
from grader.sandbox import Limits, Worker, usage
from grader.verdicts import Report, Verdict

WHY = Text("because", "因为")
CALL = 1.0  # seconds


def doubles(double: Callable[..., Any]) -> None:
    call(double, 1).equals(2, WHY)


@pytest.fixture
def small(exercise: Exercise, monkeypatch: pytest.MonkeyPatch) -> Exercise:
    monkeypatch.setattr("grader.known_mistakes.match", lambda exercise, answer: ())
    title = Text("doubles", "doubles")
    return dataclasses.replace(
        exercise,
        id="double",
        stub="def double(x):\n    return ______\n",
        blank_ids=("answer",),
        checks=(Check("doubles", title, title, "g", 1, True, doubles),),
        limits=Limits(call_seconds=CALL, answer_seconds=4 * CALL),
        mistakes=(),
        probes=((3,),),
    )


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """The worker of every call that is made."""
    made: list[Worker] = []
    real = Worker.call

    def counted(self: Worker, name: str, *arguments: object) -> Any:
        made.append(self)
        return real(self, name, *arguments)

    monkeypatch.setattr(Worker, "call", counted)
    return made


def judged(judge: Judge, exercise: Exercise, answer: str) -> Report:
    return judge.judge_blanks(exercise, {"answer": answer}, hidden=True, seed=1)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_right_answer_whose_process_got_no_processor_passes(
    judge: Judge, small: Exercise, calls: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Worker.call

    def stopped_once(self: Worker, name: str, *arguments: object) -> Any:
        if not calls:
            os.kill(list(usage.tree(self._process.pid))[-1], signal.SIGSTOP)
        return real(self, name, *arguments)

    monkeypatch.setattr(Worker, "call", stopped_once)
    report = judged(judge, small, "2 * x")
    assert report.passed and len(calls) == 3  # the stopped one, the same alone, and the look at steadiness
    assert calls[0] is not calls[1] is calls[2]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_an_answer_whose_parsing_got_no_processor_is_read_again_alone(
    judge: Judge, small: Exercise, calls: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, stopped = Worker.trusted, list[int]()

    def stopped_once(self: Worker, *given: Any) -> Any:
        if not stopped:
            stopped.append(list(usage.tree(self._process.pid))[-1])
            os.kill(stopped[0], signal.SIGSTOP)
        return real(self, *given)

    monkeypatch.setattr(Worker, "trusted", stopped_once)
    assert judged(judge, small, "2 * x").passed and stopped


def test_no_answer_takes_its_time_twice(judge: Judge, small: Exercise, calls: list[Worker]) -> None:
    """Blanks that loop, in a function whose locked lines were changed: both readings of it share the answer's time."""
    changed = "def double(x):\n    y = x\n    return [0 for _ in iter(int, 1)]\n"
    many = dataclasses.replace(small, checks=small.checks * 9, limits=Limits(call_seconds=0.5, answer_seconds=1.2))
    cell = Cell(source=changed, kind="code", marker="double", id=None, index=0)
    began = time.monotonic()
    report = judge.judge(many, Submission(cells=(cell,), notes=()), hidden=True, seed=1)
    assert report.verdict is Verdict.TIMEOUT
    assert time.monotonic() - began < 1.2 + 0.5 + 2.5  # and what starting processes takes


def test_an_endless_loop_is_no_waiting_and_gets_no_second_time(
    judge: Judge, small: Exercise, calls: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`STARVED` is lowered: on a machine that really is loaded the loop gets little, and yet some, processor time."""
    monkeypatch.setattr("grader.session.STARVED", 0.02)
    report = judged(judge, small, "[0 for _ in iter(int, 1)]")
    assert report.verdict is Verdict.TIMEOUT and len(calls) == 1


def test_a_sleeping_answer_holds_the_others_up_for_one_call_only(
    judge: Judge, small: Exercise, calls: list[Worker]
) -> None:
    many = dataclasses.replace(small, checks=small.checks * 3)
    sleeper = threading.Thread(target=judged, args=(judge, many, "__import__('time').sleep(60)"))
    sleeper.start()
    time.sleep(1.2 * CALL)  # it is alone now
    assert judged(judge, small, "2 * x").passed and sleeper.is_alive()
    sleeper.join()
    assert len(calls) - 2 <= 5  # the other made two
