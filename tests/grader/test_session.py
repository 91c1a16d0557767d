"""One answer over several processes: a dead one is replaced, the time budget ends it. Workers are stand-ins."""
from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import pytest

from grader.proxy import StudentFailure
from grader.sandbox import Limits, Outcome
from grader.session import RETRIES, Session
from grader.verdicts import Verdict


class Worker:
    """Answers every call with the next outcome of a list that all workers share."""

    def __init__(self, outcomes: list[Outcome], seconds: float = 0.0) -> None:
        self.outcomes, self.seconds, self.loads, self.closed = outcomes, seconds, 0, False
        self.replied = 0

    def load(self, source: str) -> Outcome:
        self.loads += 1
        return Outcome("ok")

    def call(self, name: str, *arguments: Any) -> Outcome:
        time.sleep(self.seconds)
        self.replied += 2_800
        return self.outcomes.pop(0)

    def allow(self, seconds: float) -> None:
        self.allowed = seconds

    def last_seen(self) -> tuple[tuple[str, str], ...]:
        return ()

    def close(self) -> None:
        self.closed = True


def session(outcomes: list[Outcome], seconds: float = 0.0, **limits: float) -> tuple[Session, list[Worker]]:
    workers: list[Worker] = []

    def take() -> Any:
        workers.append(Worker(outcomes, seconds))
        return workers[-1]

    return Session(take, "first line\n  second line\n", Limits(**limits)), workers  # type: ignore[arg-type]


@pytest.mark.parametrize("status", ["timeout", "memory", "output-limit", "killed", "blocked", "tampered"])
def test_a_bad_end_costs_one_call_and_the_next_gets_a_new_process(status: str) -> None:
    answer, workers = session([Outcome(status, detail="detail"), Outcome("ok", 5)])
    with pytest.raises(StudentFailure) as caught:
        answer.call("rule", ())
    assert (caught.value.verdict, caught.value.message) == (Verdict(status), "detail")
    assert answer.call("rule", ()).value == 5
    assert [worker.loads for worker in workers] == [1, 1] and workers[0].closed


def test_an_exception_keeps_the_process_and_names_the_students_line() -> None:
    error = Outcome("error", error_class="KeyError", error_message="k", error_line=2)
    answer, workers = session([error, Outcome("ok", 5)])
    with pytest.raises(KeyError) as caught:
        answer.call("rule", ())
    assert isinstance(caught.value, StudentFailure) and caught.value.line == "second line"
    assert answer.call("rule", ()).value == 5 and len(workers) == 1


def test_the_budget_of_the_answer_ends_it() -> None:
    answer, workers = session([Outcome("ok", 5)], seconds=0.02, answer_seconds=0.01)
    answer.call("rule", ())
    with pytest.raises(StudentFailure) as caught:
        answer.call("rule", ())
    assert caught.value.verdict is Verdict.TIMEOUT
    answer.__exit__(None, None, None)
    assert workers[0].closed


def test_no_call_takes_longer_than_what_is_left_of_the_answers_time() -> None:
    answer, workers = session([Outcome("ok", 5), Outcome("ok", 5)], seconds=0.05, answer_seconds=10.0)
    answer.call("rule", ())
    answer.call("rule", ())
    assert 9.0 < workers[0].allowed < 10.0 - 0.05


def test_what_an_answer_returns_in_all_is_bounded_over_its_processes() -> None:
    killed = Outcome("killed")
    answer, _ = session([Outcome("ok", 5), killed, Outcome("ok", 5), Outcome("ok", 5)], reply_kib=1)  # 8 KiB in all
    assert answer.call("rule", ()).value == 5
    with pytest.raises(StudentFailure):
        answer.call("rule", ())
    assert answer.call("rule", ()).value == 5
    for _ in range(2):
        with pytest.raises(StudentFailure) as caught:
            answer.call("rule", ())
        assert caught.value.verdict is Verdict.OUTPUT_LIMIT


def test_time_that_is_gone_already_counts() -> None:
    answer = Session(lambda: None, "", Limits(answer_seconds=10.0), spent=10.0)  # type: ignore[arg-type,return-value]
    answer._worker = Worker([])  # type: ignore[assignment]
    with pytest.raises(StudentFailure) as caught:
        answer.load()
    assert caught.value.verdict is Verdict.TIMEOUT


@pytest.mark.parametrize("line", [0, 3, -1, None])
def test_a_line_number_from_outside_the_program_is_no_line(line: int | None) -> None:
    answer, _ = session([Outcome("error", error_class="ValueError", error_line=line)])
    with pytest.raises(StudentFailure) as caught:
        answer.call("rule", ())
    assert caught.value.line == ""


class Alone:
    """Counts how often an answer asks to be alone, and whether it is now."""

    def __init__(self) -> None:
        self.times, self.now = 0, False

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        self.times, self.now = self.times + 1, True
        yield
        self.now = False


STARVED = Outcome("timeout", detail="call limit", cpu_seconds=0.0)
BUSY = Outcome("timeout", detail="call limit", cpu_seconds=1e9)


def retrying(outcomes: list[Outcome], **limits: float) -> tuple[Session, list[Worker], Alone]:
    workers, alone = list[Worker](), Alone()

    def take() -> Any:
        workers.append(Worker(outcomes, 0.001))
        return workers[-1]

    return Session(take, "", Limits(**limits), alone=alone), workers, alone  # type: ignore[arg-type]


def test_a_call_that_only_waited_is_made_again_alone_in_a_fresh_process() -> None:
    answer, workers, alone = retrying([STARVED, Outcome("ok", 5)])
    assert answer.call("rule", ()).value == 5
    assert alone.times == 1 and not alone.now
    assert [worker.loads for worker in workers] == [1, 1] and workers[0].closed and not workers[1].closed


@pytest.mark.parametrize(
    "outcome", [BUSY, Outcome("timeout", detail="CPU limit"), *map(Outcome, ("memory", "killed", "blocked"))]
)
def test_what_computed_or_ended_in_another_way_is_not_made_again(outcome: Outcome) -> None:
    answer, workers, alone = retrying([outcome, Outcome("ok", 5)])
    with pytest.raises(StudentFailure):
        answer.call("rule", ())
    assert alone.times == 0 and len(workers) == 1


@pytest.mark.parametrize("again", [STARVED, BUSY])
def test_a_second_time_out_counts_and_is_the_answers_last_time_alone(again: Outcome) -> None:
    answer, _, alone = retrying([STARVED, again, STARVED, Outcome("ok", 5)])
    for _ in range(2):
        with pytest.raises(StudentFailure) as caught:
            answer.call("rule", ())
        assert caught.value.verdict is Verdict.TIMEOUT
    assert alone.times == 1 and answer.call("rule", ()).value == 5


def test_an_answer_is_alone_so_many_times_and_no_more() -> None:
    answer, _, alone = retrying([STARVED, Outcome("ok", 5)] * RETRIES + [STARVED])
    for _ in range(RETRIES):
        assert answer.call("rule", ()).value == 5
    with pytest.raises(StudentFailure):
        answer.call("rule", ())
    assert alone.times == RETRIES


def test_the_time_of_an_attempt_that_only_waited_is_not_the_answers() -> None:
    answer, workers, _ = retrying([STARVED, Outcome("ok", 5), Outcome("ok", 6)], answer_seconds=0.06)
    real = Worker.call

    def slow_once(self: Worker, name: str, *arguments: Any) -> Outcome:
        if len(workers) == 1:
            time.sleep(0.08)
        return real(self, name, *arguments)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Worker, "call", slow_once)
        assert [answer.call("rule", ()).value, answer.call("rule", ()).value] == [5, 6]
