"""Every marked claim of every lesson is computed or sourced, in both languages, in the same order."""
from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from lessons.choices import quiz_path
from lessons.claims import claims, unmarked
from lessons.lesson_file import ROOT
from tests.lessons.claims.kinds import Claim, Computed, Sourced, Written, last_number

HERE = Path(__file__).parent / "claims"
LESSONS = sorted(path.stem for path in (ROOT / "en").glob("*.md"))
LANGUAGES = ("en", "zh")


def written(lesson: str, language: str) -> str:
    """The lesson and its quiz, as they are in the files."""
    paths = (ROOT / language / f"{lesson}.md", quiz_path(lesson, language))
    return "\n\n".join(path.read_text("utf-8") for path in paths if path.exists())


def known(lesson: str) -> dict[str, Claim]:
    if not (HERE / f"{lesson}.py").exists():
        return {}
    found: dict[str, Claim] = import_module(f"tests.lessons.claims.{lesson}").CLAIMS
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS)
def test_every_claim_holds(lesson: str, language: str) -> None:
    text = written(lesson, language)
    problems = {name: known(lesson)[name].problem(before, text) for name, before in claims(text)}
    assert {name: problem for name, problem in problems.items() if problem} == {}


@pytest.mark.parametrize("lesson", LESSONS)
def test_both_languages_claim_the_same(lesson: str) -> None:
    english, chinese = ([name for name, _ in claims(written(lesson, language))] for language in LANGUAGES)
    assert english == chinese and set(english) == set(known(lesson))


def test_no_claims_of_a_lesson_that_is_gone() -> None:
    assert {path.stem for path in HERE.glob("*.py")} - {"__init__", "kinds"} <= set(LESSONS)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("it is 0.61", 0.61, 0.01), ("about 70%", 0.7, 0.01), ("in 58.5% of", 0.585, 0.001), ("1,300 rows", 1300, 1),
        (r"$1.6 \times 10^{-8}$", 1.6e-8, 1e-9), ("2.0 倍", 2.0, 0.1),
        ("\N{MINUS SIGN}0.4", -0.4, 0.1), ("$R = 30\\%$", 0.3, 0.01),
    ],
)
def test_numbers_are_read_as_they_are_written(text: str, value: float, unit: float) -> None:
    shown = last_number(text)
    assert shown is not None and (shown.value, shown.unit) == (pytest.approx(value), pytest.approx(unit))


def test_a_false_claim_is_told() -> None:
    assert Computed(lambda: 0.6149).problem("is 0.61", "") == ""
    assert "computed is 0.616" in Computed(lambda: 0.616).problem("is 0.61", "")
    assert "no number" in Computed(lambda: 1.0).problem("is one", "")
    assert Written(lambda: "(0.5, 0.5)").problem("is (0.5, 0.5)", "") == "" != Written(lambda: "x").problem("y", "")
    assert "source" in Sourced("2211.17192").problem("", "no sources") and not Sourced("2211").problem("", "[2211]")
    assert Sourced("2211", 0.017).problem("less than 1.7%", "[2211]") == ""
    assert "the source has 1.96" in Sourced("2211", 1.96).problem("up to 1.69", "[2211]")


def test_a_marker_is_found_and_not_shown() -> None:
    text = "is 0.3 {claim: tv} and 0.7{claim: rate}."
    assert unmarked(text) == "is 0.3 and 0.7."
    assert list(claims(text)) == [("tv", "is 0.3"), ("rate", "is 0.3 and 0.7")]
