"""The hidden checks of the exercise, and the probes that tell its known mistakes apart.

Right results come from `speculative_step`, one request at a time, and from an exact law; the boundary cases are worked
by hand. The locked input checks are not graded, nor is speed: a loop over requests gives the same tokens.
"""
from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from exercises.expect import Answer, call, call_unchanged
from solutions import batch_reasons as reasons
from solutions.batch.batch import Batch
from solutions.batch_cases import (
    RESULTS,
    Round,
    batch_of,
    expect_emitted,
    expect_kinds,
    expect_row_by_row,
    probe,
    random_rounds,
    read_emitted,
    rows_that_name_themselves,
    underflowed,
)
from solutions.batch_law import cases, joint_law, target_joint_law
from solutions.rounds import LAST

Function = Callable[..., Any]

LENGTHS = (2, 0, 3, 1, 0, 4)
HALF = (("float16", 11), ("bfloat16", 8))  # with the bits of their significands
LARGE = 2**17


def _many_requests() -> Batch:
    return batch_of(random_rounds(random.Random(8), (3, 0, 2, 1, 4, 0, 2, 3, 1, 2, 3, 2)))


def _edges() -> Batch:
    """A tie, an empty residual beside one that isn't, a draw on an edge, a sum that float32 can't hold."""
    law, bonus, rest = [0.0, 0.25, 0.5, 0.25], [0.25] * 4, [0.0, 0.5, 0.5 - 2.0**-26, 2.0**-26]
    return batch_of(
        [
            Round([0], [law, bonus], [bonus], [0.0], 0.5),
            underflowed(law, 0.875),
            Round([3], [law, bonus], [[0.0, 0.25, 0.0, 0.75]], [0.5], 0.125),
            Round([], [law], [], [], 0.25),
            Round([], [rest], [], [], 1.0 - 2.0**-27),
        ]
    )


def _half_precision() -> Batch:
    return batch_of(_half_precision_rounds(8), "bfloat16")


PROBES = tuple(probe("verify_batch", make) for make in (_many_requests, _edges, _half_precision))


def each_request_has_rows_of_its_own(function: Function) -> None:
    for kept in ((2, 0, 3, 1, 0, 4), (1, 0, 0, 1, 0, 2), (0, 0, 2, 0, 0, 3)):
        rounds = rows_that_name_themselves(LENGTHS, kept)
        expect_row_by_row(function, rounds, reasons.ROWS)


def nothing_stays_after_a_rejection(function: Function) -> None:
    target, draft = [0.25, 0.5, 0.25], [0.5, 0.25, 0.25]
    rounds = [
        Round([1, 0, 1, 1], [target] * 5, [draft] * 4, [0.5, 0.75, 0.25, 0.25], 0.5),
        Round([0, 1, 1], [target] * 4, [draft] * 3, [0.75, 0.5, 0.5], 0.75),
        Round([1, 2], [target] * 3, [draft] * 2, [0.5, 0.5], 0.125),
    ]
    expect_emitted(function, rounds, [[1, 1], [1], [1, 2, 0]], reasons.STOPS)


def each_draft_token_has_its_own_coin(function: Function) -> None:
    target, draft = [0.25, 0.375, 0.375], [0.5, 0.25, 0.25]
    rounds = [
        Round([0, 0, 0], [target] * 4, [draft] * 3, [0.25, 0.375, 0.75], 0.25),
        Round([0, 0, 0], [target] * 4, [draft] * 3, [0.75, 0.25, 0.25], 0.75),
        Round([0, 0], [target] * 3, [draft] * 2, [0.125, 0.4375], 0.125),
    ]
    expect_emitted(function, rounds, [[0, 0, 1], [2], [0, 0, 0]], reasons.COINS)


def no_draft_tokens_at_all(function: Function) -> None:
    for laws, draws, emitted in (
        ([[0.25, 0.75]], [0.5], [[1]]),
        ([[0.25, 0.75, 0.0], [0.5, 0.25, 0.25], [0.0, 0.0, 1.0]], [0.125, 0.625, 0.0], [[0], [1], [2]]),
    ):
        rounds = [Round([], [law], [], [], draw) for law, draw in zip(laws, draws, strict=True)]
        expect_emitted(function, rounds, emitted, reasons.NO_DRAFTS)


def impossible_token_is_rejected_at_coin_zero(function: Function) -> None:
    rounds = [
        Round([0], [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]], [[0.5, 0.25, 0.25]], [0.0], 0.25),
        Round([1, 2], [[0.25, 0.5, 0.25], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], [[0.25, 0.5, 0.25]] * 2, [0.0, 0.0], 0.5),
    ]
    expect_emitted(function, rounds, [[1], [1, 0]], reasons.IMPOSSIBLE)


def a_tie_is_a_rejection(function: Function) -> None:
    target, draft, bonus = [0.25, 0.5, 0.25], [0.5, 0.25, 0.25], [0.0, 0.0, 1.0]
    rounds = [Round([0], [target, bonus], [draft], [coin], 0.5) for coin in (0.5, 0.5 - 2.0**-30, 0.5 + 2.0**-30)]
    expect_emitted(function, rounds, [[1], [0, 2], [1]], reasons.TIE)


def tiny_probabilities_are_compared_as_they_are(function: Function) -> None:
    tiny, rest = 1e-13, 1.0 - 1e-13
    rounds = [
        Round([0], [[tiny, rest], [0.0, 1.0]], [[tiny, rest]], [0.9], 0.5),
        Round([0], [[tiny / 2, 1.0 - tiny / 2], [0.0, 1.0]], [[tiny, rest]], [0.75], 0.5),
        Round([0], [[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0]], [0.5], 0.5),
    ]
    expect_emitted(function, rounds, [[0, 1], [1], [1]], reasons.TINY)


def one_request_without_residual_mass(function: Function) -> None:
    law, bonus = [0.0, 0.5, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]
    others = [
        Round([1], [[0.25, 0.25, 0.5, 0.0], bonus], [[0.0, 1.0, 0.0, 0.0]], [0.5], 0.375),
        Round([2], [[0.0, 0.5, 0.5, 0.0], bonus], [[0.0, 0.5, 0.5, 0.0]], [0.5], 0.875),
    ]
    rounds = [others[0], underflowed(law, 0.25), others[1], underflowed(law, 0.625)]
    expect_emitted(function, rounds, [[2], [1], [2, 3], [2]], reasons.FALLBACK)


def final_draws_at_the_edges(function: Function) -> None:
    law = [0.0, 0.25, 0.5, 0.0, 0.25, 0.0]
    draws, reached = (0.0, 0.25 - 2.0**-40, 0.25, 0.5, 0.75, LAST), (1, 1, 2, 2, 4, 4)
    bonus = [Round([], [law], [], [], draw) for draw in draws]
    rejected = [Round([3], [law, law[::-1]], [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]], [0.5], draw) for draw in draws]
    expect_emitted(function, bonus + rejected, [[token] for token in reached + reached], reasons.EDGES)


def residual_of_half_the_mass(function: Function) -> None:
    target, draft = [0.125, 0.375, 0.25, 0.25], [0.625, 0.125, 0.25, 0.0]
    draws, reached = (0.0, 0.25, 0.375, 0.5, 0.625, 0.875), (1, 1, 1, 3, 3, 3)
    rounds = [Round([0], [target, draft], [draft], [0.5], draw) for draw in draws]
    expect_emitted(function, rounds, [[token] for token in reached], reasons.RESIDUAL)


def large_vocabulary(function: Function) -> None:
    """Neighbouring draws reach neighbouring tokens, and a token of 2**-26 can still be reached."""
    even, one_token, tail = np.full(LARGE, 1.0 / LARGE), np.zeros(LARGE), np.zeros(LARGE)
    one_token[0], tail[0], tail[-2:] = 1.0, 0.5, (0.5 - 2.0**-26, 2.0**-26)
    rounds = [
        Round([0], [even, one_token], [one_token], [0.5], 100_000.5 / (LARGE - 1)),
        Round([], [even], [], [], 70_000.5 / LARGE),
        Round([], [tail], [], [], 1.0 - 2.0**-27),
    ]
    expect_emitted(function, rounds, [[100_001], [70_000], [LARGE - 1]], reasons.LARGE)


def half_precision_rows(function: Function) -> None:
    """Rows that float16 and bfloat16 hold exactly, but whose products, differences and running sums they don't."""
    for dtype, bits in HALF:
        rounds = _half_precision_rounds(bits)
        expect_emitted(function, rounds, [[0, 2], [1], [2]], reasons.HALF, dtype)
        even, reached = np.full(2**12, 2.0**-12), (3001, 3003, 3005, 3007)
        draws = [Round([], [even], [], [], (token + 0.5) / 2**12) for token in reached]
        expect_emitted(function, draws, [[token] for token in reached], reasons.HALF, dtype)


def _half_precision_rounds(bits: int) -> list[Round]:
    """A coin that a float of so many bits rounds to a tie, and draws on both sides of a residual's edge.

    In half precision the difference alone moves the edge up, and the running sum moves it down.
    """
    small = 2.0**-bits
    target, draft = [0.0, 0.75, 0.25], [1.0 - small, small / 2, small / 2]
    edge = (0.75 - small / 2) / (1.0 - small)
    return [
        Round([0], [[0.25, 0.5, 0.25], [0.0, 0.0, 1.0]], [[0.5, 0.25, 0.25]], [0.5 - small / 8], 0.5),
        *(Round([0], [target, draft], [draft], [0.5], edge + side * small / 16) for side in (-1, 1)),
    ]


def results_are_int64_tensors(function: Function, rng: random.Random) -> None:
    for lengths in (LENGTHS, (0,), (1,), (0, 0)):
        rounds = random_rounds(rng, lengths)
        expect_kinds(call(function, *batch_of(rounds)), rounds)


def same_tokens_as_row_by_row(function: Function, rng: random.Random) -> None:
    for _ in range(6):
        lengths = [rng.choice((0, 1, 1, 2, 3, 5)) for _ in range(rng.randint(1, 12))]
        expect_row_by_row(function, random_rounds(rng, lengths), reasons.ROW_BY_ROW)


def same_tokens_in_another_order(function: Function, rng: random.Random) -> None:
    rounds = random_rounds(rng, (3, 0, 2, 1, 4, 0, 2, 3))
    for _ in range(2):
        rng.shuffle(rounds)
        expect_row_by_row(function, rounds, reasons.ORDER)


def exact_law_of_a_whole_grid(function: Function, rng: random.Random) -> None:
    grid = [(length, case) for length in range(3) for case in cases(length)]
    rng.shuffle(grid)
    rounds = [case.round for _, case in grid]
    answer = call(function, *batch_of(rounds))
    emitted = read_emitted(answer, rounds)
    for wanted in range(3):
        seen = [
            (tokens, case.probability)
            for tokens, (length, case) in zip(emitted, grid, strict=True)
            if length == wanted
        ]
        law = Answer(f"law({answer.called}, K_b == {wanted})", joint_law(seen, wanted + 1))
        law.close_to(target_joint_law(wanted + 1), 1e-12, reasons.LAW)


def inputs_stay_unchanged(function: Function, rng: random.Random) -> None:
    law = [0.0, 0.5, 0.5]
    zeros = Round([1, 0], [law, law, law], [law, [1.0, 0.0, 0.0]], [0.0, 0.0], 0.0)
    for rounds in (random_rounds(rng, LENGTHS), [underflowed(law, 0.25), zeros]):
        call_unchanged(function, *batch_of(rounds), why=reasons.UNCHANGED).parts(2, RESULTS)
