"""The locked lines of the exercise: the input checks, the copies, and that only seven blanks are open."""
from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

from grader.catalogue import BLANK, load
from solutions.target_distribution.solution import OFF, RANGES, target_distribution

EXERCISE = load("target_distribution")
ROWS = np.array([[1.0, 0.0, -1.0], [0.5, 0.5, 0.5]])
HISTORY: Any = ([0], [1], [2])


def refused(message: str, logits: Any = ROWS, history: Any = HISTORY, **params: Any) -> None:
    with pytest.raises(ValueError) as raised:
        target_distribution(logits, params, history)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("logits", "message"),
    [
        (np.zeros(3), "logits has shape (3,) of float64; it must be (K + 1, V) numbers, V at least 1"),
        (np.zeros((2, 0)), "logits has shape (2, 0) of float64; it must be (K + 1, V) numbers, V at least 1"),
        (np.zeros((2, 3), bool), "logits has shape (2, 3) of bool; it must be (K + 1, V) numbers, V at least 1"),
        (np.full((2, 3), np.nan), "logits[0, 0] is nan; a logit is -inf or within 1e100 of 0"),
        (np.array([[0, 0, 0], [0, 0, np.inf]]), "logits[1, 2] is inf; a logit is -inf or within 1e100 of 0"),
        (np.array([[0, 0, 0], [0, -2e100, 0]]), "logits[1, 1] is -2e+100; a logit is -inf or within 1e100 of 0"),
        (ROWS[:1], "1 rows of logits, 1 draft tokens; K draft tokens need K + 1 rows"),
        (
            np.array([[0, 0, 0], [-np.inf] * 3]),
            "row 1 leaves no token; one at least must be allowed and have a logit above -inf",
        ),
    ],
)
def test_bad_logits_are_refused_with_value_rule_and_place(logits: np.ndarray, message: str) -> None:
    refused(message, logits)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"temperature": -0.5}, "temperature is -0.5; it must be a number from 0 to 100"),
        ({"temperature": float("nan")}, "temperature is nan; it must be a number from 0 to 100"),
        ({"temperature": 0.001}, "temperature is 0.001; it must be 0, or at least 0.01"),
        ({"top_k": -2}, "top_k is -2; it must be a number from -1 to 2147483648"),
        ({"top_k": 1.5}, "top_k is 1.5; it must be an integer"),
        ({"top_p": 1.5}, "top_p is 1.5; it must be a number from 0 to 1"),
        ({"top_p": 0.0}, "top_p is 0; it must be above 0"),
        ({"min_p": -0.1}, "min_p is -0.1; it must be a number from 0 to 1"),
        ({"repetition_penalty": 0.0}, "repetition_penalty is 0.0; it must be a number from 0.01 to 100"),
        ({"presence_penalty": 3.0}, "presence_penalty is 3.0; it must be a number from -2 to 2"),
        ({"frequency_penalty": -3.0}, "frequency_penalty is -3.0; it must be a number from -2 to 2"),
        ({"logit_bias": {1: 101.0}}, "logit_bias[1] is 101.0; it must be a number from -100 to 100"),
        ({"logit_bias": {3: 1.0}}, "logit_bias has token 3; a token id is an integer from 0 to 2"),
        ({"temprature": 1.0}, f"params has temprature; known are {', '.join(OFF)}"),
        ({"allowed_tokens": [[0]]}, "2 rows of logits, 1 lists in allowed_tokens; each row needs its own"),
        ({"allowed_tokens": []}, "2 rows of logits, 0 lists in allowed_tokens; each row needs its own"),
        ({"allowed_tokens": [[0], [5]]}, "allowed_tokens[1] has token 5; a token id is an integer from 0 to 2"),
        (
            {"allowed_tokens": [[0], []]},
            "row 1 leaves no token; one at least must be allowed and have a logit above -inf",
        ),
    ],
)
def test_bad_parameters_are_refused(params: dict[str, Any], message: str) -> None:
    refused(message, **params)


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (([3], [], [0]), "prompt_tokens has token 3; a token id is an integer from 0 to 2"),
        (([], [-1], [0]), "output_tokens has token -1; a token id is an integer from 0 to 2"),
        (([], [], [-1]), "draft_tokens has token -1; a token id is an integer from 0 to 2"),
        (([], [1.0], [0]), "output_tokens has token 1.0; a token id is an integer from 0 to 2"),
        (([], [True], [0]), "output_tokens has token True; a token id is an integer from 0 to 2"),
        (([], [], [0, 0]), "2 rows of logits, 2 draft tokens; K draft tokens need K + 1 rows"),
    ],
)
def test_a_bad_history_is_refused(history: Any, message: str) -> None:
    refused(message, history=history)


def test_a_token_that_only_the_logits_forbid_leaves_no_choice() -> None:
    rows = np.array([[0.0, -np.inf, 0.0], [0.0, 0.0, 0.0]])
    message = "row 0 leaves no token; one at least must be allowed and have a logit above -inf"
    refused(message, rows, allowed_tokens=[[1], [0]])


def test_the_ranges_include_the_values_that_are_off() -> None:
    assert all(low <= OFF[name] <= high for name, (low, high) in RANGES.items())
    assert OFF.keys() - RANGES.keys() == {"logit_bias", "allowed_tokens"}


def test_histories_may_be_arrays() -> None:
    params = {"frequency_penalty": 0.5}
    arrays: Any = tuple(np.array(tokens) for tokens in HISTORY)
    assert np.array_equal(target_distribution(ROWS, params, arrays), target_distribution(ROWS, params, HISTORY))
    empty: Any = (np.array([], dtype=np.int64), (), [])
    assert np.array_equal(target_distribution(ROWS[:1], params, empty), target_distribution(ROWS[:1], {}, ([], [], [])))


def test_the_stub_has_exactly_seven_blanks_and_each_is_a_name() -> None:
    names = [node.id for node in ast.walk(ast.parse(EXERCISE.stub)) if isinstance(node, ast.Name)]
    assert names.count(BLANK) == EXERCISE.stub.count(BLANK) == len(EXERCISE.blank_ids) == 7
    assert f"        emitted = {BLANK}\n" in EXERCISE.stub and f"    weights = {BLANK}\n" in EXERCISE.stub
    assert f"    kept = {BLANK}\n" in EXERCISE.stub
    assert [column for column in EXERCISE.columns if column] == [8, 4, 4, 4]


def test_the_stub_imports_numpy_and_typing_only() -> None:
    imports = [node for node in ast.walk(ast.parse(EXERCISE.stub)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert [ast.unparse(node) for node in imports] == ["from typing import Any", "import numpy as np"]
