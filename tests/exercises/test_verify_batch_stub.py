"""The locked lines of the exercise and its solution: input checks, devices, laws, and one request at a time."""
from __future__ import annotations

import ast
import random
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.catalogue import BLANK, load
from solutions.batch.batch import Batch
from solutions.batch_cases import Round, batch_of, padded, random_rounds, row_by_row, underflowed
from solutions.batch_law import cases, joint_law, target_joint_law
from solutions.verify_batch.solution import verify_batch

EXERCISE = load("verify_batch")
LAW, OTHER = [0.25, 0.75], [0.5, 0.5]
BATCH = batch_of([Round([0], [LAW, OTHER], [OTHER], [0.75], 0.5), Round([], [LAW], [], [], 0.25)])


def verified(batch: Batch) -> tuple[list[list[int]], list[int]]:
    tokens, counts = verify_batch(*batch)
    return tokens.tolist(), counts.tolist()


def test_a_batch_by_hand() -> None:
    assert verified(BATCH) == ([[1, -1], [1, -1]], [1, 1])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"lengths": torch.tensor([1.0, 0.0])}, r"lengths is torch.float32; it must be torch.int64"),
        ({"coins": torch.tensor([0.5])}, r"coins is torch.float32; it must be torch.float64"),
        ({"draft_rows": torch.ones(1, 2)}, r"draft_rows is torch.float32; it must be torch.float64"),
        (
            {"target_rows": torch.ones(2, 2)},
            r"target_rows has shape \(2, 2\); 1 draft tokens of 2 requests need \(3, 2\)",
        ),
        ({"final_draws": torch.zeros(3)}, r"final_draws has shape \(3,\); 1 draft tokens of 2 requests need \(2,\)"),
        ({"lengths": torch.tensor([2, -1])}, r"lengths is \[2, -1\]; it must hold a count for each request, at least"),
        ({"lengths": torch.tensor([1, 1])}, r"lengths is \[1, 1\]; .* they must sum to 1"),
        ({"draft_tokens": torch.tensor([2])}, r"draft_tokens\[0\] is 2; it must be at least 0 and below 2"),
        ({"draft_tokens": torch.tensor([-1])}, r"draft_tokens\[0\] is -1; it must be at least 0 and below 2"),
        ({"coins": torch.tensor([1.0], dtype=torch.float64)}, r"coins\[0\] is 1.0; it must be at least 0 and below 1"),
        (
            {"final_draws": torch.tensor([0.5, torch.nan], dtype=torch.float64)},
            r"final_draws\[1\] is nan; it must be at least 0 and below 1",
        ),
        (
            {"draft_rows": torch.tensor([[0.5, 0.47]], dtype=torch.float64)},
            r"draft row 0 sums to 0.97, its least entry is 0.47; probabilities must not .* must sum to 1 \(within",
        ),
        (
            {"target_rows": torch.tensor([LAW, LAW, [-0.25, 1.25]], dtype=torch.float64)},
            r"target row 2 sums to 1.0, its least entry is -0.25; probabilities must not be negative",
        ),
        (
            {"target_rows": torch.tensor([LAW, [torch.nan, 1.0], LAW], dtype=torch.float64)},
            r"target row 1 sums to nan, its least entry is nan; .* \(within 1.5e-08\)",
        ),
    ],
)
def test_bad_inputs_are_refused_with_value_rule_and_place(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        verify_batch(*BATCH._replace(**changed))


def test_a_batch_has_at_least_one_request() -> None:
    empty = Batch(*(tensor[:0] for tensor in BATCH))
    with pytest.raises(ValueError, match=r"lengths is \[\]; it must hold a count for each request, at least one"):
        verify_batch(*empty)


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16"])
def test_softmax_rows_of_any_format_are_taken(kind: str) -> None:
    """Their sums are off by the rounding of their format, which the input check allows for."""
    generator = torch.Generator().manual_seed(1)
    rows = torch.softmax(5 * torch.randn(7, 1000, generator=generator), dim=1).to(getattr(torch, kind))
    batch = BATCH._replace(target_rows=rows[:3], draft_rows=rows[3:4])
    assert verify_batch(*batch)[1].tolist()[1] == 1


rounds_of_a_seed = st.builds(
    lambda seed, lengths: random_rounds(random.Random(seed), lengths),
    st.integers(0, 2**32),
    st.lists(st.integers(0, 5), min_size=1, max_size=8),
)


@given(rounds_of_a_seed)
def test_a_batch_gives_each_request_what_it_gets_alone(rounds: list[Round]) -> None:
    emitted = row_by_row(rounds)
    assert verified(batch_of(rounds)) == (padded(emitted, rounds), [len(one) for one in emitted])


@given(rounds_of_a_seed, st.randoms(use_true_random=False))
def test_in_another_order_each_request_gets_the_same(rounds: list[Round], rng: random.Random) -> None:
    order = rng.sample(range(len(rounds)), len(rounds))
    tokens, counts = verify_batch(*batch_of(rounds))
    shuffled = verify_batch(*batch_of([rounds[place] for place in order]))
    assert shuffled[0].equal(tokens[order]) and shuffled[1].equal(counts[order])


@pytest.mark.parametrize("length", [0, 1, 2, 3])
def test_the_law_is_the_targets_to_the_last_bit(length: int) -> None:
    grid = cases(length)
    tokens, counts = verified(batch_of([case.round for case in grid]))
    emitted = [(row[:count], case.probability) for row, count, case in zip(tokens, counts, grid, strict=True)]
    assert joint_law(emitted, length + 1) == list(target_joint_law(length + 1))


def test_a_residual_of_the_smallest_number_is_drawn_from() -> None:
    """5e-324 has no half: any draw times it is it again or 0, and the token must still be one with mass."""
    tiny = 5e-324
    target, draft = [0.0, 1.0 - 2.0**-30, 0.0, tiny], [0.0, 1.0, 0.0, 0.0]
    for draw in (0.0, 0.25, 0.75, 1.0 - 2.0**-53):
        rounds = [Round([1], [target, target], [draft], [1.0 - 2.0**-40], draw), underflowed([0.0, 0.5, 0.5], draw)]
        tokens, _ = verified(batch_of(rounds[:1]))
        assert tokens == [[3, -1]]
        assert verified(batch_of(rounds[1:])) == ([[1 if draw < 0.5 else 2, -1]], [1])


def test_the_callers_tensors_stay_as_they_are() -> None:
    batch = batch_of(random_rounds(random.Random(1), (3, 0, 2)))
    kept = [tensor.clone() for tensor in batch]
    verify_batch(*batch)
    assert all(map(torch.equal, batch, kept))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_a_gpu_gives_the_same() -> None:
    batch = batch_of(random_rounds(random.Random(1), (3, 0, 2, 5, 1) * 20))
    tokens, counts = verify_batch(*(tensor.cuda() for tensor in batch))
    assert tokens.is_cuda and counts.is_cuda
    assert (tokens.tolist(), counts.tolist()) == verified(batch)


def function(name: str, source: str) -> ast.FunctionDef:
    return next(node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == name)


SOLUTION = function("verify_batch", EXERCISE.solution_source)
CALLS = [node for node in ast.walk(SOLUTION) if isinstance(node, ast.Call)]


def test_the_device_is_that_of_the_inputs() -> None:
    """Each tensor that is made from nothing says where; the others follow from tensors that were given."""
    made = {"arange", "zeros", "ones", "full", "tensor", "empty"}
    here = [call for call in CALLS if isinstance(call.func, ast.Attribute) and call.func.attr in made]
    assert len(here) == 2
    assert all("device" in {keyword.arg for keyword in call.keywords} for call in here)


def test_the_cpu_asks_the_device_for_one_number_only() -> None:
    """The width of the result. The input checks wait, too, and the masks, whose results have a length of their own."""
    waiting = [call for call in CALLS if ast.unparse(call.func).split(".")[-1] in ("item", "tolist", "int")]
    assert [ast.unparse(call) for call in waiting] == ["int(lengths.max())"]


def test_no_line_loops() -> None:
    assert not any(isinstance(node, (ast.For, ast.While, ast.comprehension)) for node in ast.walk(SOLUTION))


def test_the_stub_has_six_blanks_and_imports_torch_alone() -> None:
    nodes = list(ast.walk(ast.parse(EXERCISE.stub)))
    assert [node.id for node in nodes if isinstance(node, ast.Name)].count(BLANK) == 6
    assert BLANK not in ast.unparse(function("check_batch", EXERCISE.stub))
    assert [ast.unparse(node) for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))] == ["import torch"]
