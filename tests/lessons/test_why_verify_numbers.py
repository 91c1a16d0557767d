"""Every number of “Why verify” that can be computed, looked up in both texts."""
from __future__ import annotations

import pytest

from lessons.choices import quiz
from lessons.figures.timeline.build import bill
from lessons.figures.timeline.simulate import State
from lessons.lesson_file import ROOT as LESSONS
from solutions.expected_tokens.solution import speedup
from solutions.rejection_rule.solution import rejection_rule

LANGUAGES = ("en", "zh")
WEIGHTS, BYTES_A_WEIGHT, OPERATIONS_A_WEIGHT = 8e9, 2, 2
BANDWIDTH, OPERATIONS = 3.35e12, 989e12  # NVIDIA's data sheet of the H100 SXM: bytes a second; dense, 16 bits


def text(language: str) -> str:
    return (LESSONS / language / "why_verify.md").read_text("utf-8")


def table(language: str, columns: int) -> list[list[str]]:
    """The rows of the lesson's tables with so many columns."""
    rows = [line.strip("|").split("|") for line in text(language).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows if len(row) == columns]


@pytest.mark.parametrize("language", LANGUAGES)
def test_reading_against_calculating(language: str) -> None:
    read, calculated = table(language, 3)[1:3]
    in_bytes, operations = WEIGHTS * BYTES_A_WEIGHT, WEIGHTS * OPERATIONS_A_WEIGHT
    assert read[1:] == [f"{in_bytes / 1e9:g} GB", f"{1e3 * in_bytes / BANDWIDTH:.1f} ms"]
    assert calculated[1] == {"en": f"{operations / 1e9:g} billion", "zh": f"{operations / 1e8:g} 亿次"}[language]
    assert calculated[2] == f"{1e3 * operations / OPERATIONS:.3f} ms"
    ratio = (in_bytes / BANDWIDTH) / (operations / OPERATIONS)
    assert text(language).count(f"{ratio:.0f}") == 2
    assert f"{WEIGHTS / 1e9:g} billion weights" in text("en") and f"{WEIGHTS / 1e8:g} 亿个权重" in text("zh")
    assert f"{BANDWIDTH / 1e12:g} TB" in text(language) and f"{OPERATIONS / 1e12:g}" in text(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_guesses_take_four_rows(language: str) -> None:
    rows = [row for row in table(language, 3) if row[0].isdecimal()]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"] and "$K = 3$" in text(language)
    assert {one.id: one.right for one in quiz("why_verify", language)}["rows"] == "five"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_look_up_is_a_draft_that_is_sure(language: str) -> None:
    accept, residual = rejection_rule([0.7, 0.3], [0.0, 1.0], 1)
    assert (accept, residual) == (0.3, [1.0, 0.0])
    assert "$(0.7, 0.3)$" in text(language) and "$(1, 0)$" in text(language)
    assert {"en": f"with probability {accept:g}", "zh": f"以 {accept:g} 的概率留下它"}[language] in text(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_slow_draft_and_the_fast_one(language: str) -> None:
    slow, fast = (f"{speedup(alpha, 4, cost):.1f}" for alpha, cost in ((0.9, 0.6), (0.7, 0.1)))
    unit = {"en": "times the speed", "zh": "倍"}[language]
    assert f"{slow} {unit}" in text(language) and f"{fast} {unit.split()[0]}" in text(language)


def test_no_draft_can_win_where_every_row_costs_as_much_as_the_first() -> None:
    for drafts in (1, 4, 8):
        assert bill(State(drafts=drafts, alpha=1.0, draft_cost=0.0, row_cost=1.0)).speed == pytest.approx(1.0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_measured_elsewhere_names_its_source(language: str) -> None:
    for number in ("1.96", "1.21", "1.7%"):
        assert number in text(language)
    assert "arxiv.org/abs/2601.11580" in text(language) and "vLLM 0.10.1" in text(language)
