"""What a marker can't say in “Why verify”: a number written otherwise in Chinese, and a sentence without a number."""
from __future__ import annotations

import pytest

from lessons.figures.timeline.build import bill
from lessons.figures.timeline.simulate import State
from lessons.lesson_file import ROOT as LESSONS
from tests.lessons.claims.why_verify import OPERATIONS_A_WEIGHT, WEIGHTS


@pytest.mark.parametrize(("language", "unit", "form"), [("en", 1e9, "{:g} billion"), ("zh", 1e8, "{:g} 亿")])
def test_weights_and_operations_in_words(language: str, unit: float, form: str) -> None:
    text = (LESSONS / language / "why_verify.md").read_text("utf-8")
    assert form.format(WEIGHTS / unit) + {"en": " weights", "zh": "个权重"}[language] in text
    assert f"| {form.format(WEIGHTS * OPERATIONS_A_WEIGHT / unit)}" in text


def test_no_draft_can_win_where_every_row_costs_as_much_as_the_first() -> None:
    for drafts in (1, 4, 8):
        assert bill(State(drafts=drafts, alpha=1.0, draft_cost=0.0, row_cost=1.0)).speed == pytest.approx(1.0)
