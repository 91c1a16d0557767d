"""The overlap and the tables of exact rules: sums, the bound, and that no drawing contradicts its words."""
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.language import words
from lessons.figures.distributions import DEFAULT, EXAMPLES, Pair
from lessons.figures.overlap.build import TEXTS, Joint, State, build, by_the_rule, by_two_draws, kept
from lessons.figures.stepper import Step, Stepper
from solutions.law import total_variation
from tests.lessons.figures.drawing_bounds import assert_inside
from tests.lessons.figures.random_pairs import pairs

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")


def steps(pair: Pair, texts: object = EN) -> tuple[Step, ...]:
    (plot,) = build(State(pair), EN if texts is EN else ZH).plots
    assert isinstance(plot, Stepper)
    return plot.steps


def sums(table: Joint) -> tuple[list[float], list[float]]:
    return [sum(row) for row in table], [sum(row[at] for row in table) for at in range(len(table))]


def test_the_worked_case() -> None:
    told = [step.sentence for step in steps(DEFAULT)]
    assert len(told) == 5
    assert "in all that is 0.700, the acceptance rate" in told[0]
    assert "Draft above target, 0.300, is rejected" in told[1] and "1 − 0.700" in told[1]
    assert "holds 0.700" in told[2]
    assert "in only 0.460 of cases" in told[3]
    assert "at most 0.400 + 0.300 = 0.700" in told[4]


def test_the_question_names_what_the_tables_give() -> None:
    shared, agree = kept(by_the_rule(DEFAULT)), kept(by_two_draws(DEFAULT))
    assert EN("predict.option_shared").startswith(f"{shared:g}:")
    assert EN("predict.option_agree").startswith(f"{agree:.2g}:")
    assert f"= {agree:.2g}." in EN("predict.why")


@settings(deadline=None)
@given(pairs)
def test_both_tables_are_exact_and_the_rule_reaches_the_bound(pair: Pair) -> None:
    for table in (by_the_rule(pair), by_two_draws(pair)):
        rows, columns = sums(table)
        assert rows == pytest.approx(pair.draft, abs=1e-12) and columns == pytest.approx(pair.target, abs=1e-12)
        assert all(mass >= 0.0 for row in table for mass in row)
    assert kept(by_the_rule(pair)) == pytest.approx(1.0 - total_variation(pair.target, pair.draft), abs=1e-12)
    assert kept(by_two_draws(pair)) <= kept(by_the_rule(pair)) + 1e-12


def test_the_table_is_the_overlap() -> None:
    rows = build(State(EXAMPLES["four"]), EN).table
    assert [row["Shared"] for row in rows] == pytest.approx([0.2, 0.3, 0.1, 0.05])
    assert sum(row["Target above"] for row in rows) == pytest.approx(0.35)  # type: ignore[misc]
    assert sum(row["Draft above"] for row in rows) == pytest.approx(0.35)  # type: ignore[misc]


def test_laws_without_a_common_token_share_nothing() -> None:
    assert "in all that is 0.000" in steps(EXAMPLES["disjoint"])[0].sentence


@settings(deadline=None)
@given(pairs, st.sampled_from([EN, ZH]))
def test_every_pair_can_be_drawn(pair: Pair, texts: object) -> None:
    for step in steps(pair, texts):
        assert_inside(step)
