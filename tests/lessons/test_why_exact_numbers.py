"""Every number of “Why it is exact”, recomputed with the engine and looked up in both texts."""
from __future__ import annotations

import re

import pytest

from lessons.choices import Choice, quiz
from lessons.figures.distributions import Pair
from lessons.figures.overlap.build import by_the_rule, by_two_draws, kept
from lessons.lesson_file import ROOT as LESSONS
from solutions.law import one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule

LANGUAGES = ("en", "zh")
WORKED = Pair((0.7, 0.3), (0.4, 0.6))
FOUR = Pair((0.45, 0.3, 0.2, 0.05), (0.2, 0.35, 0.1, 0.35))
QUIZ = Pair((0.5, 0.3, 0.2), (0.2, 0.2, 0.6))


def text(language: str) -> str:
    return (LESSONS / language / "why_exact.md").read_text("utf-8")


def row(masses: tuple[float, ...]) -> str:
    return "(" + ", ".join(f"{mass:g}" for mass in masses) + ")"


def question(name: str, language: str) -> Choice:
    return next(one for one in quiz("why_exact", language) if one.id == name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_total_variation_of_the_worked_case(language: str) -> None:
    apart = [abs(p - q) for p, q in zip(WORKED.target, WORKED.draft, strict=True)]
    distance = total_variation(WORKED.target, WORKED.draft)
    assert rf"$\frac{{1}}{{2}}({apart[0]:g} + {apart[1]:g}) = {distance:.2g}$" in text(language)
    assert f"p = {row(WORKED.target)}" in text(language) and f"q = {row(WORKED.draft)}" in text(language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pair", [WORKED, FOUR])
def test_the_acceptance_rates(language: str, pair: Pair) -> None:
    accepted = one_step_law(pair.target, pair.draft, rejection_rule).accepted
    rate = sum(accepted)
    assert rate == pytest.approx(1.0 - total_variation(pair.target, pair.draft))
    assert "$" + " + ".join(f"{mass:g}" for mass in accepted) + f" = {rate:.2g}$" in text(language)
    assert row(pair.target) in text(language) and row(pair.draft) in text(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_independent_draws_agree_less_often(language: str) -> None:
    agree = kept(by_two_draws(WORKED))
    terms = " + ".join(rf"{p:g} \cdot {q:g}" for p, q in zip(WORKED.target, WORKED.draft, strict=True))
    assert f"${terms} = {agree:.2g}$" in text(language)
    assert kept(by_the_rule(WORKED)) == pytest.approx(0.7)


@pytest.mark.parametrize("language", LANGUAGES)
def test_keeping_everything_emits_the_draft(language: str) -> None:
    law = one_step_law(WORKED.target, WORKED.draft, lambda target, draft, token: (1.0, target)).law
    assert law == WORKED.draft
    note = re.search(r"100%[^\n]*\n?[^\n]*", text(language))
    assert note is not None and f"{total_variation(law, WORKED.target):.2g}" in note[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_quiz_s_acceptance_rate(language: str) -> None:
    asked = question("rate", language)
    assert row(QUIZ.target) in asked.ask and row(QUIZ.draft) in asked.ask
    assert float(asked.options["overlap"].text) == pytest.approx(kept(by_the_rule(QUIZ)))
    assert float(asked.options["distance"].text) == pytest.approx(total_variation(QUIZ.target, QUIZ.draft))
    assert float(asked.options["agree"].text) == pytest.approx(kept(by_two_draws(QUIZ)))
    assert asked.right == "overlap"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rest", [(0.8, 0.0), (0.5, 0.3)])
def test_the_quiz_s_token_that_is_never_proposed(language: str, rest: tuple[float, float]) -> None:
    ledger = one_step_law((*rest, 0.2), (0.4, 0.6, 0.0), rejection_rule)
    assert (ledger.accepted[2], ledger.law[2]) == (0.0, pytest.approx(0.2))
    assert "0.2" in question("unproposed", language).ask and question("unproposed", language).right == "exact"
