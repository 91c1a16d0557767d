"""The locked lines of the exercise: input checks, the upcast, the name that the source uses, and the open blanks."""
from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np
import pytest

from exercises.expect import shortened
from grader.catalogue import BLANK, load
from solutions.speculative_step.solution import speculative_step, speculative_step_verification

EXERCISE = load("speculative_step")
HALVES = [0.5, 0.5]
TARGET, DRAFT = [HALVES, HALVES], [HALVES]
UNIFORM = np.full((3, 10), 0.1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"draft_tokens": [[1]]}, "draft_tokens has shape (1, 1); with K = 1 and V = 2 it must be (1,)"),
        ({"draft_tokens": [1, 0]}, "target_rows has shape (2, 2); with K = 2 and V = 2 it must be (3, 2)"),
        ({"target_rows": [HALVES]}, "target_rows has shape (1, 2); with K = 1 and V = 2 it must be (2, 2)"),
        ({"target_rows": 0.5}, "target_rows has shape (); with K = 1 and V = 0 it must be (2, 0)"),
        ({"draft_rows": [HALVES, HALVES]}, "draft_rows has shape (2, 2); with K = 1 and V = 2 it must be (1, 2)"),
        ({"draft_rows": [[1.0]]}, "draft_rows has shape (1, 1); with K = 1 and V = 2 it must be (1, 2)"),
        ({"coins": []}, "coins has shape (0,); with K = 1 and V = 2 it must be (1,)"),
        ({"draft_tokens": [1.0]}, "draft_tokens holds float64; a token id is an integer"),
        ({"draft_tokens": [True]}, "draft_tokens holds bool; a token id is an integer"),
        ({"draft_tokens": [2]}, "draft_tokens[0] is 2; a token id must be from 0 to 1"),
        ({"draft_tokens": [-1]}, "draft_tokens[0] is -1; a token id must be from 0 to 1"),
        (
            {"target_rows": [HALVES, [1.5, -0.5]]},
            "target row 1 has -0.5 for token 1; a probability must be a number that is not negative",
        ),
        (
            {"draft_rows": [[math.nan, 1.0]]},
            "draft row 0 has nan for token 0; a probability must be a number that is not negative",
        ),
        (
            {"target_rows": [HALVES, [0.5, 0.47]]},
            "target row 1 sums to 0.97; probabilities must sum to 1 (within 1e-6)",
        ),
        ({"draft_rows": [[math.inf, 0.0]]}, "draft row 0 sums to inf; probabilities must sum to 1 (within 1e-6)"),
        ({"coins": [1.0]}, "coins[0] is 1.0; a uniform must be at least 0 and below 1"),
        ({"coins": [math.nan]}, "coins[0] is nan; a uniform must be at least 0 and below 1"),
        ({"final_draw": -0.1}, "final_draw is -0.1; a uniform must be at least 0 and below 1"),
        ({"final_draw": 1.0}, "final_draw is 1.0; a uniform must be at least 0 and below 1"),
    ],
    ids=lambda value: shortened(str(value), 40),
)
def test_bad_inputs_are_refused_with_value_rule_and_place(changed: dict[str, Any], message: str) -> None:
    given = {"draft_tokens": [1], "target_rows": TARGET, "draft_rows": DRAFT, "coins": [0.5], "final_draw": 0.5}
    speculative_step(**given)
    with pytest.raises(ValueError) as refused:
        speculative_step(**given | changed)
    assert str(refused.value) == message


def test_a_row_without_tokens_is_refused() -> None:
    with pytest.raises(ValueError, match=r"target row 0 sums to 0.0; probabilities must sum to 1"):
        speculative_step([], np.zeros((1, 0)), np.zeros((0, 0)), [], 0.5)


def test_sums_within_a_millionth_of_one_are_taken() -> None:
    assert speculative_step([0], [[0.5, 0.5 + 9e-7], HALVES], DRAFT, [0.5], 0.7) == [0, 1]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_lower_precision_is_upcast(kind: type[np.floating[Any]]) -> None:
    rows = np.array([[0.25, 0.75], [0.5, 0.5]], dtype=kind)
    drafts = np.array([[0.75, 0.25]], dtype=kind)
    tokens = np.array([0], dtype=np.int32)
    assert speculative_step(tokens, rows, drafts, np.array([0.25], dtype=kind), kind(0.5)) == [0, 1]
    assert speculative_step(tokens, rows, drafts, np.array([0.5], dtype=kind), kind(0.5)) == [1]


def test_the_result_is_a_list_of_python_integers() -> None:
    emitted = speculative_step(np.array([0]), np.array(TARGET), np.array(DRAFT), np.array([0.5]), 0.5)
    assert emitted == [0, 1] and all(type(token) is int for token in emitted)
    assert speculative_step([], [HALVES], np.zeros((0, 2)), [], 0.2) == [0]


def test_the_assertion_of_the_source_runs_as_it_stands() -> None:
    p_probs = np.ones((3, 10)) / 10
    q_probs = np.ones((3, 10)) / 10
    for _ in range(200):
        assert speculative_step_verification([1, 2, 3], p_probs, q_probs) == [1, 2, 3]


def test_without_a_bonus_row_at_most_k_tokens_come_out() -> None:
    target = np.array([[0.1, 0.9], [0.6, 0.4], [0.5, 0.5]])
    draft = np.array([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5]])
    seen = {tuple(speculative_step_verification([0, 1, 0], target, draft, seed)) for seed in range(200)}
    assert seen == {(1,), (0, 0), (0, 1, 0)}
    assert speculative_step_verification([], np.zeros((0, 2)), np.zeros((0, 2))) == []


def test_a_seed_and_a_generator_give_the_same_round() -> None:
    target, draft = np.array([[0.3, 0.7]] * 2), np.array([[0.7, 0.3]] * 2)
    for seed in range(20):
        by_generator = speculative_step_verification([0, 0], target, draft, np.random.default_rng(seed))
        coins_and_draw = np.random.default_rng(seed)
        coins, final_draw = coins_and_draw.random(2), coins_and_draw.random()
        whole = speculative_step([0, 0], np.concatenate([target, target[-1:]]), draft, coins, final_draw)
        assert by_generator == speculative_step_verification([0, 0], target, draft, seed) == whole[:2]


def test_the_worked_example_of_the_last_hint() -> None:
    target, draft = [[0.2, 0.5, 0.3], [0.4, 0.35, 0.25], [0.3, 0.4, 0.3]], [[0.3, 0.2, 0.5], [0.5, 0.3, 0.2]]
    for coins, emitted in (([0.5, 0.9], [2, 2]), ([0.5, 0.3], [2, 0, 1])):
        assert speculative_step([2, 0], target, draft, coins, 0.6) == emitted
        assert all(str(part) in EXERCISE.hints[-1].en for part in (*target, *draft, emitted, *coins))


def test_the_stub_has_exactly_six_blanks_and_each_is_a_name() -> None:
    names = [node.id for node in ast.walk(ast.parse(EXERCISE.stub)) if isinstance(node, ast.Name)]
    assert names.count(BLANK) == EXERCISE.stub.count(BLANK) == 6
    alone = [line for line in EXERCISE.stub.splitlines() if line.strip() == BLANK]
    assert len(alone) == 3
