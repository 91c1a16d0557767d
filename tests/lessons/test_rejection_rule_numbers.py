"""Every number of the lesson's worked case, recomputed with the engine and looked up in both texts."""
from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from grader import catalogue
from grader.known_mistakes import wrong_function
from lessons.choices import quiz
from lessons.lesson_file import ROOT as LESSONS
from solutions.draws import accepts
from solutions.law import Rule, one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule

TARGET, DRAFT = [0.7, 0.3], [0.4, 0.6]
LANGUAGES = ("en", "zh")


def text(language: str) -> str:
    return (LESSONS / language / "rejection_rule.md").read_text("utf-8")


def numbers(line: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", line)]


def from_target() -> Rule:
    exercise = catalogue.load("rejection_rule")
    return wrong_function(exercise, next(one for one in exercise.mistakes if one.id == "residual_is_target"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_the_worked_case(language: str) -> None:
    ledger = one_step_law(TARGET, DRAFT, rejection_rule)
    rows = [line for line in text(language).splitlines() if re.match(r"\| [01] \|", line)]
    assert len(rows) == 2
    for token, row in enumerate(rows):
        accept, _ = rejection_rule(TARGET, DRAFT, token)
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[2] == f"min(1, {TARGET[token]:g}/{DRAFT[token]:g}) = {accept:g}"
        assert float(cells[1]) == DRAFT[token]
        assert float(cells[3]) == pytest.approx(ledger.accepted[token])
        assert float(cells[4]) == pytest.approx(ledger.rejected[token])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("number", "rule", "replacement"), [(0, rejection_rule, [1.0, 0.0]), (1, from_target(), TARGET)]
)
def test_the_two_paths_add_up_as_written(language: str, number: int, rule: Rule, replacement: Sequence[float]) -> None:
    ledger = one_step_law(TARGET, DRAFT, rule)
    lines = [line for line in text(language).splitlines() if line.startswith(r"\text{") and r"\quad" in line]
    for token, line in enumerate(lines[2 * number : 2 * number + 2]):
        written = numbers(line.partition(r"\quad")[2])
        expected = [ledger.accepted[token], sum(ledger.rejected), replacement[token], ledger.law[token]]
        assert written == pytest.approx(expected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bias_of_resampling_from_the_target(language: str) -> None:
    law = one_step_law(TARGET, DRAFT, from_target()).law
    assert f"**{total_variation(law, TARGET):g}**" in text(language)
    for mass in (law[1], TARGET[1]):
        assert f"{mass:.0%}" in text(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_of_the_quiz(language: str) -> None:
    coin, residual, zero = quiz("rejection_rule", language)
    accept, _ = rejection_rule([0.2, 0.8], [0.5, 0.5], 0)
    assert coin.options["ratio"].text == f"{accept:g}" and coin.right == "ratio"
    target, draft = (0.5, 0.3, 0.2), (0.2, 0.2, 0.6)
    _, drawn_from = rejection_rule(list(target), list(draft), 2)
    assert numbers(residual.ask.partition("0.6")[0]) == [*target, 0.2, 0.2]
    assert numbers(residual.options["residual"].text) == pytest.approx(drawn_from)
    rest = [target[0] / 0.8, target[1] / 0.8, 0.0]
    assert numbers(residual.options["without"].text.partition(")")[0]) == pytest.approx(rest)
    assert not accepts(0.0, 0.0, 0.5) and zero.right == "reject"
