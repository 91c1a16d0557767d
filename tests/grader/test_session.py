"""One answer over several processes: a dead one is replaced, the time budget ends it. Workers are stand-ins."""
from __future__ import annotations

import time
from typing import Any

import pytest

from grader.proxy import StudentFailure
from grader.sandbox import Limits, Outcome
from grader.session import Session
from grader.verdicts import Verdict


class Worker:
    """Answers every call with the next outcome of a list that all workers share."""

    def __init__(self, outcomes: list[Outcome], seconds: float = 0.0) -> None:
        self.outcomes, self.seconds, self.loads, self.closed = outcomes, seconds, 0, False

    def load(self, source: str) -> Outcome:
        self.loads += 1
        return Outcome("ok")

    def call(self, name: str, *arguments: Any) -> Outcome:
        time.sleep(self.seconds)
        return self.outcomes.pop(0)

    def close(self) -> None:
        self.closed = True


def session(outcomes: list[Outcome], seconds: float = 0.0, **limits: float) -> tuple[Session, list[Worker]]:
    workers: list[Worker] = []

    def take() -> Any:
        workers.append(Worker(outcomes, seconds))
        return workers[-1]

    return Session(take, "first line\n  second line\n", "rule", Limits(**limits)), workers  # type: ignore[arg-type]


@pytest.mark.parametrize("status", ["timeout", "memory", "output-limit", "killed", "blocked", "tampered"])
def test_a_bad_end_costs_one_call_and_the_next_gets_a_new_process(status: str) -> None:
    answer, workers = session([Outcome(status, detail="detail"), Outcome("ok", 5)])
    with pytest.raises(StudentFailure) as caught:
        answer.call(())
    assert (caught.value.verdict, caught.value.message) == (Verdict(status), "detail")
    assert answer.call(()).value == 5
    assert [worker.loads for worker in workers] == [1, 1] and workers[0].closed


def test_an_exception_keeps_the_process_and_names_the_students_line() -> None:
    error = Outcome("error", error_class="KeyError", error_message="k", error_line=2)
    answer, workers = session([error, Outcome("ok", 5)])
    with pytest.raises(KeyError) as caught:
        answer.call(())
    assert isinstance(caught.value, StudentFailure) and caught.value.line == "second line"
    assert answer.call(()).value == 5 and len(workers) == 1


def test_the_budget_of_the_answer_ends_it() -> None:
    answer, workers = session([Outcome("ok", 5)], seconds=0.02, answer_seconds=0.01)
    answer.call(())
    with pytest.raises(StudentFailure) as caught:
        answer.call(())
    assert caught.value.verdict is Verdict.TIMEOUT
    answer.__exit__(None, None, None)
    assert workers[0].closed


@pytest.mark.parametrize("line", [0, 3, -1, None])
def test_a_line_number_from_outside_the_program_is_no_line(line: int | None) -> None:
    answer, _ = session([Outcome("error", error_class="ValueError", error_line=line)])
    with pytest.raises(StudentFailure) as caught:
        answer.call(())
    assert caught.value.line == ""
