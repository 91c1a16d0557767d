"""The code that is handed out with its faults, and the same code repaired."""
from __future__ import annotations

import ast
import random
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.catalogue import BLANK, load
from solutions.batch_cases import Round, batch_of, random_rounds, underflowed
from solutions.bug_hunt import repaired
from solutions.bug_hunt_batch.mistakes import FAULTS, HANDED_OUT
from solutions.bug_hunt_batch.solution import bug_hunt_batch
from solutions.cases import one_hot
from solutions.verify_batch.solution import verify_batch

EXERCISE = load("bug_hunt_batch")


def written(body: str) -> Callable[..., Any]:
    space: dict[str, Any] = {}
    exec(EXERCISE.fill({"body": body}), space)
    function: Callable[..., Any] = space["bug_hunt_batch"]
    return function


def same_as_verify_batch(function: Callable[..., Any], rounds: list[Round], rows_in: str = "float64") -> bool:
    found, wanted = (one(*batch_of(rounds, rows_in)) for one in (function, verify_batch))
    return all(map(torch.equal, found, wanted))


def test_the_code_repaired_is_the_solution() -> None:
    (blank,) = EXERCISE.blank_ids
    assert EXERCISE.fill({blank: repaired(HANDED_OUT, FAULTS)}) == EXERCISE.solution_source


@given(st.integers(0, 2**32), st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_the_code_repaired_does_what_verify_batch_does(seed: int, lengths: list[int]) -> None:
    assert same_as_verify_batch(bug_hunt_batch, random_rounds(random.Random(seed), lengths))


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_what_the_code_was_tested_with_is_right(seed: int, batch: int) -> None:
    """Faulty as it is: one draft token each, all rejected, over float64 rows that nobody looks at afterwards."""
    rounds = random_rounds(random.Random(seed), [1] * batch)
    first = one_hot(0, 6)
    rejected = [one._replace(tokens=[0], draft=[first], target=[[0.0, *[0.2] * 5], first]) for one in rounds]
    assert same_as_verify_batch(written(HANDED_OUT), rejected)


@pytest.mark.parametrize(
    ("fault", "rounds", "rows_in"),
    [
        ("ragged", [Round([0], [[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0]], [0.5], 0.5)] * 3, "float64"),
        ("coins", [Round([0], [[0.25, 0.75], [1.0, 0.0]], [[1.0, 0.0]], [0.5], 0.5)] * 3, "float64"),
        ("bonus", [Round([0, 0], [[0.0, 1.0]] * 3, [[1.0, 0.0]] * 2, [0.5] * 2, 0.5)] * 3, "float64"),
        ("in_place", [underflowed([0.0, 0.5, 0.5], 0.25, 2.0**-25)], "float32"),
    ],
)
def test_where_a_fault_does_not_show(fault: str, rounds: list[Round], rows_in: str) -> None:
    """Equal lengths; one draft token; a rejection everywhere; rows that are converted. So it went unseen."""
    others = [one for one in FAULTS if one.id != fault]
    assert same_as_verify_batch(written(repaired(HANDED_OUT, others)), rounds, rows_in)


def test_the_fault_in_place_spoils_the_callers_rows_and_the_fallback() -> None:
    faulty = written(repaired(HANDED_OUT, [one for one in FAULTS if one.id != "in_place"]))
    batch = batch_of([underflowed([0.0, 0.5, 0.5], 0.25)])
    before = batch.target_rows.clone()
    assert faulty(*batch)[0].tolist() == [[0, -1]]  # a token that the target doesn't know
    assert not batch.target_rows.equal(before)


def test_the_stub_has_one_blank_and_the_faulty_code_is_handed_out_in_it() -> None:
    assert [node.id for node in ast.walk(ast.parse(EXERCISE.stub)) if isinstance(node, ast.Name)].count(BLANK) == 1
    assert BLANK not in EXERCISE.handed_out and "torch.minimum(run, lengths - 1)" in EXERCISE.handed_out
