"""Every number in a mistake's message can be recomputed from the two cases that the messages speak of.

And a mistake is recognised however it is written.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from grader.catalogue import Exercise, Mistake, exercise_ids, load
from grader.known_mistakes import match, solution_blanks, wrong_function
from solutions.law import Rule, one_step_law
from tests.solutions.batch_numbers import numbers_of_a_batch
from tests.solutions.generated_numbers import numbers_of_generating
from tests.solutions.round_numbers import numbers_of_a_round

# tests/solutions/test_<id>.py recomputes the numbers of theirs
ELSEWHERE = {"commit_round", "expected_tokens", "target_distribution"}
EXERCISES = [load(name) for name in exercise_ids() if name not in ELSEWHERE]
CASES = (([0.7, 0.3], [0.4, 0.6]), ([0.45, 0.3, 0.15, 0.1], [0.2, 0.5, 0.1, 0.2]))
NUMBER = re.compile(r"\d+\.\d+")
EXTRA = {
    "no_min": {0.4 * 1.75 + 0.6 * 0.5},  # the acceptance rate that the uncapped ratio would give
    "ratio_epsilon": {0.25},  # a quarter, of two tiny probabilities
}

each_mistake = pytest.mark.parametrize(
    ("exercise", "mistake"),
    [
        pytest.param(exercise, mistake, id=f"{exercise.id}-{mistake.id}")
        for exercise in EXERCISES
        for mistake in exercise.mistakes
    ],
)


def numbers_of_a_rule(rule: Rule) -> set[float]:
    """Everything that the two cases give under the rule: answers and the law."""
    found: set[float] = set()
    for target, draft in CASES:
        ledger = one_step_law(target, draft, rule)
        found |= {*ledger.law, sum(ledger.accepted)}
        for token in range(len(target)):
            accept, residual = rule(list(target), list(draft), token)
            found |= {accept, *residual}
    return found


def numbers_of_two_paths(function: Callable[..., Any]) -> set[float]:
    """Everything that the two cases give: the paths, the law, and what each of them sums to."""
    found: set[float] = set()
    for case in CASES:
        accepted, rejected, resampled = function(*case, True)
        masses = (accepted, resampled, function(*case))
        found |= {rejected, *(number for part in masses for number in (*part, sum(part)))}
    return found


def no_numbers(function: Callable[..., Any]) -> set[float]:
    """Of messages that quote none."""
    return set()


NUMBERS_OF: dict[str, Callable[[Callable[..., Any]], set[float]]] = {
    "rejection_rule": numbers_of_a_rule,
    "two_paths": numbers_of_two_paths,
    "verify_batch": numbers_of_a_batch,
    "bug_hunt_batch": numbers_of_a_batch,
    "speculative_step": numbers_of_a_round,
    "bug_hunt_kernel": no_numbers,
    "speculative_generate": numbers_of_generating,
}


@each_mistake
def test_numbers_in_messages_are_true(exercise: Exercise, mistake: Mistake) -> None:
    numbers_of = NUMBERS_OF[exercise.id]
    given = {number for case in CASES for law in case for number in law}
    known = numbers_of(wrong_function(exercise, mistake)) | numbers_of(exercise.solution)
    known |= given | EXTRA.get(mistake.id, set())
    for text in mistake.message:
        for written in NUMBER.findall(text):
            decimals = len(written.split(".")[1])
            assert any(abs(number - float(written)) <= 0.500001 * 10**-decimals for number in known), written


@each_mistake
def test_both_languages_give_the_same_numbers(exercise: Exercise, mistake: Mistake) -> None:
    assert set(NUMBER.findall(mistake.message.en)) == set(NUMBER.findall(mistake.message.zh))


def recognised(exercise_id: str, blank: str, written: str) -> list[str]:
    """The mistakes that are named where one blank holds `written` and the others are right."""
    exercise, space = load(exercise_id), dict[str, Any]()
    exec(exercise.fill(solution_blanks(exercise) | {blank: written}), space)
    return [found.id for found in match(exercise, space[exercise_id])]


@pytest.mark.parametrize("epsilon", ["1e-8", "1e-10", "1e-12", "1e-20"])
@pytest.mark.parametrize(
    ("blank", "written", "mistake"),
    [
        ("accept", "min(1.0, target_probs[draft_token] / (qx + EPSILON))", "ratio_epsilon"),
        ("accept", "min(1.0, target_probs[draft_token] / max(qx, EPSILON))", "ratio_epsilon"),
        ("residual", "max(p - q, EPSILON)", "residual_epsilon"),
        ("residual", "max(p - q, 0.0) + EPSILON", "residual_epsilon"),
    ],
)
def test_any_usual_epsilon_is_recognised(epsilon: str, blank: str, written: str, mistake: str) -> None:
    assert recognised("rejection_rule", blank, written.replace("EPSILON", epsilon)) == [mistake]


@pytest.mark.parametrize(
    ("exercise_id", "blank", "written", "mistake"),
    [
        ("rejection_rule", "accept", "min(1.0, target_probs[draft_token] // qx)", "threshold"),
        ("rejection_rule", "accept", "float(target_probs[draft_token] >= draft_probs[draft_token])", "threshold"),
        ("rejection_rule", "accept", "1 - min(target_probs[draft_token] / qx, 1)", "reject_probability"),
        ("rejection_rule", "accept", "sum(map(min, target_probs, draft_probs))", "overall_rate"),
        ("rejection_rule", "residual", "min(p - q, 0.0)", "swapped_difference"),
        ("rejection_rule", "residual", "((p - q) ** 2) ** 0.5", "absolute_difference"),
        ("rejection_rule", "residual", "-(q - p)", "unclamped_difference"),
        ("rejection_rule", "residual", "p * (p > q)", "whole_target_where_greater"),
        ("rejection_rule", "residual", "2 * p", "residual_is_target"),
        ("rejection_rule", "residual", "2.718281828459045 ** max(p - q, 0)", "softmax_of_residual"),
        ("two_paths", "accepted", "q * 1.0", "accepted_is_draft"),
        ("two_paths", "accepted", "q * p", "product_of_both"),
        ("two_paths", "accepted", "min(p / q, 1)", "given_the_proposal"),
        ("two_paths", "accepted", "0.5 * p + 0.5 * q", "average_of_both"),
        ("two_paths", "accepted", "q * (p >= q)", "threshold"),
        ("two_paths", "reject", "sum(p - q for p, q in zip(target, draft))", "never_rejects"),
        ("two_paths", "reject", "sum(map(min, target, draft))", "acceptance_rate"),
        ("two_paths", "reject", "sum(draft)", "always_rejects"),
        ("two_paths", "resampled", "share * 1.0", "path_not_weighted"),
        ("two_paths", "resampled", "(1.0 - reject_probability) * share", "weighted_with_acceptance"),
        ("two_paths", "resampled", "reject_probability / len(target)", "uniform_redraw"),
    ],
)
def test_a_mistake_written_in_another_way_is_recognised(
    exercise_id: str, blank: str, written: str, mistake: str
) -> None:
    assert recognised(exercise_id, blank, written) == [mistake]


@pytest.mark.parametrize(
    ("blanks", "mistakes"),
    [
        ({"accepted": "q", "resampled": "share"}, ["accepted_is_draft", "path_not_weighted"]),
        ({"accepted": "p * q", "reject": "0.0"}, ["product_of_both", "never_rejects"]),
        ({"accepted": "max(p, q)", "reject": "1.0 - sum(accepted)"}, ["max_for_min"]),
    ],
)
def test_mistakes_in_several_blanks_are_named_one_by_one(blanks: dict[str, str], mistakes: list[str]) -> None:
    exercise, space = load("two_paths"), dict[str, Any]()
    exec(exercise.fill(solution_blanks(exercise) | blanks), space)
    assert [found.id for found in match(exercise, space["two_paths"])] == mistakes
