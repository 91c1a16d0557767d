"""What comes out where rows and draft tokens don't fit together."""
from __future__ import annotations

import random

import pytest

from solutions import mismatches
from solutions.cases import random_pairs
from solutions.law import one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule

MASKED, DRAFT = (0.5, 0.3, 0.2, 0.0), (0.2, 0.2, 0.2, 0.4)
PAIRS = random_pairs(random.Random(5), 40)


def test_a_removed_token_is_a_rejection() -> None:
    right = one_step_law(MASKED, DRAFT, mismatches.removed_then_residual([3]))
    wrong = one_step_law(MASKED, DRAFT, mismatches.removed_then_target([3]))
    assert right.law == pytest.approx(MASKED, abs=1e-12)
    assert wrong.law == pytest.approx((0.4, 0.32, 0.28, 0.0), abs=1e-12)


def test_where_nothing_was_drawn_nothing_is_rejected() -> None:
    right = one_step_law(MASKED, DRAFT, mismatches.never_drawn_then_target)
    wrong = one_step_law(MASKED, DRAFT, mismatches.never_drawn_then_residual)
    assert right.law == pytest.approx(MASKED, abs=1e-12)
    assert wrong.law == pytest.approx((0.75, 0.25, 0.0, 0.0), abs=1e-12)


def test_a_greedy_draft_scored_as_if_it_had_been_sampled() -> None:
    """The example in transformers issue 32867."""
    law = one_step_law((0.6, 0.4), (1.0, 0.0), mismatches.scored((0.8, 0.2))).law
    assert law == pytest.approx((0.75, 0.25), abs=1e-12)
    assert one_step_law((0.6, 0.4), (1.0, 0.0), rejection_rule).law == pytest.approx((0.6, 0.4), abs=1e-12)


def test_another_target_row_comes_out_as_it_is() -> None:
    other = (0.1, 0.2, 0.3, 0.4)
    assert one_step_law(MASKED, DRAFT, mismatches.judged_against(other)).law == pytest.approx(other)


@pytest.mark.parametrize(("target", "draft"), PAIRS)
def test_what_is_exact_for_every_pair(target: list[float], draft: list[float]) -> None:
    impossible = [token for token, mass in enumerate(target) if mass == 0.0]
    for rule in (
        mismatches.scored(draft), mismatches.removed_then_residual(impossible), mismatches.never_drawn_then_target,
        mismatches.match_or_own, mismatches.judged_against(target),
    ):
        assert one_step_law(target, draft, rule).law == pytest.approx(target, abs=1e-12)


def test_match_and_emit_keeps_the_agreement_of_two_draws() -> None:
    kept = sum(one_step_law(MASKED, DRAFT, mismatches.match_or_own).accepted)
    assert kept == pytest.approx(sum(p * q for p, q in zip(MASKED, DRAFT, strict=True)))
    assert kept < sum(one_step_law(MASKED, DRAFT, rejection_rule).accepted)


def test_a_fresh_draw_after_a_mismatch_is_biased() -> None:
    """The two agree in 0.46 of cases; the fresh draw adds 0.54 of the target."""
    law = one_step_law((0.7, 0.3), (0.4, 0.6), mismatches.match_or_fresh).law
    assert law == pytest.approx((0.4 * 0.7 + 0.54 * 0.7, 0.6 * 0.3 + 0.54 * 0.3), abs=1e-12)
    assert total_variation(law, (0.7, 0.3)) == pytest.approx(0.042)
