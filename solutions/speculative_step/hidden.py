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
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from exercises.expect import Answer, call_text, call_unchanged, listed, show
from solutions import round_reasons as reasons
from solutions.cases import random_law
from solutions.rounds import (
    ALMOST,
    EIGHTHS,
    FOUR,
    INSIDE,
    LAST,
    RARE,
    TIE,
    Round,
    cells,
    emits,
    emits_in_every_cell,
    random_round,
)

Function = Callable[..., Any]

_ROW = [0.0, 0.25, 0.5, 0.25]
_RARE_EVEN = Round.of([2], [[0.25, 0.75, RARE], [0.0, 1.0, 0.0]], [[0.75, 0.25, RARE]])
_RARE_QUARTER = Round.of([2], [[0.25, 0.75, RARE], [0.0, 1.0, 0.0]], [[0.75, 0.25, 4 * RARE]])
_IMPOSSIBLE_ONE = Round.of([1], [[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]], [[0.5, 0.5, 0.0]])
_OF_NEITHER = Round.of([1], [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]], [[0.75, 0.0, 0.25]])
_ROUNDED = Round.of([2], [[ALMOST * mass for mass in _ROW], [0.0, 0.0, 0.0, 1.0]], [_ROW])

PROBES: tuple[tuple[Any, ...], ...] = (
    FOUR.arguments([0.2, 0.7, 0.2], 0.3),
    FOUR.arguments([0.7, 0.2, 0.2], 0.6),
    FOUR.arguments([0.2, 0.2, 0.2], 0.3),
    FOUR.arguments([0.2, 0.2, 0.7], 0.9),
    EIGHTHS.arguments([0.0, 0.0], 0.0),
    EIGHTHS.arguments([0.9, 0.0], 0.0),
    EIGHTHS.arguments([0.0, 0.9], 0.6),
    Round.of([], [_ROW], []).arguments([], 0.5),
    Round.of([], [[0.1] * 10], []).arguments([], LAST),
    _RARE_EVEN.arguments([0.5], 0.5),
    _RARE_QUARTER.arguments([0.5], 0.5),
    _IMPOSSIBLE_ONE.arguments([0.0], 0.5),
    _OF_NEITHER.arguments([0.5], 0.5),
    _ROUNDED.arguments([TIE], 0.3),
)


# The rule, part by part


def coins_near_the_ratio(function: Function) -> None:
    for token, ratio in enumerate((1 / 3, 1.0, 5 / 8, 1.0)):
        given = Round.of([token], FOUR.target_rows.tolist()[:2], FOUR.draft_rows.tolist()[:1])
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
    given = Round.of([1, 1], target, [[0.5, 0.5, 0.0], [0.25, 0.5, 0.25]])
    for coin in (0.0, 2.0**-60, 0.5, LAST):
        emits(function, given, [0.5, coin], 0.5, [1, 2], reasons.IMPOSSIBLE)


def tiny_probabilities(function: Function) -> None:
    for mass in (1e-13, RARE):
        rest = 1.0 - mass
        even = Round.of([2], [[0.25, rest - 0.25, mass], [0.0, 1.0, 0.0]], [[0.5, rest - 0.5, mass]])
        for coin in (0.0, 0.5, 0.9, TIE):
            emits(function, even, [coin], 0.5, [2, 1], reasons.TINY)
        quarter = Round.of([2], [[0.25, 0.75, mass], [0.0, 1.0, 0.0]], [[0.75, 0.25, 4 * mass]])
        emits(function, quarter, [0.2], 0.5, [2, 1], reasons.TINY)
        emits(function, quarter, [0.3], 0.5, [1], reasons.TINY)


def ends_of_the_final_draw(function: Function) -> None:
    """0 and the largest uniform, and in the bonus row draws that are a cumulative sum to the last bit."""
    for draw, token in ((0.0, 1), (0.25 - 2**-40, 1), (0.25, 2), (0.75, 3), (LAST, 3)):
        emits(function, EIGHTHS, [0.0, 0.0], draw, [1, 2, token], reasons.FIRST_GREATER)
    for coins, tokens in (([0.9, 0.0], ([2], [3])), ([0.0, 0.9], ([1, 1], [1, 4]))):
        for draw, want in zip((0.0, LAST), tokens, strict=True):
            emits(function, EIGHTHS, coins, draw, want, reasons.FIRST_GREATER)
    tenths = Round.of([], [[0.1] * 10 + [0.0]], [])
    emits(function, tenths, [], LAST, [9], reasons.SHORT_SUM)


def residual_rounded_away(function: Function) -> None:
    row = [0.0, 0.25, 0.5, 0.25]
    almost = [ALMOST * mass for mass in row]
    given = Round.of([1, 2], [row, almost, [0.0, 0.0, 0.0, 1.0]], [row, row])
    for draw, token in ((0.001, 1), (0.24, 1), (0.26, 2), (0.74, 2), (0.76, 3), (0.999, 3)):
        emits(function, given, [0.5, TIE], draw, [1, token], reasons.ROUNDED_AWAY)


def token_of_neither_model(function: Function) -> None:
    given = Round.of([1], [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]], [[0.75, 0.0, 0.25]])
    for coin in (0.0, 0.5, 0.9):
        emits(function, given, [coin], 0.5, [2], reasons.NEITHER)


def no_draft_tokens(function: Function) -> None:
    for row in ([0.25, 0.5, 0.25], [0.0, 1.0, 0.0], [1.0]):
        emits_in_every_cell(function, Round.of([], [row], []), reasons.NO_DRAFTS)


def one_hot_and_disjoint_rows(function: Function) -> None:
    one_hot = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    drafts = [[0.3, 0.4, 0.3], [0.3, 0.4, 0.3]]
    for coin, draw in itertools.product((0.0, 0.5, LAST), repeat=2):
        emits(function, Round.of([1, 2], one_hot, drafts), [coin, coin], draw, [1, 2, 0], reasons.ONE_HOT)
        emits(function, Round.of([1, 1], one_hot, drafts), [coin, coin], draw, [1, 2], reasons.ONE_HOT)
    apart = Round.of([1], [[0.375, 0.0, 0.625, 0.0], [0.25] * 4], [[0.0, 0.75, 0.0, 0.25]])
    for coin, (draw, token) in itertools.product((0.0, LAST), ((0.0, 0), (0.37, 0), (0.38, 2), (LAST, 2))):
        emits(function, apart, [coin], draw, [token], reasons.DISJOINT)


def large_vocabulary(function: Function) -> None:
    """Steps finer than float32: of a uniform, of a running sum over 2**17 tokens, and of the ratio."""
    fine = 2.0**-30
    row = [0.5, fine, fine, 0.5 - 2 * fine]
    for draw, token in ((0.5 + fine / 2, 1), (0.5 + 3 * fine / 2, 2), (0.5 + 5 * fine / 2, 3)):
        emits(function, Round.of([], [row], []), [], draw, [token], reasons.FINE)
    half = Round.of([0], [[0.25 + fine / 4, 0.75 - fine / 4], [0.0, 1.0]], [[0.5, 0.5]])
    emits(function, half, [0.5 + fine / 4], 0.5, [0, 1], reasons.FINE)
    emits(function, half, [0.5 + fine], 0.5, [1], reasons.FINE)
    law, draws = _many_tokens()
    for token, draw in draws:
        emits(function, Round.of([], [law], []), [], draw, [token], reasons.FINE)


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
    for make in (random_law, _smooth_law):
        target, draft = (_tables(rng, 3, make) for _ in range(2))
        got = dict.fromkeys(itertools.product(range(3), repeat=3), 0.0)
        for sequence, mass in _outcomes(function, target, draft, 2):
            for rest in itertools.product(range(3), repeat=3 - len(sequence)):
                got[(*sequence, *rest)] += mass * _probability(target, (*sequence, *rest), len(sequence))
        for sequence, mass in got.items():
            answer = Answer(f"P({function.__name__}(…) → {list(sequence)})", mass)
            answer.close_to(_probability(target, sequence), 1e-9, reasons.JOINT)


def law_of_the_emitted_length(function: Function, rng: random.Random) -> None:
    """At least j draft tokens stay with the overlap of both laws, summed over all prefixes of j tokens."""
    target, draft = (_tables(rng, 2, _smooth_law) for _ in range(2))
    lengths = [0.0] * 5
    for length, mass in _outcomes(function, target, draft, 3, len):
        lengths[length] += mass
    for kept in range(4):
        stay = math.fsum(
            math.prod(min(target[prefix[:k]][token], draft[prefix[:k]][token]) for k, token in enumerate(prefix))
            for prefix in itertools.product(range(2), repeat=kept)
        )
        answer = Answer(f"P(len({function.__name__}(…)) > {kept})", sum(lengths[kept + 1 :]))
        answer.close_to(stay, 1e-9, reasons.LENGTH)


def inputs_stay_unchanged(function: Function) -> None:
    row = [0.25, 0.5, 0.25]
    rounded = Round.of([1], [[ALMOST * mass for mass in row], row], [row])
    for given, coins in ((FOUR, [0.2, 0.2, 0.2]), (FOUR, [0.2, 0.9, 0.2]), (EIGHTHS, [0.9, 0.9]), (rounded, [TIE])):
        call_unchanged(function, *given.arguments(coins, 0.4), why=reasons.UNCHANGED)


Tables = dict[tuple[int, ...], list[float]]
"""The law of the next token after each prefix."""


def _tables(rng: random.Random, vocabulary: int, make: Callable[[random.Random, int], list[float]]) -> Tables:
    prefixes = (prefix for size in range(4) for prefix in itertools.product(range(vocabulary), repeat=size))
    return {prefix: make(rng, vocabulary) for prefix in prefixes}


def _smooth_law(rng: random.Random, size: int) -> list[float]:
    masses = [0.2 + rng.random() for _ in range(size)]
    return [mass / sum(masses) for mass in masses]


def _probability(tables: Tables, sequence: tuple[int, ...], start: int = 0) -> float:
    """Of the tokens from `start` on, given those before."""
    return math.prod(tables[sequence[:at]][sequence[at]] for at in range(start, len(sequence)))


def _outcomes(
    function: Function, target: Tables, draft: Tables, size: int, seen: Callable[[Sequence[int]], Any] = tuple
) -> list[tuple[Any, float]]:
    """What is `seen` of the tokens and how likely, over all drafts of `size` tokens and all cells of the uniforms."""
    found = []
    for drafts in itertools.product(range(len(draft[()])), repeat=size):
        weight = _probability(draft, drafts)
        if weight > 0.0:
            prefixes = [drafts[:k] for k in range(size + 1)]
            rows = [target[prefix] for prefix in prefixes]
            given = Round.of(drafts, rows, [draft[prefix] for prefix in prefixes[:-1]])
            found += [(tokens, weight * share) for tokens, share in _emitted(function, given, seen)]
    return found


def _emitted(
    function: Function, given: Round, seen: Callable[[Sequence[int]], Any]
) -> list[tuple[Any, float]]:
    """What is `seen` of the tokens in each cell, from two calls, with the cell's share."""
    found = []
    for cell in cells(given):
        near = [(_tokens(function, given, end), end) for end in cell.ends]
        if len({seen(tokens) for tokens, _ in near}) > 1:
            odd, end = next((tokens, end) for tokens, end in near if seen(tokens) != seen(cell.tokens))
            _called(function, odd, given, end).fail(show(cell.tokens), reasons.ONE_CELL)
        found.append((seen(near[0][0]), cell.share))
    return found


def _tokens(function: Function, given: Round, uniforms: tuple[float, ...]) -> list[int]:
    size, vocabulary = given.draft_rows.shape
    value = function(*given.arguments(uniforms[:-1], uniforms[-1]))
    tokens = listed(value)
    if not tokens or len(tokens) > size + 1 or not all(_is_token(token, vocabulary) for token in tokens):
        expected = f"1 <= len(tokens) <= {size + 1}, 0 <= token < {vocabulary}"
        _called(function, value, given, uniforms).fail(expected, reasons.TOKENS)
    return [*map(int, tokens or ())]


def _called(function: Function, value: Any, given: Round, uniforms: tuple[float, ...]) -> Answer:
    return Answer(call_text(function.__name__, given.arguments(uniforms[:-1], uniforms[-1])), value)


def _is_token(value: Any, vocabulary: int) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and bool(0 <= value < vocabulary)
