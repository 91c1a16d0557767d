"""The proof's ledger: a column appears with its line, every option says why, and the algebra holds for any pair."""
from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from streamlit.testing.v1 import AppTest

from grader.language import LANGUAGES, words
from lessons.figures.distributions import DEFAULT, EXAMPLES, Pair
from lessons.figures.proof.build import LINES, TEXTS, State, build
from solutions.law import one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from tests.lessons.figures.random_pairs import pairs
from tests.lessons.figures.test_controls import opened, plots, press, said, shown

EN = words(TEXTS, "en")
Formula = Callable[[float, float, float], float]

# Each option as a function of p, q and R, by line; what a line asks for is in ASKED.
OPTIONS: dict[str, dict[str, Formula]] = {
    "accepted": {
        "target": lambda p, q, R: p, "product": lambda p, q, R: p * q, "smaller": lambda p, q, R: min(p, q),
        "draft": lambda p, q, R: q,
    },
    "rejected": {
        "excess": lambda p, q, R: max(q - p, 0.0), "missing": lambda p, q, R: max(p - q, 0.0),
        "absolute": lambda p, q, R: abs(p - q), "rest": lambda p, q, R: 1.0 - p,
    },
    "resampled": {
        "target": lambda p, q, R: R * p, "excess": lambda p, q, R: max(q - p, 0.0),
        "residual": lambda p, q, R: max(p - q, 0.0) / R, "missing": lambda p, q, R: max(p - q, 0.0),
    },
    "sum": {
        "larger": lambda p, q, R: max(p, q), "target": lambda p, q, R: p, "middle": lambda p, q, R: (p + q) / 2.0,
        "draft": lambda p, q, R: q,
    },
}  # fmt: skip
ASKED = {"accepted": "accepted", "rejected": "rejected", "resampled": "resampled", "sum": "law"}


@pytest.mark.parametrize("name", ASKED)
def test_only_the_right_option_gives_the_engine_s_numbers(name: str) -> None:
    pair = Pair((0.45, 0.3, 0.2, 0.05), (0.2, 0.35, 0.1, 0.35))
    wanted = getattr(one_step_law(pair.target, pair.draft, rejection_rule), ASKED[name])
    rejected = total_variation(pair.target, pair.draft)
    line = next(line for line in LINES if line.name == name)
    assert set(OPTIONS[name]) == set(line.options)
    for option, formula in OPTIONS[name].items():
        got = [formula(p, q, rejected) for p, q in zip(pair.target, pair.draft, strict=True)]
        assert (got == pytest.approx(list(wanted))) == (option == line.right), option


@settings(deadline=None)
@given(pairs)
def test_the_sums_of_lines_three_and_four_hold_for_any_pair(pair: Pair) -> None:
    ledger = one_step_law(pair.target, pair.draft, rejection_rule)
    distance = total_variation(pair.target, pair.draft)
    assert sum(ledger.rejected) == pytest.approx(distance, abs=1e-12)
    assert 1.0 - sum(ledger.accepted) == pytest.approx(distance, abs=1e-12)
    missing = sum(max(p - q, 0.0) for p, q in zip(pair.target, pair.draft, strict=True))
    assert missing == pytest.approx(distance, abs=1e-12)


def test_the_right_option_isn_t_always_in_the_same_place() -> None:
    assert len({line.options.index(line.right) for line in LINES}) >= 3


def test_a_column_appears_with_its_line() -> None:
    names = {"accepted": "Accepted", "rejected": "Rejected", "resampled": "Resampled", "sum": "Sum"}
    for line in range(len(LINES) + 1):
        row = build(State(line=line), EN).table[0]
        done = [entry.name for entry in LINES[:line]]
        assert {heading for name, heading in names.items() if row[heading] is not None} == {
            heading for name, heading in names.items() if name in done
        }


def test_the_bars_grow_with_the_proof() -> None:
    def bars(line: int) -> list[tuple[float | None, ...]]:
        (plot,) = build(State(line=line), EN).plots
        assert isinstance(plot, go.Figure)
        return [tuple(bar.x) for bar in plot.data if bar.type == "bar"]

    assert bars(0) == [(None, None), (None, None)]
    assert bars(1) == [(0.4, 0.3), (None, None)]
    assert bars(6) == [pytest.approx((0.4, 0.3)), pytest.approx((0.3, 0.0))]


def test_every_stage_says_the_numbers_of_the_pair() -> None:
    told = [build(State(DEFAULT, line), EN).alt for line in range(len(LINES) + 1)]
    assert len(set(told)) == len(told)
    assert "Rejected in all: 0.300" in told[3] and "[0.700, 0.300], the target" in told[6]


def test_without_a_rejection_nothing_is_divided() -> None:
    assert "nothing is divided" in build(State(EXAMPLES["identical"], 4), EN).alt


def choose(app: AppTest, line: str, option: str, language: str = "en") -> AppTest:
    app = app.radio(key=f"figure.proof.{line}.{language}").set_value(option).run()
    assert not app.exception
    return app


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reader_fills_all_lines(language: str) -> None:
    texts = words(TEXTS, language)
    app = press(opened("proof", language=language), "proof", "show")
    for line in LINES:
        wrong = next(option for option in line.options if option != line.right)
        app = choose(app, line.name, wrong, language)
        assert texts(f"why.{line.name}.{wrong}") in app.info[-1].value
        assert "figure.proof.next" not in [button.key for button in app.button]
        app = choose(app, line.name, line.right, language)
        assert texts(f"why.{line.name}.{line.right}") in app.success[-1].value
        app = press(app, "proof", "next")
        assert texts(f"done.{line.name}") in said(app)
    assert texts("complete") in said(app) and not app.radio
    app = press(app, "proof", "restart")
    assert app.radio(key=f"figure.proof.accepted.{language}").value is None


def test_back_opens_the_line_again_and_a_line_can_be_filled_in_for_the_reader() -> None:
    app = press(press(shown("proof"), "proof", "tell"), "proof", "tell")
    assert "line=2" in app.code[0].value
    app = press(app, "proof", "back")
    assert app.radio(key="figure.proof.rejected.en").value is None and plots(app) == 1


def test_a_link_opens_the_proof_at_its_line() -> None:
    app = shown("proof", query={"proof.line": "3"})
    assert app.radio[0].key == "figure.proof.divisor.en"
    assert "proof.line=7" in shown("proof", query={"proof.line": "7"}).warning[0].value.replace("\\", "")
