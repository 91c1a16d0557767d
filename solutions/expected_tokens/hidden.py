"""The hidden checks of the exercise, and the probes that tell its known mistakes apart.

What is right is computed in exact fractions (solutions.expected_tokens.exact), term by term. A best number is checked
by comparing its exact speedup with that of other numbers: it rises to the best and then falls, so its neighbours, near
and far, tell. The locked range checks are not graded.
"""
from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from exercises.expect import Answer, Text, call, is_close, is_number
from solutions.cases import Probe
from solutions.expected_tokens.exact import exact_mean, exact_speedup, mean_by_enumeration
from solutions.expected_tokens.texts import (
    BEST,
    BORDER,
    BREAK_EVEN,
    CERTAIN,
    DIGITS_KEPT,
    ENDLESS,
    FREE,
    LAW,
    MEAN,
    NEVER,
    NO_BEST,
    NO_DRAFT,
    NUMBER,
    ONE_MORE,
    SPEEDUP,
    USELESS,
)  # fmt: skip

Function = Callable[..., Any]

ROUNDING = 1e-12  # relative; right answers may be written in ways that round differently
PRECISE = 1e-14  # relative; what the docstring promises
RATES = (0.05, 0.3, 0.6, 0.85, 0.99)
COSTS = (0.03, 0.1, 0.4)

PROBES: tuple[tuple[Any, ...] | Probe, ...] = (
    (0.5, 3),
    (0.75, 2),
    (0.25, 1),
    (1.0, 4),
    (1.0, 9),
    (0.0, 2),
    (0.75, math.inf),
    (0.0, math.inf),
    Probe("speedup", (0.5, 3, 0.25)),
    Probe("speedup", (0.75, 2, 0.5)),
    Probe("speedup", (0.5, 0, 0.25)),
    Probe("best_draft_length", (0.9, 0.05)),
    Probe("best_draft_length", (0.95, 0.001)),
    Probe("best_draft_length", (0.4, 0.02)),
    Probe("best_draft_length", (0.5, 0.5)),
    Probe("best_draft_length", (0.25, 0.75)),
    Probe("best_draft_length", (0.5, 0.0)),
    Probe("best_draft_length", (0.0, 0.0)),
    Probe("best_draft_length", (1.0, 0.5)),
    Probe("best_draft_length", (1.0, 2.0)),
    Probe("break_even", (1, 0.25)),
    Probe("break_even", (4, 0.125)),
    Probe("break_even", (8, 0.5)),
    Probe("break_even", (3, 1.0)),
    Probe("break_even", (2, 1.5)),
)


def mean_of_several_rounds(function: Function) -> None:
    for alpha, K in product(RATES, (1, 2, 3, 5, 8, 40)):
        _has_mean(call(function, alpha, K), alpha, K, ROUNDING)


def speedup_of_several_rounds(function: Function, speedup: Function) -> None:
    for alpha, K, c in product(RATES, (1, 2, 5, 12), COSTS):
        want = float(exact_speedup(alpha, K, c))
        call(speedup, alpha, K, c).close_to(want, ROUNDING * want, SPEEDUP)


def best_length_of_several_rates(function: Function, best_draft_length: Function) -> None:
    for alpha, c in product(RATES, COSTS):
        _is_best(call(best_draft_length, alpha, c), alpha, c)


def break_even_of_several_rounds(function: Function, break_even: Function) -> None:
    for K, c in product((1, 2, 5, 12), (0.05, 0.3, 0.9)):
        answer = call(break_even, K, c)
        answer.holds(is_close(answer.value, 0.5, 0.5 - 1e-9), "0 < alpha < 1", NUMBER)
        alpha = float(answer.value)
        slower, faster = (exact_speedup(alpha + step, K, c) for step in (-1e-11, 1e-11))
        answer.holds(slower < 1 < faster, f"speedup(alpha, {K}, {c}) == 1", BREAK_EVEN)


def mean_at_both_ends(function: Function) -> None:
    for alpha, K in product((0.0, 1e-300, 1e-20), (0, 1, 6, math.inf)):
        call(function, alpha, K).close_to(1.0, ROUNDING, USELESS)
    for K in (0, 1, 6, 10**6):
        call(function, 1.0, K).close_to(K + 1.0, ROUNDING, CERTAIN)
    _is_endless(call(function, 1.0, math.inf), CERTAIN)


def mean_of_an_endless_draft(function: Function) -> None:
    for alpha in RATES:
        want = 1.0 / (1.0 - alpha)
        call(function, alpha, math.inf).close_to(want, ROUNDING * want, ENDLESS)


def mean_close_to_certainty(function: Function) -> None:
    for distance, K in product((1e-3, 1e-6, 1e-9, 1e-12, 2.0**-53), (1, 7, 500, 10**6)):
        want = float(exact_mean(1.0 - distance, K))
        call(function, 1.0 - distance, K).close_to(want, PRECISE * want, DIGITS_KEPT)


def no_draft_tokens(function: Function, speedup: Function, break_even: Function) -> None:
    for alpha in (0.0, 0.3, 1.0):
        call(function, alpha, 0).close_to(1.0, ROUNDING, NO_DRAFT)
        for c in (0.0, 0.1, 3.0):
            call(speedup, alpha, 0, c).close_to(1.0, ROUNDING, NO_DRAFT)
    call(break_even, 0, 3.0).close_to(0.0, ROUNDING, NO_DRAFT)


def drafting_that_pays_or_not(function: Function, best_draft_length: Function) -> None:
    for alpha, c in ((0.0, 0.1), (0.2, 0.3), (0.8, 0.9), (0.9, 4.0), (0.99, 1.0), (0.25, 0.25), (0.5, 0.5)):
        call(best_draft_length, alpha, c).equals(0, BORDER)
    for alpha, c in ((0.3, 0.28), (0.1, 0.05), (0.91, 0.9)):
        answer = call(best_draft_length, alpha, c)
        answer.holds(_whole(answer) >= 1, ">= 1", BORDER)
        _is_best(answer, alpha, c)


def no_finite_best_length(function: Function, best_draft_length: Function) -> None:
    for alpha, c in ((0.5, 0.0), (0.01, 0.0), (1.0, 0.0), (1.0, 0.5), (1.0, 0.99)):
        _is_endless(call(best_draft_length, alpha, c), NO_BEST)
    for alpha, c in ((0.0, 0.0), (1.0, 1.0), (1.0, 7.0)):
        call(best_draft_length, alpha, c).equals(0, FREE)


def best_length_with_many_digits(function: Function, best_draft_length: Function) -> None:
    for alpha, c in ((0.999, 1e-9), (1.0 - 1e-6, 1e-3), (0.9, 1e-300), (1.0 - 1e-9, 1e-9), (1.0 - 1e-12, 1e-6)):
        _is_best(call(best_draft_length, alpha, c), alpha, c)


def break_even_out_of_reach(function: Function, break_even: Function) -> None:
    for K, c in ((1, 1.01), (5, 1.5), (3, 40.0)):
        answer = call(break_even, K, c)
        answer.holds(answer.value is None, "None", NEVER)
    for K in (1, 4, 50):
        call(break_even, K, 1.0).close_to(1.0, ROUNDING, NEVER)
    for K, c in ((4, 0.3), (30, 0.9)):  # K * c is above 1
        answer = call(break_even, K, c)
        answer.holds(is_close(answer.value, 0.5, 0.5 - 1e-9), "0 < alpha < 1", NEVER)


def mean_of_the_law_of_the_length(function: Function) -> None:
    for alpha, K in product((0.125, 0.5, 0.875), range(7)):
        want = float(mean_by_enumeration(alpha, K))
        call(function, alpha, K).close_to(want, ROUNDING * want, LAW)


def one_more_draft_token(function: Function, rng: random.Random) -> None:
    for _ in range(40):
        alpha, K = rng.random(), rng.randint(0, 30)
        fewer, more = (call(function, alpha, length) for length in (K, K + 1))
        for answer in (fewer, more):
            answer.holds(is_close(answer.value, 0.0, 1e3), "float", NUMBER)
        step = Answer(f"{more.called} - {fewer.called}", float(more.value) - float(fewer.value))
        step.close_to(alpha ** (K + 1), ROUNDING * 100.0, ONE_MORE)
        limit = min(K + 1.0, 1.0 / (1.0 - alpha)) + ROUNDING
        fewer.holds(1.0 - ROUNDING <= fewer.value <= limit, f"1 <= mean <= {limit}", MEAN)


def functions_agree_with_each_other(
    function: Function, speedup: Function, best_draft_length: Function, break_even: Function
) -> None:
    for K, c in ((1, 0.2), (4, 0.3), (9, 0.05)):
        border = call(break_even, K, c)
        border.holds(is_close(border.value, 0.5, 0.5), "0 <= alpha <= 1", NUMBER)
        call(speedup, float(border.value), K, c).close_to(1.0, 1e-9, BREAK_EVEN)
    for alpha, c in ((0.7, 0.05), (0.9, 0.2)):
        best = _whole(call(best_draft_length, alpha, c))
        mine, *others = (call(speedup, alpha, max(K, 0), c) for K in (best, best - 1, best + 1))
        for answer in (mine, *others):
            answer.holds(is_close(answer.value, 0.0, 1e3), "float", NUMBER)
        top = max(float(answer.value) for answer in others)
        mine.holds(mine.value >= top - ROUNDING, f">= {top}", BEST)


def _has_mean(answer: Answer, alpha: float, K: int, tolerance: float) -> None:
    want = float(exact_mean(alpha, K))
    answer.close_to(want, tolerance * want, MEAN)


def _is_best(answer: Answer, alpha: float, c: float) -> None:
    """No other number may be faster by more than floats can tell; the speedup rises to the best and then falls."""
    best = _whole(answer)
    mine = exact_speedup(alpha, best, c)
    for other in (best - 1, best + 1, best // 2, best - best // 10, best + best // 10, 2 * best + 1):
        theirs = exact_speedup(alpha, max(other, 0), c)
        expected = f"speedup({alpha}, {best}, {c}) >= speedup({alpha}, {max(other, 0)}, {c})"
        answer.holds(mine >= theirs * (1 - Fraction(ROUNDING)), expected, BEST)


def _whole(answer: Answer) -> int:
    """The answer as a number of draft tokens; it must be one."""
    value = answer.value
    whole = is_close(value, 0.0, 1e19) and value >= 0 and value == int(value)
    answer.holds(whole, "int >= 0", NUMBER)
    return int(value)


def _is_endless(answer: Answer, why: Text) -> None:
    answer.holds(is_number(answer.value) and answer.value == math.inf, "math.inf", why)
