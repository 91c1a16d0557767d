"""The target's law with every parameter of a request: against a slow version of its own, by its laws, and as it's told.

The slow version works with weights instead of scores, one token at a time, in plain Python.
"""
from __future__ import annotations

import itertools
import re
from math import exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.catalogue import Mistake, load
from grader.known_mistakes import match, solution_blanks, wrong_function
from solutions.law import one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from solutions.target_distribution.rounds import Round, law_of_pairs, law_of_sampling, laws_of, scores_of
from solutions.target_distribution.solution import (
    OFF,
    cut_min_p,
    cut_top_k,
    cut_top_p,
    softmax,
    target_distribution,
)
from solutions.target_distribution.variants import make
from tests.solutions.request_stories import STORIES, numbers_of, story

EXERCISE = load("target_distribution")
NOTHING: Any = ([], [], [])
NUMBER = re.compile(r"\d+\.\d+")


# --- a slow version --------------------------------------------------------------------------------------------------


def slow_rows(told: Round) -> list[list[float]]:
    settings_of = OFF | told.params
    prompt, output, drafts = told.history
    allowed = settings_of["allowed_tokens"]
    return [
        slow_row(list(map(float, scores)), settings_of, prompt, output + drafts[:row], allowed and allowed[row])
        for row, scores in enumerate(told.logits)
    ]


def slow_row(
    scores: list[float], request: dict[str, Any], prompt: list[int], emitted: list[int], allowed: list[int] | None
) -> list[float]:
    """One row: the tokens that are left, with their scores, in a dict that only shrinks."""
    left = {token: score for token, score in enumerate(scores) if score > -1e300 and (not allowed or token in allowed)}
    for token, score in left.items():
        score += request["logit_bias"].get(token, 0.0)
        if token in prompt or token in emitted:
            factor = request["repetition_penalty"]
            score = score / factor if score > 0 else score * factor
        for _ in range(emitted.count(token)):
            score -= request["frequency_penalty"]
        left[token] = score - (request["presence_penalty"] if token in emitted else 0.0)
    ranked = sorted(left, key=lambda token: (-left[token], token))
    if request["temperature"] == 0:
        return [float(token == ranked[0]) for token in range(len(scores))]
    weight = {token: exp((left[token] - left[ranked[0]]) / request["temperature"]) for token in ranked}
    ranked = [token for token in ranked if weight[token] >= request["min_p"]]  # the best one's weight is 1
    if 1 <= request["top_k"] < len(ranked):
        ranked = [token for token in ranked if left[token] >= left[ranked[request["top_k"] - 1]]]
    kept: list[int] = []
    whole = sum(weight[token] for token in ranked)
    for token in ranked:
        if request["top_p"] < 1 and sum(weight[one] for one in kept) >= request["top_p"] * whole:
            break
        kept.append(token)
    mass = sum(weight[token] for token in kept)
    return [weight[token] / mass if token in kept else 0.0 for token in range(len(scores))]


eighths = st.integers(-32, 32).map(lambda value: value / 8)  # sums and differences are exact, so that ties are ties


@st.composite
def rounds(draw: st.DrawFn, /, **fixed: Any) -> Round:
    """Up to 4 drafts, 2 to 6 tokens, some of them impossible, any parameters."""
    size, drafts = draw(st.integers(2, 6)), draw(st.integers(0, 4))
    token = st.integers(0, size - 1)
    tokens = st.lists(token, max_size=5)
    some = st.lists(token, min_size=1, max_size=size, unique=True)
    rows = [draw(st.lists(eighths, min_size=size, max_size=size)) for _ in range(drafts + 1)]
    every = {
        "temperature": st.sampled_from([0.0, 0.25, 0.7, 1.0, 2.5]),
        "top_k": st.integers(-1, size + 1),
        "top_p": st.sampled_from([0.11, 0.37, 0.62, 0.83, 0.971, 1.0]),
        "min_p": st.sampled_from([0.0, 0.013, 0.17, 0.43, 1.0]),
        "repetition_penalty": st.sampled_from([0.5, 1.0, 2.0, 4.0]),
        "presence_penalty": st.sampled_from([-1.0, 0.0, 0.5, 2.0]),
        "frequency_penalty": st.sampled_from([-0.5, 0.0, 0.25, 1.75]),
        "logit_bias": st.dictionaries(token, eighths, max_size=3),
        "allowed_tokens": st.none() | st.lists(some, min_size=drafts + 1, max_size=drafts + 1),
    }
    params = {name: draw(values) for name, values in every.items() if draw(st.booleans())} | fixed
    logits: np.ndarray = np.array(rows)
    if draw(st.booleans()) and not params.get("allowed_tokens"):
        logits[:, draw(token)] = -np.inf
    history = (draw(tokens), draw(tokens), draw(st.lists(token, min_size=drafts, max_size=drafts)))
    return Round(logits, params, history)


@given(rounds())
@settings(max_examples=150, deadline=None)
def test_rows_are_those_of_the_slow_version(told: Round) -> None:
    np.testing.assert_allclose(target_distribution(*told), slow_rows(told), rtol=0, atol=1e-12)


# --- laws ------------------------------------------------------------------------------------------------------------


@given(rounds())
@settings(max_examples=60, deadline=None)
def test_every_row_is_a_distribution_over_possible_tokens(told: Round) -> None:
    law = target_distribution(*told)
    assert law.dtype == np.float64 and law.shape == told.logits.shape
    assert (law >= 0).all() and abs(law.sum(axis=1) - 1).max() < 1e-12
    assert (law[np.isneginf(told.logits)] == 0).all()


@given(rounds())
@settings(max_examples=60, deadline=None)
def test_a_row_knows_nothing_of_later_drafts(told: Round) -> None:
    logits, params, (prompt, output, drafts) = told
    together = target_distribution(*told)
    for row in range(len(logits)):
        first = dict(params)
        if params.get("allowed_tokens"):
            first["allowed_tokens"] = params["allowed_tokens"][: row + 1]
        shorter = target_distribution(logits[: row + 1], first, (prompt, output, drafts[:row]))
        assert np.array_equal(shorter, together[: row + 1])


@given(rounds())
@settings(max_examples=60, deadline=None)
def test_a_draft_counts_like_an_emitted_token(told: Round) -> None:
    logits, params, (prompt, output, drafts) = told
    if len(drafts) and not params.get("allowed_tokens"):
        moved = target_distribution(logits[1:], params, (prompt, [*output, drafts[0]], drafts[1:]))
        np.testing.assert_allclose(moved, target_distribution(*told)[1:], rtol=0, atol=1e-12)


@given(rounds(temperature=0.01, top_p=1.0, min_p=0.0))
@settings(max_examples=60, deadline=None)
def test_temperature_zero_is_the_limit(told: Round) -> None:
    """Where no two scores are closer than 1; what a closer pair would share is a matter of its distance."""
    best = target_distribution(told.logits, {**told.params, "temperature": 0.0}, told.history)
    for row, limit in enumerate(target_distribution(*told)):
        if limit.max() > 1 - 1e-9:
            assert np.argmax(limit) == np.argmax(best[row]) and abs(limit - best[row]).max() < 1e-8


@given(rounds(repetition_penalty=1.0), st.sampled_from([-3.0, 0.5, 8.0]))
@settings(max_examples=40, deadline=None)
def test_only_differences_between_scores_count(told: Round, by: float) -> None:
    told = told._replace(params=told.params | {"top_k": 0, "min_p": 0.0, "top_p": 1.0, "temperature": 0.7})
    moved = told._replace(logits=told.logits + by)
    np.testing.assert_allclose(target_distribution(*moved), target_distribution(*told), rtol=0, atol=1e-12)


@given(rounds(allowed_tokens=None))
@settings(max_examples=40, deadline=None)
def test_a_mask_that_allows_all_is_no_mask(told: Round) -> None:
    count, size = told.logits.shape
    masked = told._replace(params=told.params | {"allowed_tokens": [list(range(size))] * count})
    assert np.array_equal(target_distribution(*masked), target_distribution(*told))


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_low_precision_is_upcast(kind: type) -> None:
    logits: np.ndarray = scores_of([3, 7, 1, 1], [1, 2, 3, 4]).astype(kind)
    history: Any = ([0], [1], [2])
    params = {"temperature": 0.7, "frequency_penalty": 0.3, "repetition_penalty": 1.7}
    wanted = target_distribution(logits.astype(np.float64), params, history)
    assert np.array_equal(target_distribution(logits, params, history), wanted)


def test_integers_and_lists_are_logits_too() -> None:
    wanted = target_distribution(np.array([[2.0, 1.0, 0.0]]), {}, NOTHING)
    assert np.array_equal(target_distribution(np.array([[2, 1, 0]]), {}, NOTHING), wanted)
    assert np.array_equal(target_distribution([[2, 1, 0]], {}, NOTHING), wanted)  # type: ignore[arg-type]


def test_the_largest_scores_and_the_smallest_temperature_stay_finite() -> None:
    logits: np.ndarray = np.array([[1e100, -1e100, 0.0, -3.4e38]])
    for temperature in (0.01, 100.0):
        params = {"temperature": temperature, "repetition_penalty": 100.0, "logit_bias": {1: 100.0}}
        law = target_distribution(logits, params, ([0, 1, 2], [], []))
        assert law.tolist() == [[1.0, 0.0, 0.0, 0.0]]


# --- why it matters --------------------------------------------------------------------------------------------------


@given(
    st.lists(st.lists(eighths, min_size=3, max_size=3), min_size=4, max_size=4),
    st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any),
    rounds(),
)
@settings(max_examples=40, deadline=None)
def test_any_draft_verified_with_these_rows_gives_the_law_of_the_request(
    table: list[list[float]], weights: list[int], told: Round
) -> None:
    """The draft knows nothing of the request; it only has to be drawn from the law that is handed over."""
    kept = ("temperature", "top_k", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty")
    params = {name: told.params[name] for name in kept if name in told.params}
    (draft,) = laws_of(weights)
    verified = law_of_pairs(target_distribution, np.array(table), params, draft)
    wanted = law_of_sampling(target_distribution, np.array(table), params)
    assert total_variation(verified, wanted) < 1e-12


def test_the_numbers_of_the_answer() -> None:
    """Temperature 0.5 forgotten in the verification: the output is the raw law, 0.211 away from the request's."""
    raw, wanted = laws_of([8, 4, 3, 1], [64, 16, 9, 1])
    rows = target_distribution(scores_of([8, 4, 3, 1]), {"temperature": 0.5}, NOTHING).tolist()[0]
    draft = [0.4, 0.3, 0.2, 0.1]
    assert one_step_law(raw, draft, rejection_rule).law == pytest.approx(raw, abs=1e-15)
    assert total_variation(one_step_law(raw, draft, rejection_rule).law, wanted) == pytest.approx(0.211, abs=5e-4)
    assert total_variation(one_step_law(rows, draft, rejection_rule).law, wanted) < 1e-15
    for text in EXERCISE.answer:
        assert {"0.211", "0.0625", "0.711"} <= set(NUMBER.findall(text))
    assert [round(mass, 3) for mass in wanted] == [0.711, 0.178, 0.1, 0.011]


def test_min_p_and_top_k_could_change_places_as_the_answer_says() -> None:
    def differs(one: Any, other: Any) -> bool:
        return any(
            not np.array_equal(one(other(scores, b), a), other(one(scores, a), b))
            for scores in scores_of([10, 5, 4, 1], [8, 5, 4, 3], [4, 4, 2, 1])
            for a, b in itertools.product(limits[one], limits[other])
        )

    limits = {cut_min_p: (0.15, 0.45, 0.6), cut_top_k: (1, 2, 3), cut_top_p: (0.45, 0.6, 0.7)}
    assert not differs(cut_min_p, cut_top_k)
    assert differs(cut_min_p, cut_top_p) and differs(cut_top_k, cut_top_p)


def test_the_last_hint_is_worked_right() -> None:
    params = {"frequency_penalty": log(3.0), "temperature": 0.5, "top_p": 0.6}
    rows = target_distribution(scores_of([9, 6, 4, 1], [9, 6, 4, 1]), params, ([], [0], [1]))
    np.testing.assert_allclose(rows, laws_of([0, 36, 16, 0], [9, 0, 16, 0]), atol=1e-15)
    for part in ("36/52", "16/52", "9/25", "16/25"):
        assert part in EXERCISE.hints[-1].en and part in EXERCISE.hints[-1].zh


# --- variants ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_two_decimals_of_the_right_numbers_are_right(seed: int) -> None:
    variant = make(seed)
    answers = {field.id: f"{field.value:.2f}" for field in variant.asked}
    assert all(right for _, right, _ in variant.judge(answers))


@pytest.mark.parametrize(
    ("field", "typed", "word"),
    [
        ("row_0_token_0", "64/93", "right"),
        ("row_1_token_2", "1/90", "right"),
        ("row_0_token_0", "8/15", "without the temperature"),
        ("row_0_token_0", "64/118", "squares first"),
        ("row_0_token_0", "64/90", "own position"),
        ("row_0_token_0", "64/168", "without the penalty"),
        ("row_1_token_0", "64/93", "row 0"),
        ("row_1_token_0", "64/165", "only the draft"),
        ("row_1_token_0", "64/168", "without the penalty"),
    ],
)
def test_a_variant_worked_by_hand(field: str, typed: str, word: str) -> None:
    """Seed 0: weights 8, 10, 2; output [1], draft [2]. Row 0: 8, 5, 2, squared; row 1: 8, 5, 1, squared."""
    variant = make(0)
    assert "ln 8, ln 10 and ln 2" in variant.question.en and "输出是 [1]" in variant.question.zh
    told = {name: message for name, _, message in variant.judge({field: typed})}[field]
    assert word in told.en


# --- numbers in messages ---------------------------------------------------------------------------------------------


def test_every_mistake_has_a_story() -> None:
    assert list(STORIES) == [mistake.id for mistake in EXERCISE.mistakes]


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_the_numbers_in_a_message_are_those_of_its_own_story(mistake: Mistake) -> None:
    told = STORIES[mistake.id]
    known = {*numbers_of(wrong_function(EXERCISE, mistake), told), *numbers_of(target_distribution, told)}
    for text in mistake.message:
        for written in NUMBER.findall(text):
            decimals = len(written.split(".")[1])
            assert any(abs(number - float(written)) <= 0.500001 * 10**-decimals for number in known), written


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_both_languages_give_the_same_numbers(mistake: Mistake) -> None:
    assert set(NUMBER.findall(mistake.message.en)) == set(NUMBER.findall(mistake.message.zh))


def test_softmax_of_scores_where_exp_vanishes() -> None:
    assert softmax(np.array([-2000.0, -2001.0])) == pytest.approx(laws_of([1.0, exp(-1.0)])[0], abs=1e-15)
    assert target_distribution(*story([8, 4, 3, 1])).tolist()[0] == pytest.approx(laws_of([8, 4, 3, 1])[0], abs=1e-15)


# --- recognising mistakes that are written in another way ------------------------------------------------------------


def recognised(**blanks: str) -> list[str]:
    space: dict[str, Any] = {}
    exec(EXERCISE.fill(solution_blanks(EXERCISE) | blanks), space)
    return [found.id for found in match(EXERCISE, {name: space[name] for name in EXERCISE.functions})]


@pytest.mark.parametrize(
    ("blank", "written", "mistake"),
    [
        ("history", "output_tokens + draft_tokens[:row][-1:]", "last_draft_only"),
        ("history", "output_tokens + draft_tokens[: len(draft_tokens)]", "later_drafts"),
        ("min_p", "np.where(probs < min_p, False, True)", "min_p_against_one"),
        ("top_k", "kept = np.sum(scores[:, None] <= scores, axis=1) < (top_k if 0 < top_k < len(scores) else 99)",
         "top_k_strict"),
        ("top_p", "kept = (np.cumsum(probs) - probs < top_p) | (top_p >= 1)", "top_p_in_vocabulary_order"),
        ("softmax", "np.e ** scores", "exp_without_shift"),
    ],
)  # fmt: skip
def test_a_mistake_written_in_another_way_is_recognised(blank: str, written: str, mistake: str) -> None:
    assert recognised(**{blank: written}) == [mistake]


def test_mistakes_in_several_functions_are_named_one_by_one() -> None:
    """Also beside one that nobody has met before."""
    wrong = {mistake.id: mistake.blanks for mistake in EXERCISE.mistakes}
    assert recognised(**wrong["own_position"], **wrong["presence_per_count"]) == ["own_position", "presence_per_count"]
    unheard_of = {"min_p": "probs > 0.12"}
    named = recognised(**wrong["top_k_minus_one"], **wrong["presence_per_count"], **unheard_of)
    assert named == ["presence_per_count", "top_k_minus_one"]
