"""The grid: batched code has its exact law, in Fractions, from one call; NumPy and PyTorch alike."""
from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from solutions.grid import breakpoints, dyadic_tree, grid
from solutions.joint_law import completed, distance, emitted_law, target_law
from solutions.trees import Tree
from tests.solutions.verifiers import right, with_residual

torch = pytest.importorskip("torch")


def batched(
    drafts: Any, target: Any, draft: Any, lengths: Any, coins: Any, finals: Any, residual_of_first: bool = False
) -> tuple[Any, Any]:
    """All K alike; the same text for NumPy arrays and for tensors, in any precision."""
    lib = torch if isinstance(target, torch.Tensor) else np
    requests, size = len(lengths), target.shape[1]
    k = int(lengths[0])
    drafts, coins = drafts.reshape(requests, k), coins.reshape(requests, k)
    target, draft = target.reshape(requests, k + 1, size), draft.reshape(requests, k, size)
    which, places = lib.arange(requests), lib.arange(k)
    kept = coins * draft[which[:, None], places, drafts] < target[which[:, None], places, drafts]
    ended = lib.concatenate([kept, lib.zeros((requests, 1), dtype=kept.dtype)], 1)
    counts = lib.argmin(ended * 1, 1)
    padded = lib.concatenate([draft, lib.zeros((requests, 1, size), dtype=draft.dtype)], 1)
    row = counts * 0 if residual_of_first else counts
    masses = target[which, row] - padded[which, row]
    masses = lib.where(masses > 0, masses, masses * 0)
    masses = lib.where(masses.sum(1)[:, None] > 0, masses, target[which, counts])
    sums = lib.cumsum(masses, 1)
    last = (sums <= (finals * sums[:, -1])[:, None]).sum(1)
    tokens = lib.concatenate([drafts, drafts[:, :1] * 0 if k else last[:, None] * 0], 1)
    tokens[which, counts] = last
    return tokens, counts + 1


def in_torch(arrays: tuple[Any, ...], dtype: Any) -> list[Any]:
    tensors = [torch.from_numpy(array) for array in arrays]
    return [tensor.to(dtype) if tensor.is_floating_point() else tensor for tensor in tensors]


@pytest.mark.parametrize(("size", "length", "bits"), [(2, 1, 2), (2, 2, 3), (3, 2, 3), (3, 0, 3), (4, 1, 3), (2, 3, 2)])
def test_the_law_of_one_call_is_the_target_s_to_the_last_digit(size: int, length: int, bits: int) -> None:
    tree = dyadic_tree(random.Random(size + 10 * length), size, length + 1, bits)
    batch = grid(tree, length, bits)
    law = batch.law(*batched(*batch.arguments))
    assert law == emitted_law(right, tree, length)
    assert completed(law, tree, length + 1) == target_law(tree, length + 1)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_of_pytorch_too_and_in_float32(dtype: Any) -> None:
    tree = dyadic_tree(random.Random(7), 3, 3, 3)
    batch = grid(tree, 2, 3)
    assert batch.law(*batched(*in_torch(batch.arguments, dtype))) == emitted_law(right, tree, 2)


def test_a_wrong_row_shows() -> None:
    tree = dyadic_tree(random.Random(7), 3, 3, 3)
    batch = grid(tree, 2, 3)
    law = batch.law(*batched(*batch.arguments, residual_of_first=True))
    assert distance(completed(law, tree, 3), target_law(tree, 3)) > 0.01


def test_a_wrong_rule_that_keeps_to_the_grid_has_its_law() -> None:
    tree = dyadic_tree(random.Random(2), 2, 3, 3)
    batch, k = grid(tree, 2, 3), 2
    wrong = with_residual(lambda p, q: p)
    drafts, coins = batch.draft_tokens.reshape(-1, k), batch.coins.reshape(-1, k)
    rows = batch.target_rows.reshape(-1, k + 1, 2), batch.draft_rows.reshape(-1, k, 2)
    answers = [wrong(*given) for given in zip(drafts, *rows, coins, batch.final_draws, strict=True)]
    tokens = np.array([[*answer, -1, -1][: k + 1] for answer in answers])
    assert batch.law(tokens, [len(answer) for answer in answers]) == emitted_law(wrong, tree, k)


def test_the_batch_is_in_flat_layout() -> None:
    tree = dyadic_tree(random.Random(7), 3, 3, 3)
    batch = grid(tree, 2, 3)
    requests = len(batch.lengths)
    assert requests % 8**3 == 0 and sum(batch.shares) == 1 and set(batch.lengths.tolist()) == {2}
    assert batch.draft_tokens.shape == batch.coins.shape == (2 * requests,)
    assert batch.target_rows.shape == (3 * requests, 3) and batch.draft_rows.shape == (2 * requests, 3)
    assert batch.final_draws.shape == (requests,) and len(batch.shares) == requests
    first, second = batch.draft_tokens[-2:].tolist()
    assert batch.target_rows[-1].tolist() == [float(mass) for mass in tree.target((first, second))]
    assert batch.draft_rows[-1].tolist() == [float(mass) for mass in tree.draft((first,))]


def test_breakpoints_by_hand() -> None:
    law = [Fraction(numerator, 8) for numerator in (5, 3)], [Fraction(numerator, 8) for numerator in (2, 6)]
    assert list(breakpoints(*law)) == [Fraction(1, 2), 1, 1, Fraction(5, 8), 1]


def test_breakpoints_off_the_grid_are_refused() -> None:
    target, draft = ([Fraction(part, 8) for part in parts] for parts in ((1, 7), (3, 5)))
    with pytest.raises(ValueError, match="breakpoint 1/3 is no multiple of 1/8"):
        grid(Tree(lambda before: target, lambda before: draft), 1, 3)


@pytest.mark.parametrize("seed", range(20))
def test_dyadic_trees_are_proper_and_the_seed_decides(seed: int) -> None:
    tree, again = (dyadic_tree(random.Random(seed), 3, 2, 3) for _ in range(2))
    for tokens in [(1,), (), (0, 2)]:
        target, draft = tree.target(tokens), tree.draft(tokens)
        assert sum(target) == sum(draft) == 1
        assert any(0 < wanted < offered for wanted, offered in zip(target, draft, strict=True))
    assert tree.target((0,)) == again.target((0,)) and again.draft(()) == tree.draft(())
