"""What the bug hunt hands out: code with its faults, which is no answer yet, and hints whose numbers are true."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.catalogue import BLANK, load
from grader.reading.answer import find_answer
from solutions.bug_hunt_kernel.solution import bug_hunt_kernel

EXERCISE = load("bug_hunt_kernel")
START = EXERCISE.starts["body"]
PAIR = (np.array([0, 1]), np.full((3, 2), 0.5), np.full((2, 2), 0.5))


def found(source: str) -> dict[str, Any]:
    cells = [{"source": source, "kind": "code", "marker": None, "id": "", "index": 0}]
    return find_answer(EXERCISE.stub, EXERCISE.id, cells, EXERCISE.blank_ids, tuple(EXERCISE.starts.values()))


def handed_out() -> Callable[..., list[int]]:
    space: dict[str, Any] = {}
    exec(EXERCISE.handed_out, space)
    function: Callable[..., list[int]] = space[EXERCISE.id]
    return function


def test_the_whole_body_is_one_blank_that_holds_the_faulty_code() -> None:
    assert EXERCISE.stub.count(BLANK) == 1 and BLANK not in EXERCISE.handed_out
    assert "".join(START.split()) in "".join(EXERCISE.handed_out.split())


@pytest.mark.parametrize("old, new", [("", ""), ("# Accept", "# accept"), ("\n\n", "\n\n\n")])
def test_code_that_is_untouched_is_no_answer_yet(old: str, new: str) -> None:
    assert found(EXERCISE.handed_out.replace(old, new) if old else EXERCISE.handed_out)["status"] == "missing"


def test_code_with_one_repair_is_an_answer() -> None:
    assert found(EXERCISE.handed_out.replace("coins <=", "coins <"))["status"] == "ok"


def test_the_numbers_of_the_last_hint() -> None:
    target, draft = [[0.0, 0.4999999, 0.4999999], [1.0, 0.0, 0.0]], [[0.0, 0.5, 0.5]]
    given = (np.array([1]), np.array(target), np.array(draft), np.array([1.0 - 2.0**-40]))
    assert handed_out()(*given, 0.3) == [0]
    assert (bug_hunt_kernel(*given, 0.3), bug_hunt_kernel(*given, 0.7)) == ([1], [2])
    assert 1e-13 / (1e-13 + 1e-10) == pytest.approx(0.001, rel=2e-3)
    assert len(bug_hunt_kernel(*PAIR, np.array([0.5, 0.5]), 0.5)) == 3 == len(handed_out()(*PAIR, np.zeros(2), 0.5)) + 1


def test_the_code_that_is_handed_out_returns_python_integers() -> None:
    for function in (handed_out(), bug_hunt_kernel):
        assert all(type(token) is int for token in function(*PAIR, np.array([0.5, 0.5]), 0.5))
