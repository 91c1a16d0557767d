"""The tree of prefixes: its laws are the engine's, and its words say which tests are blind."""
from __future__ import annotations

import math
import re

import pytest

from grader.language import words
from lessons.figures.known_rules import CORRECT, function
from lessons.figures.prefix_tree.build import TEXTS, build, rule_name
from lessons.figures.prefix_tree.laws import DRAFTS, EXERCISE, LENGTH, RULES, TABLES, State, laws, models
from lessons.figures.prefix_tree.picture import EQUAL
from lessons.figures.stepper import Step, Stepper
from solutions.joint_law import distance, joint_law, target_law
from solutions.trees import chain_law
from tests.lessons.figures.drawing_bounds import assert_inside

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
BLIND = {"replaced_in_place", "bonus_after_rejection", "one_coin", "bonus_from_row_before", "bonus_from_draft"}


def steps(state: State, language: str = "en") -> tuple[Step, ...]:
    (plot,) = build(state, words(TEXTS, language)).plots
    assert isinstance(plot, Stepper)
    return plot.steps


@pytest.mark.parametrize("tables", TABLES)
def test_the_right_rule_is_exact_at_every_length(tables: str) -> None:
    assert max(laws(State(tables, CORRECT)).apart) < EQUAL


@pytest.mark.parametrize("rule", RULES)
def test_the_laws_are_the_engine_s(rule: str) -> None:
    state, tree = State("own", rule), models(State("own", rule))
    whole, target = joint_law(function(EXERCISE, rule), tree, DRAFTS), target_law(tree, LENGTH)
    assert laws(state).apart[-1] == pytest.approx(distance(whole, target), abs=1e-12)
    for count, wanted in enumerate(laws(state).wanted, start=1):
        assert distance(wanted, chain_law(tree.target, count)) < EQUAL
        assert math.fsum(laws(state).found[count - 1].values()) == pytest.approx(1.0)


def test_these_leave_the_first_token_s_law_right_and_not_the_joint_law() -> None:
    found = {rule for rule in RULES if laws(State("own", rule)).apart[0] < EQUAL < laws(State("own", rule)).apart[-1]}
    assert found == BLIND


def test_the_same_row_everywhere_hides_a_mix_up_of_rows() -> None:
    hidden = {rule for rule in BLIND if laws(State("same", rule)).apart[-1] < EQUAL}
    assert hidden == {"bonus_after_rejection", "bonus_from_row_before"}


def test_a_rule_without_bonus_is_exact_and_slower() -> None:
    right, without = laws(State("own", CORRECT)), laws(State("own", "no_bonus"))
    assert max(without.apart) < EQUAL and without.tokens < right.tokens
    assert right.tokens == pytest.approx(1 + 0.7 + 0.7**2), "each prefix has an overlap of 0.7"


def test_steps_and_sentences() -> None:
    shown = steps(State())
    assert [step.title for step in shown] == ["The two models", "The first token", "Two tokens", "Three tokens"]
    assert "0.70 × 0.80 × 0.10 = 0.056" in shown[0].sentence
    assert "✓ exactly the target's" in shown[1].sentence
    assert "the total variation distance is 0.120" in shown[2].sentence
    assert "2.490 on average" in shown[3].sentence


def test_the_question_s_answer_is_what_the_laws_give() -> None:
    apart = laws(State("own", "replaced_in_place")).apart
    assert apart[0] < EQUAL < apart[1]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_rule_has_a_name_and_every_state_a_drawing(language: str) -> None:
    texts = words(TEXTS, language)
    assert len({rule_name(rule, texts) for rule in RULES}) == len(RULES)
    for state in (State(tables, rule, 3) for tables in TABLES for rule in RULES):
        for step in steps(state, language):
            assert not re.search(r"[{}]", step.sentence)
            assert_inside(step)


def test_a_link_is_read_back_and_what_is_wrong_in_it_is_told() -> None:
    state = State("seeded", "one_coin", 7)
    query = {f"tree.{name}": value for name, value in state.to_query().items()}
    assert State.from_query(query) == (state, [])
    read, problems = State.from_query({"tree.rule": "nonsense"})
    assert read == State() and problems[0].slots["got"] == "nonsense"
