"""Every number in a mistake's message can be recomputed from the two cases that the messages speak of."""
from __future__ import annotations

import re

import pytest

from grader.catalogue import Mistake, load
from grader.known_mistakes import match, solution_blanks, wrong_function
from solutions.law import Rule, one_step_law
from solutions.rejection_rule.solution import rejection_rule

EXERCISE = load("rejection_rule")
CASES = (([0.7, 0.3], [0.4, 0.6]), ([0.45, 0.3, 0.15, 0.1], [0.2, 0.5, 0.1, 0.2]))
NUMBER = re.compile(r"\d+\.\d+")
EXTRA = {
    "no_min": {0.4 * 1.75 + 0.6 * 0.5},  # the acceptance rate that the uncapped ratio would give
    "ratio_epsilon": {0.25},  # a quarter, of two tiny probabilities
}


def numbers_of(rule: Rule) -> set[float]:
    """Everything that the two cases give under the rule: inputs, answers and the law."""
    found: set[float] = set()
    for target, draft in CASES:
        ledger = one_step_law(target, draft, rule)
        found |= {*target, *draft, *ledger.law, sum(ledger.accepted)}
        for token in range(len(target)):
            accept, residual = rule(list(target), list(draft), token)
            found |= {accept, *residual}
    return found


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_numbers_in_messages_are_true(mistake: Mistake) -> None:
    known = numbers_of(wrong_function(EXERCISE, mistake)) | numbers_of(rejection_rule) | EXTRA.get(mistake.id, set())
    for text in mistake.message:
        for written in NUMBER.findall(text):
            decimals = len(written.split(".")[1])
            assert any(abs(number - float(written)) <= 0.500001 * 10**-decimals for number in known), written


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_both_languages_give_the_same_numbers(mistake: Mistake) -> None:
    assert set(NUMBER.findall(mistake.message.en)) == set(NUMBER.findall(mistake.message.zh))


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
    space: dict[str, Rule] = {}
    exec(EXERCISE.fill(solution_blanks(EXERCISE) | {blank: written.replace("EPSILON", epsilon)}), space)
    assert [found.id for found in match(EXERCISE, space[EXERCISE.id])] == [mistake]


@pytest.mark.parametrize(
    ("blank", "written", "mistake"),
    [
        ("accept", "min(1.0, target_probs[draft_token] // qx)", "threshold"),
        ("accept", "float(target_probs[draft_token] >= draft_probs[draft_token])", "threshold"),
        ("accept", "1 - min(target_probs[draft_token] / qx, 1)", "reject_probability"),
        ("accept", "sum(map(min, target_probs, draft_probs))", "overall_rate"),
        ("residual", "min(p - q, 0.0)", "swapped_difference"),
        ("residual", "((p - q) ** 2) ** 0.5", "absolute_difference"),
        ("residual", "-(q - p)", "unclamped_difference"),
        ("residual", "p * (p > q)", "whole_target_where_greater"),
        ("residual", "2 * p", "residual_is_target"),
        ("residual", "2.718281828459045 ** max(p - q, 0)", "softmax_of_residual"),
    ],
)
def test_a_mistake_written_in_another_way_is_recognised(blank: str, written: str, mistake: str) -> None:
    space: dict[str, Rule] = {}
    exec(EXERCISE.fill(solution_blanks(EXERCISE) | {blank: written}), space)
    assert [found.id for found in match(EXERCISE, space[EXERCISE.id])] == [mistake]
