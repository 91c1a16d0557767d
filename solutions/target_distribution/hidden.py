"""The hidden checks of the exercise, and the probes that tell its known mistakes apart.

Scores are mostly logarithms of small whole numbers, so that every expected row is a row of fractions worked by hand.
Random cases ask the solution, which a test compares with an independent slow one. Which tokens a cut keeps never
hangs on rounding here: either the masses are far from the limit, or all of them are exact.
"""
from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import exp, inf, log
from typing import Any

import numpy as np

from exercises.expect import Answer, Text, call, call_unchanged, is_close
from solutions.cases import Probe, random_law
from solutions.law import total_variation
from solutions.target_distribution import reasons
from solutions.target_distribution.rounds import (
    History,
    law_of_pairs,
    law_of_sampling,
    laws_of,
    random_rounds,
    scores_of,
)
from solutions.target_distribution.solution import target_distribution as right

Function = Callable[..., Any]

ROUNDING = 1e-12
NOTHING: History = ([], [], [])
PLAIN = {"repetition_penalty": 1.0, "frequency_penalty": 0.0, "presence_penalty": 0.0}
HALF = log(2.0)  # a penalty that halves a weight


PROBES: tuple[Probe | tuple[Any, ...], ...] = (  # no mistake runs into NaN here
    (
        np.array([[2.0, 1.0, -0.5, 0.75]] * 3),
        {"repetition_penalty": 2.0, "frequency_penalty": 0.25, "presence_penalty": 0.5},
        ([3, 2], [0], [1, 1]),
    ),
    (scores_of([8, 4, 2, 1], [8, 4, 2, 1]), {"allowed_tokens": [[1, 2], [0, 2, 3]], "top_k": 2}, ([], [], [1])),
    (scores_of([4, 2, 1, 1]), {"temperature": 0.5, "top_p": 0.8}, NOTHING),
    (scores_of([16, 9, 4, 1]), {"temperature": 2.0}, NOTHING),
    (scores_of([8, 5, 4, 3]), {"top_k": 3, "top_p": 0.7}, NOTHING),
    (scores_of([10, 6, 5, 3]), {"min_p": 0.4, "top_p": 0.7}, NOTHING),
    (scores_of([1, 4, 4, 2]), {"temperature": 0.0}, NOTHING),
    (scores_of([1, 4, 3, 2]), {"temperature": 0.0, "presence_penalty": 1.5}, ([], [1], [])),
    (
        scores_of([4, 2, 1, 0.5]),
        {"logit_bias": {2: log(4.0)}, "repetition_penalty": 2.0, "frequency_penalty": HALF, "temperature": 0.8},
        ([], [0, 2], []),
    ),
    (scores_of([2, 6, 3, 1]), {"top_p": 0.7}, NOTHING),
    (scores_of([6, 5, 1]), {"top_p": 0.6}, NOTHING),
    (scores_of([1, 5, 3, 1]), {"min_p": 0.15}, NOTHING),
    (scores_of([1, 5, 3, 1.5]), {"top_k": -1}, NOTHING),
    (scores_of([1, 5, 3, 1.5]), {"top_k": 2}, NOTHING),
    *(
        Probe("penalised", (np.array([2.0, 1.0, -1.0, 0.5]), [2], [0, 0, 1], {**PLAIN, **one}))
        for one in ({"repetition_penalty": 2.0}, {"presence_penalty": 0.5}, {"frequency_penalty": 0.5})
    ),
    *(Probe("cut_min_p", (scores_of([1, 5, 3, 1])[0], min_p)) for min_p in (0.05, 0.15)),
    Probe("cut_top_k", (scores_of([1, 5, 3, 1.5])[0], 2)),
    Probe("cut_top_k", (scores_of([1, 5, 3, 1.5])[0], -1)),
    Probe("cut_top_p", (scores_of([2, 6, 3, 1])[0], 0.7)),
    Probe("cut_top_p", (scores_of([6, 5, 1])[0], 0.6)),
    Probe("cut_top_p", (scores_of([1, 7, 2, 9, 3, 5])[0], 0.55)),
    Probe("softmax", (np.array([-744.0, -745.0]),)),  # both exponentials are barely above 0
)


# --- one parameter at a time -----------------------------------------------------------------------------------------


def temperature_alone(function: Function) -> None:
    _gives(function, scores_of([16, 9, 4, 1]), {"temperature": 2.0}, NOTHING, [[4, 3, 2, 1]], reasons.TEMPERATURE)
    _gives(function, scores_of([4, 3, 2, 1]), {"temperature": 0.5}, NOTHING, [[16, 9, 4, 1]], reasons.TEMPERATURE)


def top_k_alone(function: Function) -> None:
    for top_k, weights in ((1, [0, 5, 0, 0]), (2, [0, 5, 3, 0]), (3, [0, 5, 3, 2])):
        _gives(function, scores_of([1, 5, 3, 2]), {"top_k": top_k}, NOTHING, [weights], reasons.TOP_K)


def top_p_alone(function: Function) -> None:
    for top_p, weights in ((0.4, [0, 5, 0, 0]), (0.7, [0, 5, 3, 0]), (0.95, [2, 5, 3, 1])):
        _gives(function, scores_of([2, 5, 3, 1]), {"top_p": top_p}, NOTHING, [weights], reasons.TOP_P)


def min_p_alone(function: Function) -> None:
    for min_p, weights in ((0.15, [1, 5, 3, 1]), (0.5, [0, 5, 3, 0]), (1.0, [0, 5, 0, 0])):
        _gives(function, scores_of([1, 5, 3, 1]), {"min_p": min_p}, NOTHING, [weights], reasons.MIN_P)


def repetition_penalty_alone(function: Function) -> None:
    scores = scores_of([16, 0.5, 3, 1])
    params = {"repetition_penalty": 2.0}
    _gives(function, scores, params, ([1], [0, 0], []), [[4, 0.25, 3, 1]], reasons.REPETITION)
    _gives(function, scores, params, ([0, 0, 3], [1, 3], []), [[4, 0.25, 3, 1]], reasons.REPETITION)


def presence_and_frequency_alone(function: Function) -> None:
    scores = scores_of([8, 8, 8, 8])
    history: History = ([3, 3], [0, 0, 1], [])
    _gives(function, scores, {"presence_penalty": HALF}, history, [[4, 4, 8, 8]], reasons.PRESENCE)
    _gives(function, scores, {"frequency_penalty": HALF}, history, [[2, 4, 8, 8]], reasons.FREQUENCY)
    _gives(function, scores, {"presence_penalty": -HALF}, history, [[16, 16, 8, 8]], reasons.PRESENCE)


def logit_bias_alone(function: Function) -> None:
    params = {"logit_bias": {0: log(2.0), 3: -log(4.0)}}
    _gives(function, scores_of([1, 2, 3, 4]), params, NOTHING, [[2, 2, 3, 1]], reasons.BIAS)


def allowed_tokens_alone(function: Function) -> None:
    params = {"allowed_tokens": [[1, 3], [0], [2, 3]]}
    want = [[0, 2, 0, 4], [1, 0, 0, 0], [0, 0, 3, 4]]
    _gives(function, scores_of(*[[1, 2, 3, 4]] * 3), params, ([], [], [1, 0]), want, reasons.ALLOWED)


def history_grows_with_the_drafts(function: Function) -> None:
    scores, history = scores_of(*[[4, 4, 4, 4]] * 4), ([3], [0], [1, 2, 1])
    counted = [[2, 4, 4, 4], [2, 2, 4, 4], [2, 2, 2, 4], [2, 1, 2, 4]]
    _gives(function, scores, {"frequency_penalty": HALF}, history, counted, reasons.GROWS)
    seen = [[2, 4, 4, 2], [2, 2, 4, 2], [2, 2, 2, 2], [2, 2, 2, 2]]
    _gives(function, scores, {"repetition_penalty": 2.0}, history, seen, reasons.GROWS)


# --- the order of the stages -----------------------------------------------------------------------------------------


def bias_then_penalties_then_temperature(function: Function) -> None:
    history: History = ([], [0, 2], [])
    params = {"logit_bias": {2: log(4.0)}, "repetition_penalty": 2.0}
    _gives(function, scores_of([4, 2, 1, 0.5]), params, history, [[2, 2, 2, 0.5]], reasons.BIAS_FIRST)
    params["temperature"] = 0.5
    _gives(function, scores_of([4, 2, 1, 0.5]), params, history, [[4, 4, 4, 0.25]], reasons.BIAS_FIRST)
    params["frequency_penalty"] = HALF
    _gives(function, scores_of([4, 2, 1, 0.5]), params, history, [[1, 4, 1, 0.25]], reasons.PENALTIES_FIRST)


def mask_before_the_cuts(function: Function) -> None:
    scores = scores_of([8, 4, 2, 1])
    _gives(function, scores, {"allowed_tokens": [[2, 3]], "top_k": 1}, NOTHING, [[0, 0, 2, 0]], reasons.MASK_FIRST)
    params = {"allowed_tokens": [[1, 2, 3]], "top_p": 0.6}
    _gives(function, scores, params, NOTHING, [[0, 4, 2, 0]], reasons.MASK_FIRST)


def temperature_before_the_cuts(function: Function) -> None:
    for cut in ({"top_p": 0.7}, {"min_p": 0.3}):
        params = {"temperature": 0.5, **cut}
        _gives(function, scores_of([4, 2, 1, 1]), params, NOTHING, [[1, 0, 0, 0]], reasons.SCALED_FIRST)
        params = {"temperature": 2.0, **cut}
        _gives(function, scores_of([16, 4, 1, 0.25]), params, NOTHING, [[4, 2, 0, 0]], reasons.SCALED_FIRST)


def cuts_in_their_order(function: Function) -> None:
    for cut in ({"min_p": 0.45}, {"top_k": 2}):
        for top_p, weights in ((0.6, [10, 0, 0, 0]), (0.7, [10, 5, 0, 0])):
            params = {**cut, "top_p": top_p}
            _gives(function, scores_of([10, 5, 4, 1]), params, NOTHING, [weights], reasons.CUTS)


# --- boundaries ------------------------------------------------------------------------------------------------------


def temperature_zero_takes_the_best_token(function: Function) -> None:
    greedy: dict[str, Any] = {"temperature": 0.0}
    _gives(function, scores_of([1, 4, 4, 2]), greedy, NOTHING, [[0, 1, 0, 0]], reasons.TIE)
    penalty = greedy | {"presence_penalty": HALF}
    rows = scores_of([1, 4, 3, 2], [1, 4, 3, 2])
    _gives(function, rows, penalty, ([], [], [1]), [[0, 1, 0, 0], [0, 0, 1, 0]], reasons.GREEDY)
    mask = greedy | {"allowed_tokens": [[0, 3]], "top_k": 3, "top_p": 0.9, "min_p": 0.1}
    _gives(function, scores_of([1, 4, 3, 2]), mask, NOTHING, [[0, 0, 0, 1]], reasons.GREEDY)


def small_temperature_agrees_with_zero(function: Function) -> None:
    scores, history = np.array([[0.5, -1.0, 2.0, 1.0], [3.0, 2.5, -2.0, 0.0]]), ([1], [2], [0])
    for params in ({"repetition_penalty": 1.25}, {"presence_penalty": -1.5}, {"logit_bias": {1: 4.0}}):
        limit = _rows(function, scores, {**params, "temperature": 0.01}, history)
        want = _rows(function, scores, {**params, "temperature": 0.0}, history)
        limit.close_to(want.value, ROUNDING, reasons.LIMIT)


def parameters_that_are_off(function: Function) -> None:
    off: list[dict[str, Any]] = [{"top_k": top_k} for top_k in (0, -1, 4, 9)]
    for params in ({}, *off, {"top_p": 1.0}, {"min_p": 0.0}, {"repetition_penalty": 1.0, "logit_bias": {}}):
        _gives(function, scores_of([2, 5, 3, 1]), params, ([0], [1], []), [[2, 5, 3, 1]], reasons.OFF)
    for params in ({"top_p": 1.0}, {"min_p": 0.0}, {"top_k": 3}):
        rare = _rows(function, np.array([[50.0, 0.0, -20.0]]), params, NOTHING)
        rare.holds(all(mass > 0.0 for mass in rare.value[0]), "all(mass > 0)", reasons.RARE)


def equal_scores_at_a_cut(function: Function) -> None:
    _gives(function, scores_of([1, 4, 2, 2]), {"top_k": 2}, NOTHING, [[0, 4, 2, 2]], reasons.TIES_TOP_K)
    _gives(function, np.zeros((1, 4)), {"top_k": 1}, NOTHING, [[1, 1, 1, 1]], reasons.TIES_TOP_K)
    _gives(function, np.zeros((1, 4)), {"top_p": 0.5}, NOTHING, [[1, 1, 0, 0]], reasons.TIES_TOP_P)
    _gives(function, np.zeros((1, 4)), {"top_p": 0.75}, NOTHING, [[1, 1, 1, 0]], reasons.TIES_TOP_P)


def impossible_tokens_stay_impossible(function: Function) -> None:
    params = {"repetition_penalty": 2.0, "presence_penalty": -2.0, "logit_bias": {0: 50.0}, "temperature": 2.0}
    answer = _rows(function, scores_of([0, 16, 1, 0]), params, ([0, 1], [3], []))
    answer.close_to(laws_of([0, 2, 1, 0]), ROUNDING, reasons.IMPOSSIBLE)
    exact = answer.value[0][0] == answer.value[0][3] == 0.0
    answer.holds(exact, "law[0, 0] == law[0, 3] == 0.0", reasons.IMPOSSIBLE)


def one_allowed_token(function: Function) -> None:
    params = {"allowed_tokens": [[2], [0]], "top_k": 2, "top_p": 0.5, "min_p": 0.5}
    for temperature in (0.0, 0.5, 1.0):
        scores = np.array([[9.0, 3.0, -1e4, 0.0], [-1e3, 2.0, 2.0, -inf]])
        want = [[0, 0, 1, 0], [1, 0, 0, 0]]
        _gives(function, scores, {**params, "temperature": temperature}, ([], [], [2]), want, reasons.ONLY_ONE)


def large_scores(function: Function) -> None:
    tail = exp(-1.0)
    for high in (1e4, 1.0, -1e4):
        _gives(function, np.array([[high, high - 1.0, -2e4]]), {}, NOTHING, [[1, tail, 0]], reasons.LARGE)
    _gives(function, np.array([[1e4, -1e4]]), {"temperature": 0.01}, NOTHING, [[1, 0]], reasons.LARGE)


def single_precision(function: Function) -> None:
    scores = scores_of([3, 7, 1, 1]).astype(np.float32)
    params = {"temperature": 0.7, "frequency_penalty": 0.3}
    want = right(scores.astype(np.float64), params, ([], [1, 1], []))
    _rows(function, scores, params, ([], [1, 1], [])).close_to(want, ROUNDING, reasons.UPCAST)


def no_drafts(function: Function) -> None:
    history: History = ([3], [0, 0], [])
    _gives(function, scores_of([8, 3, 2, 1]), {"frequency_penalty": HALF}, history, [[2, 3, 2, 1]], reasons.NO_DRAFTS)


# --- what always holds -----------------------------------------------------------------------------------------------


def rows_are_those_of_plain_decoding(function: Function, rng: random.Random) -> None:
    for logits, params, (prompt, output, drafts) in random_rounds(rng, 5):
        together = _rows(function, logits, params, (prompt, output, drafts))
        for row in range(len(logits)):
            alone = dict(params)
            if params.get("allowed_tokens"):
                alone["allowed_tokens"] = [params["allowed_tokens"][row]]
            plain = _rows(function, logits[row : row + 1], alone, (prompt, output + drafts[:row], [])).value[0]
            judged = Answer(f"{together.called}[{row}]", together.value[row])
            judged.close_to(plain, ROUNDING, reasons.PLAIN_DECODING)


def every_parameter_at_once(function: Function, rng: random.Random) -> None:
    for logits, params, history in random_rounds(rng, 16):
        _rows(function, logits, params, history).close_to(right(logits, params, history), ROUNDING, reasons.ALL)


def verified_pairs_follow_the_request(function: Function, rng: random.Random) -> None:
    """Two tokens by verification of one draft, in all ways that they can come about, against sampling one by one."""
    table = np.array([[rng.uniform(-1.0, 2.0) for _ in range(3)] for _ in range(4)])
    draft = random_law(rng, 3)
    for params in (
        {"temperature": 0.7, "frequency_penalty": 0.8, "presence_penalty": 0.4},
        {"repetition_penalty": 1.5, "top_k": 2},
        {"temperature": 1.3, "min_p": 0.2, "logit_bias": {0: 0.5}},
    ):
        verified = law_of_pairs(lambda *asked: _rows(function, *asked).value, table, params, draft)
        distance = total_variation(verified, law_of_sampling(right, table, params))
        Answer(f"total_variation(verified, sampled) with {params}", distance).close_to(0.0, ROUNDING, reasons.SAME_LAW)


def inputs_stay_unchanged(function: Function) -> None:
    params = {"logit_bias": {1: 0.5}, "allowed_tokens": [[2, 1], [3, 0]], "temperature": 0.5, "repetition_penalty": 2.0}
    for logits in (scores_of([8, 4, 2, 1], [1, 2, 4, 8]), scores_of([8, 4, 2, 1], [1, 2, 4, 8]).astype(np.float32)):
        history = ([3], [1], [2])
        answer = call_unchanged(function, logits, params, history, why=reasons.UNCHANGED)
        answer.close_to(right(logits, params, history), ROUNDING, reasons.ALL)


def _gives(
    function: Function,
    logits: np.ndarray,
    params: dict[str, Any],
    history: History,
    weights: Sequence[Sequence[float]],
    why: Text,
) -> None:
    """The rows of the answer have these weights."""
    _rows(function, logits, params, history).close_to(laws_of(*weights), ROUNDING, why)


def _rows(function: Function, logits: np.ndarray, params: dict[str, Any], history: History) -> Answer:
    """What the function gives: K + 1 rows of V numbers, each row a distribution."""
    answer = call(function, logits, params, history)
    answer.shaped(logits.shape, reasons.SHAPE)
    numbers = is_close(answer.value, np.zeros(logits.shape), 2.0)
    answer.holds(numbers, "float", reasons.SHAPE)
    for row in answer.value:
        mass = sum(map(float, row))
        answer.holds(min(row) >= 0.0 and abs(mass - 1.0) <= 1e-9, "law.min() >= 0, law.sum(axis=1) == 1", reasons.SUM)
    return answer
