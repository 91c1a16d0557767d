"""The hidden checks of the exercise, and the probes that tell its known mistakes apart.

Nothing here is left to luck: the prompt says what each uniform decides, so the checks hand in uniforms near both ends
of every cell in which the rule's outcome is the same. Added up, the cells give the exact joint law of K + 1 tokens.
The locked input checks are not graded.
"""
from __future__ import annotations

import functools
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from exercises.expect import Answer, show
from solutions import round_reasons as reasons
from solutions.cases import random_law
from solutions.joint_law import completed, target_law
from solutions.rounds import (
    ALMOST,
    EIGHTHS,
    FOUR,
    INSIDE,
    LAST,
    RARE,
    TIE,
    arguments,
    called,
    cells,
    emits,
    emits_in_every_cell,
    emitted,
    keeps_its_inputs,
    random_round,
    round_of,
)
from solutions.trees import Round, Tree, positive_law, random_tree, rounds

Function = Callable[..., Any]

_ROW = [0.0, 0.25, 0.5, 0.25]
_RARE_EVEN = round_of([2], [[0.25, 0.75, RARE], [0.0, 1.0, 0.0]], [[0.75, 0.25, RARE]])
_RARE_QUARTER = round_of([2], [[0.25, 0.75, RARE], [0.0, 1.0, 0.0]], [[0.75, 0.25, 4 * RARE]])
_IMPOSSIBLE_ONE = round_of([1], [[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]], [[0.5, 0.5, 0.0]])
_OF_NEITHER = round_of([1], [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]], [[0.75, 0.0, 0.25]])
_ROUNDED = round_of([2], [[ALMOST * mass for mass in _ROW], [0.0, 0.0, 0.0, 1.0]], [_ROW])

PROBES: tuple[tuple[Any, ...], ...] = (
    arguments(FOUR, [0.2, 0.7, 0.2], 0.3),
    arguments(FOUR, [0.7, 0.2, 0.2], 0.6),
    arguments(FOUR, [0.2, 0.2, 0.2], 0.3),
    arguments(FOUR, [0.2, 0.2, 0.7], 0.9),
    arguments(EIGHTHS, [0.0, 0.0], 0.0),
    arguments(EIGHTHS, [0.9, 0.0], 0.0),
    arguments(EIGHTHS, [0.0, 0.9], 0.6),
    arguments(round_of([], [_ROW], []), [], 0.5),
    arguments(round_of([], [[0.1] * 10], []), [], LAST),
    arguments(_RARE_EVEN, [0.5], 0.5),
    arguments(_RARE_QUARTER, [0.5], 0.5),
    arguments(_IMPOSSIBLE_ONE, [0.0], 0.5),
    arguments(_OF_NEITHER, [0.5], 0.5),
    arguments(_ROUNDED, [TIE], 0.3),
)


# The rule, part by part


def coins_near_the_ratio(function: Function) -> None:
    for token, ratio in enumerate((1 / 3, 1.0, 5 / 8, 1.0)):
        given = round_of([token], FOUR.target_rows.tolist()[:2], FOUR.draft_rows.tolist()[:1])
        for coin in (0.0, ratio * (1 - INSIDE), *([] if ratio == 1.0 else [ratio * (1 + INSIDE), TIE])):
            want = [token, 3] if coin < ratio else [3]
            emits(function, given, [coin], 0.9, want, reasons.RATIO)


def cut_at_the_first_rejection(function: Function) -> None:
    """Every pattern of three tests; the residuals' and the bonus row's token at 0.3 are 1, 0, 0 and 1."""
    for passed in itertools.product((True, False), repeat=3):
        coins = [0.2 if ok else 0.7 for ok in passed]
        kept = (*passed, False).index(False)
        emits(function, FOUR, coins, 0.3, [*FOUR.draft_tokens.tolist()[:kept], (1, 0, 0, 1)[kept]], reasons.CUT)


def residual_of_the_rejected_position(function: Function) -> None:
    for given in (FOUR, EIGHTHS):
        for kept in range(len(given.draft_tokens)):
            emits_in_every_cell(function, given, reasons.RESIDUAL, kept)


def bonus_from_the_last_row(function: Function) -> None:
    for given in (FOUR, EIGHTHS):
        emits_in_every_cell(function, given, reasons.BONUS, len(given.draft_tokens))


# The edges


def impossible_draft_token(function: Function) -> None:
    target = [[0.25, 0.75, 0.0], [0.25, 0.0, 0.75], [0.5, 0.0, 0.5]]
    given = round_of([1, 1], target, [[0.5, 0.5, 0.0], [0.25, 0.5, 0.25]])
    for coin in (0.0, 2.0**-60, 0.5, LAST):
        emits(function, given, [0.5, coin], 0.5, [1, 2], reasons.IMPOSSIBLE)


def tiny_probabilities(function: Function) -> None:
    for mass in (1e-13, RARE):
        rest = 1.0 - mass
        even = round_of([2], [[0.25, rest - 0.25, mass], [0.0, 1.0, 0.0]], [[0.5, rest - 0.5, mass]])
        for coin in (0.0, 0.5, 0.9, TIE):
            emits(function, even, [coin], 0.5, [2, 1], reasons.TINY)
        quarter = round_of([2], [[0.25, 0.75, mass], [0.0, 1.0, 0.0]], [[0.75, 0.25, 4 * mass]])
        emits(function, quarter, [0.2], 0.5, [2, 1], reasons.TINY)
        emits(function, quarter, [0.3], 0.5, [1], reasons.TINY)


def ends_of_the_final_draw(function: Function) -> None:
    """0 and the largest uniform, and in the bonus row draws that are a cumulative sum to the last bit."""
    for draw, token in ((0.0, 1), (0.25 - 2**-40, 1), (0.25, 2), (0.75, 3), (LAST, 3)):
        emits(function, EIGHTHS, [0.0, 0.0], draw, [1, 2, token], reasons.FIRST_GREATER)
    for coins, tokens in (([0.9, 0.0], ([2], [3])), ([0.0, 0.9], ([1, 1], [1, 4]))):
        for draw, want in zip((0.0, LAST), tokens, strict=True):
            emits(function, EIGHTHS, coins, draw, want, reasons.FIRST_GREATER)
    tenths = round_of([], [[0.1] * 10 + [0.0]], [])
    emits(function, tenths, [], LAST, [9], reasons.SHORT_SUM)


def residual_rounded_away(function: Function) -> None:
    row = [0.0, 0.25, 0.5, 0.25]
    almost = [ALMOST * mass for mass in row]
    given = round_of([1, 2], [row, almost, [0.0, 0.0, 0.0, 1.0]], [row, row])
    for draw, token in ((0.001, 1), (0.24, 1), (0.26, 2), (0.74, 2), (0.76, 3), (0.999, 3)):
        emits(function, given, [0.5, TIE], draw, [1, token], reasons.ROUNDED_AWAY)


def token_of_neither_model(function: Function) -> None:
    given = round_of([1], [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]], [[0.75, 0.0, 0.25]])
    for coin in (0.0, 0.5, 0.9):
        emits(function, given, [coin], 0.5, [2], reasons.NEITHER)


def no_draft_tokens(function: Function) -> None:
    for row in ([0.25, 0.5, 0.25], [0.0, 1.0, 0.0], [1.0]):
        emits_in_every_cell(function, round_of([], [row], []), reasons.NO_DRAFTS)


def one_hot_and_disjoint_rows(function: Function) -> None:
    one_hot = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    drafts = [[0.3, 0.4, 0.3], [0.3, 0.4, 0.3]]
    for coin, draw in itertools.product((0.0, 0.5, LAST), repeat=2):
        emits(function, round_of([1, 2], one_hot, drafts), [coin, coin], draw, [1, 2, 0], reasons.ONE_HOT)
        emits(function, round_of([1, 1], one_hot, drafts), [coin, coin], draw, [1, 2], reasons.ONE_HOT)
    apart = round_of([1], [[0.375, 0.0, 0.625, 0.0], [0.25] * 4], [[0.0, 0.75, 0.0, 0.25]])
    for coin, (draw, token) in itertools.product((0.0, LAST), ((0.0, 0), (0.37, 0), (0.38, 2), (LAST, 2))):
        emits(function, apart, [coin], draw, [token], reasons.DISJOINT)


def large_vocabulary(function: Function) -> None:
    """Steps finer than float32: of a uniform, of a running sum over 2**17 tokens, and of the ratio."""
    fine = 2.0**-30
    row = [0.5, fine, fine, 0.5 - 2 * fine]
    for draw, token in ((0.5 + fine / 2, 1), (0.5 + 3 * fine / 2, 2), (0.5 + 5 * fine / 2, 3)):
        emits(function, round_of([], [row], []), [], draw, [token], reasons.FINE)
    half = round_of([0], [[0.25 + fine / 4, 0.75 - fine / 4], [0.0, 1.0]], [[0.5, 0.5]])
    emits(function, half, [0.5 + fine / 4], 0.5, [0, 1], reasons.FINE)
    emits(function, half, [0.5 + fine], 0.5, [1], reasons.FINE)
    law, draws = _many_tokens()
    for token, draw in draws:
        emits(function, round_of([], [law], []), [], draw, [token], reasons.FINE)


@functools.cache
def _many_tokens() -> tuple[np.ndarray, list[tuple[int, float]]]:
    """The law of 2**17 tokens, and the draws in the middle of two of them."""
    masses = 1.0 + np.arange(2**17) % 7
    law = masses / masses.sum()
    return law, [(token, math.fsum(law[:token]) + float(law[token]) / 2) for token in (70_001, 2**17 - 5)]


# What holds for the whole round


def each_uniform_decides_one_thing(function: Function) -> None:
    for coin, final_draw in itertools.product((0.64, 0.8, TIE), (0.3, 0.6)):
        for unused in (0.0, 0.4, TIE):
            token = 0 if final_draw < 0.5 else 1
            emits(function, FOUR, [0.3, coin, unused], final_draw, [0, token], reasons.ONE_EACH)


def every_cell_of_random_rounds(function: Function, rng: random.Random) -> None:
    for size, vocabulary in ((1, 5), (2, 4), (3, 3)):
        emits_in_every_cell(function, random_round(rng, size, vocabulary), reasons.RULE)


def joint_law_is_the_targets(function: Function, rng: random.Random) -> None:
    for draw in (random_law, positive_law):
        tree = random_tree(rng, 3, 2, draw)
        law, wanted = completed(_law(function, tree, 2), tree, 3), target_law(tree, 3)
        for tokens in {**wanted, **law}:
            answer = Answer(f"P({function.__name__}(…) → {list(tokens)})", law.get(tokens, 0.0))
            answer.close_to(wanted.get(tokens, 0.0), 1e-9, reasons.JOINT)


def law_of_the_emitted_length(function: Function, rng: random.Random) -> None:
    """At least j draft tokens stay with the overlap of both laws, summed over all prefixes of j tokens."""
    tree = random_tree(rng, 2, 3, positive_law)
    lengths = _law(function, tree, 3, len)
    for kept in range(4):
        prefixes = itertools.product(range(2), repeat=kept)
        stay = math.fsum(math.prod(_overlap(tree, prefix[:k], prefix[k]) for k in range(kept)) for prefix in prefixes)
        longer = sum(mass for length, mass in lengths.items() if length > kept)
        Answer(f"P(len({function.__name__}(…)) > {kept})", longer).close_to(stay, 1e-9, reasons.LENGTH)


def _overlap(tree: Tree, before: tuple[int, ...], token: int) -> float:
    return float(min(tree.target(before)[token], tree.draft(before)[token]))


def inputs_stay_unchanged(function: Function) -> None:
    row = [0.25, 0.5, 0.25]
    rounded = round_of([1], [[ALMOST * mass for mass in row], row], [row])
    for given, coins in ((FOUR, [0.2, 0.2, 0.2]), (FOUR, [0.2, 0.9, 0.2]), (EIGHTHS, [0.9, 0.9]), (rounded, [TIE])):
        keeps_its_inputs(function, given, coins, 0.4)


def _law(
    function: Function, tree: Tree, size: int, seen: Callable[[Sequence[int]], Any] = tuple
) -> dict[Any, float]:
    """The law of what is `seen` of the tokens that rounds of `size` draft tokens emit: two calls in every cell."""
    law: Counter[Any] = Counter()
    for given in rounds(tree, size):
        for cell in cells(given):
            low, high = (_tokens(function, given, corner) for corner in (cell.low, cell.high))
            if seen(low) != seen(high):
                odd, at = (low, cell.low) if seen(low) != seen(cell.wanted) else (high, cell.high)
                called(function, odd, given, at[:-1], at[-1]).fail(show(cell.wanted), reasons.ONE_CELL)
            law[seen(low)] += given.probability * cell.probability
    return dict(law)


def _tokens(function: Function, given: Round, uniforms: tuple[float, ...]) -> list[int]:
    *coins, final_draw = uniforms
    return emitted(function, function(*arguments(given, coins, final_draw)), given, coins, final_draw)
