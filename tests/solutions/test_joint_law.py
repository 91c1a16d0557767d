"""The exact joint law of a round: against enumeration in exact arithmetic, and the theorem it is there for."""
from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solutions.joint_law import BROKEN, completed, distance, emitted_law, joint_law, length_law, target_law
from solutions.trees import Tree, chain_law, positive_law, random_tree, rounds
from tests.solutions.verifiers import (
    Part,
    bonus_from_the_draft,
    coin_recycled,
    coin_reused,
    keeps_going,
    missing,
    no_bonus,
    one_coin,
    right,
    row_before,
    shares,
    target_only,
    with_residual,
)

SMALL = random_tree(random.Random(5), 3, 3, positive_law)


def fraction_law(rng: random.Random, size: int) -> list[Fraction]:
    weights = [rng.choice((0, 1, 2, 3, 5)) for _ in range(size)]
    weights[rng.randrange(size)] += 1
    return [Fraction(weight, sum(weights)) for weight in weights]


trees = st.builds(
    lambda seed, size, length, draw: (random_tree(random.Random(seed), size, length + 1, draw), length),
    st.integers(0, 2**32), st.integers(1, 4), st.integers(0, 3), st.sampled_from([fraction_law, positive_law]),
)  # fmt: skip


def enumerated(tree: Tree, length: int, part: Part = missing) -> dict[tuple[int, ...], Any]:
    """What a round emits, written down as probabilities: no uniform, no comparison. By recursion over positions."""
    law: Counter[tuple[int, ...]] = Counter()

    def follow(before: tuple[int, ...], weight: Any) -> None:
        target, draft = tree.target(before), tree.draft(before)
        if len(before) == length:
            for token, mass in enumerate(target):
                law[(*before, token)] += weight * mass
            return
        residual = shares(list(map(part, target, draft)), target)
        for token, offered in enumerate(draft):
            kept = min(target[token], offered)
            if kept:
                follow((*before, token), weight * kept)
            for other, share in enumerate(residual):
                law[(*before, other)] += weight * (offered - kept) * share

    follow((), 1)
    return {tokens: mass for tokens, mass in law.items() if mass}


@settings(max_examples=60, deadline=None)
@given(case=trees)
def test_the_emitted_law_is_that_of_enumeration(case: tuple[Tree, int]) -> None:
    tree, length = case
    assert distance(emitted_law(right, tree, length), enumerated(tree, length)) < 1e-12


@settings(max_examples=60, deadline=None)
@given(case=trees)
def test_completed_with_the_target_it_is_the_target_s_own_law(case: tuple[Tree, int]) -> None:
    """The theorem: K <= 3, V <= 4, tables that depend on the tokens so far; the lengths sum to one."""
    tree, length = case
    assert distance(joint_law(right, tree, length), target_law(tree, length + 1)) < 1e-12
    lengths = length_law(emitted_law(right, tree, length))
    assert sum(lengths.values()) == pytest.approx(1.0, abs=1e-12) and set(lengths) <= set(range(1, length + 2))


@pytest.mark.parametrize("seed", range(6))
def test_in_fractions_every_equality_is_exact(seed: int) -> None:
    tree = random_tree(random.Random(seed), 3, 3, fraction_law)
    emitted = emitted_law(right, tree, 2)
    assert emitted == enumerated(tree, 2)
    assert joint_law(right, tree, 2) == target_law(tree, 3)
    assert sum(length_law(emitted).values()) == 1 == sum(target_law(tree, 3).values())


@pytest.mark.parametrize("part", [lambda p, q: p, lambda p, q: q, lambda p, q: abs(p - q), min])
def test_wrong_residuals_have_the_law_of_their_enumeration(part: Part) -> None:
    tree = random_tree(random.Random(3), 3, 3, fraction_law)
    emitted = emitted_law(with_residual(part), tree, 2)
    assert emitted == enumerated(tree, 2, part)
    assert distance(completed(emitted, tree, 3), target_law(tree, 3)) > 0.01


def test_the_length_of_a_round_by_hand() -> None:
    """Acceptance 0.7 at both positions: 0.3, 0.7 * 0.3 and 0.7 * 0.7 for one, two and three tokens."""
    tree = Tree(lambda before: [0.7, 0.3], lambda before: [0.4, 0.6])
    lengths = length_law(emitted_law(right, tree, 2))
    assert lengths == pytest.approx({1: 0.3, 2: 0.21, 3: 0.49}, abs=1e-15)


@pytest.mark.parametrize("wrong", [bonus_from_the_draft, row_before, one_coin, coin_reused, keeps_going])
def test_wrong_verifiers_are_off(wrong: Callable[..., list[int]]) -> None:
    assert distance(joint_law(wrong, SMALL, 2), target_law(SMALL, 3)) > 0.01


@pytest.mark.parametrize("lossless", [no_bonus, target_only])
def test_a_lossless_verifier_that_wastes_acceptance_shows_in_the_lengths(lossless: Callable[..., list[int]]) -> None:
    assert distance(joint_law(lossless, SMALL, 2), target_law(SMALL, 3)) < 1e-12
    assert distance(length_law(emitted_law(lossless, SMALL, 2)), length_law(emitted_law(right, SMALL, 2))) > 0.01


def test_a_recycled_coin_is_a_uniform_of_its_own() -> None:
    assert distance(emitted_law(coin_recycled, SMALL, 2), emitted_law(right, SMALL, 2)) < 1e-12


def test_rows_that_do_not_depend_on_the_tokens_hide_a_wrong_row() -> None:
    flat = Tree(lambda before: [0.2, 0.3, 0.5], lambda before: [0.5, 0.3, 0.2])
    assert distance(joint_law(row_before, flat, 2), target_law(flat, 3)) < 1e-12


def vectorised(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    """NumPy without a loop over positions, as in the exercise."""
    places = np.arange(len(drafts))
    accepted = coins * draft[places, drafts] < target[places, drafts]
    count = int(np.argmin(np.append(accepted, False)))
    row = target[count] if count == len(drafts) else np.maximum(target[count] - draft[count], 0.0)
    sums = np.cumsum(row if row.sum() > 0.0 else target[count])
    return [*drafts[:count], int(np.searchsorted(sums, final * sums[-1], side="right"))]


def test_vectorised_code_is_traced_like_a_loop() -> None:
    assert distance(emitted_law(vectorised, SMALL, 2), emitted_law(right, SMALL, 2)) < 1e-12
    assert distance(emitted_law(vectorised, SMALL, 0), emitted_law(right, SMALL, 0)) < 1e-12


def test_a_verifier_gets_arrays_of_its_own() -> None:
    def careless(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
        emitted = right(drafts, target, draft, coins, final)
        target[:] = draft[:] = 0.0
        return emitted

    assert distance(emitted_law(careless, SMALL, 2), emitted_law(right, SMALL, 2)) < 1e-12


def test_what_is_no_token_is_broken_from_there_on() -> None:
    law = completed({(0, -1): 0.25, (3,): 0.25, (): 0.5}, Tree(lambda before: [0.5, 0.5], lambda before: [1.0, 0.0]), 2)
    pairs = {(first, second): 0.125 for first in (0, 1) for second in (0, 1)}
    assert law == {(0, -1): 0.25, (3, BROKEN): 0.25} | pairs


def test_tokens_beyond_what_is_asked_are_cut() -> None:
    tree = Tree(lambda before: [1.0], lambda before: [1.0])
    assert completed({(0, 0, 0): 1.0}, tree, 2) == {(0, 0): 1.0}


def test_rounds_hold_what_a_verifier_is_given() -> None:
    found = list(rounds(SMALL, 2))
    assert len(found) == 9 and sum(one.probability for one in found) == pytest.approx(1.0)
    one = found[5]
    assert one.draft_tokens.tolist() == [1, 2] and one.draft_tokens.dtype == np.int64
    assert one.target_rows.tolist() == [SMALL.target(()), SMALL.target((1,)), SMALL.target((1, 2))]
    assert one.draft_rows.tolist() == [SMALL.draft(()), SMALL.draft((1,))]
    assert [array.shape for array in next(rounds(SMALL, 0))[:3]] == [(0,), (1, 3), (0, 3)]


def test_the_law_of_a_chain_by_hand() -> None:
    rows = {(): [0.5, 0.5], (0,): [1.0, 0.0], (1,): [0.25, 0.75]}
    assert chain_law(rows.__getitem__, 2) == {(0, 0): 0.5, (1, 0): 0.125, (1, 1): 0.375}
    assert chain_law(rows.__getitem__, 1, (1,)) == {(1, 0): 0.25, (1, 1): 0.75}


def test_a_text_ends_with_its_first_end_token() -> None:
    law = chain_law(lambda tokens: [0.5, 0.25, 0.25], 3, (2,), eos=2)
    assert law[(2, 2)] == 0.25 and law[(2, 1, 2)] == 0.0625 and (2, 2, 0) not in law and sum(law.values()) == 1


def test_the_law_of_a_round_takes_milliseconds() -> None:
    tree, start = random_tree(random.Random(1), 4, 3, positive_law), time.perf_counter()
    joint_law(right, tree, 2)
    assert time.perf_counter() - start < 0.5  # some 5 ms where nothing else runs
