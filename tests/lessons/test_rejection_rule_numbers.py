"""What a marker can't stand behind in “The rejection rule”: the sums of both paths, inside their formulas."""
from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from lessons.figures.rules import rule
from lessons.lesson_file import ROOT as LESSONS
from solutions.law import one_step_law

TARGET, DRAFT = [0.7, 0.3], [0.4, 0.6]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("number", "name", "replacement"), [(0, "correct", [1.0, 0.0]), (1, "residual_is_target", TARGET)]
)
def test_the_two_paths_add_up_as_written(language: str, number: int, name: str, replacement: Sequence[float]) -> None:
    ledger = one_step_law(TARGET, DRAFT, rule(name))
    text = (LESSONS / language / "rejection_rule.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith(r"\text{") and r"\quad" in line]
    for token, line in enumerate(lines[2 * number : 2 * number + 2]):
        written = [float(part) for part in re.findall(r"\d+(?:\.\d+)?", line.partition(r"\quad")[2])]
        expected = [ledger.accepted[token], sum(ledger.rejected), replacement[token], ledger.law[token]]
        assert written == pytest.approx(expected)
