"""The figures on a page, as a reader uses them (without a browser: the stepper itself is tested in tests/browser)."""
from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from grader.language import LANGUAGES
from lessons.figures import rules
from lessons.figures.controls.predict import Question
from lessons.figures.frame import shared
from lessons.figures.registry import FIGURES
from solutions.law import one_step_law
from solutions.rejection_rule.solution import rejection_rule
from solutions.simulate import expected_total_variation

EN = shared("en")
QUESTIONS: dict[str, Question] = {
    name: import_module(f"lessons.figures.{name}.controls").QUESTION for name in FIGURES
}
PAIRED = ("accept_dart", "two_paths", "convergence", "overlap", "proof")  # they start from two typed distributions


def page(figure: str, language: str = "en", rule: str = "") -> None:
    from grader.language import words
    from lessons.figures.frame import SHARED
    from lessons.figures.registry import FIGURES
    from tests.lessons.figures.test_controls import RULES

    FIGURES[figure](words(SHARED, language), **({"rule": RULES[rule]} if rule else {}))


def _raises(target: object, draft: object, token: int) -> tuple[float, list[float]]:
    raise TypeError("list *index* must be $x$")


RULES: dict[str, Callable[..., Any]] = {
    "raises": _raises,
    "accepts": lambda target, draft, token: (1.0, list(target)),
}


def opened(figure: str, language: str = "en", rule: str = "", query: dict[str, str] | None = None) -> AppTest:
    app = AppTest.from_function(page, args=(figure, language, rule), default_timeout=30)
    for name, value in (query or {}).items():
        app.query_params[name] = value
    return _run(app)


def _run(changed: Any) -> AppTest:
    """Run the page, or a widget that was changed on it."""
    app: AppTest = changed.run()
    assert not app.exception
    return app


def shown(figure: str, **options: Any) -> AppTest:
    app = opened(figure, **options)
    return press(app, figure, "show")


def press(app: AppTest, figure: str, button: str) -> AppTest:
    return _run(app.button(key=f"figure.{figure}.{button}").click())


def typed(app: AppTest, figure: str, target: str, draft: str) -> AppTest:
    app.text_input(key=f"figure.{figure}.target").set_value(target)
    return _run(app.text_input(key=f"figure.{figure}.draft").set_value(draft))


def plots(app: AppTest) -> int:
    return len(app.get("plotly_chart")) + len(app.get("bidi_component"))


def steps(app: AppTest) -> dict[str, Any]:
    """The stepper's data as the browser gets it."""
    (component,) = app.get("bidi_component")
    data: dict[str, Any] = json.loads(component.proto.json)  # type: ignore[attr-defined]
    return data


def said(app: AppTest) -> str:
    return "\n".join(element.value for element in (*app.markdown, *app.success, *app.info, *app.error, *app.warning))


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_outcome_is_hidden_until_the_reader_has_guessed(figure: str, language: str) -> None:
    app = opened(figure, language=language)
    assert plots(app) == 0 and not app.table
    app.radio(key=f"figure.{figure}.option.{language}").set_value(QUESTIONS[figure].right)
    app = press(app, figure, "answer")
    assert plots(app) >= 1 and len(app.table) == 1
    assert shared(language)("predict.right") in app.success[0].value
    assert all(radio.key != f"figure.{figure}.option.{language}" for radio in app.radio)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_wrong_guess_is_told_why(figure: str) -> None:
    app = opened(figure)
    wrong = next(option for option in QUESTIONS[figure].options if option != QUESTIONS[figure].right)
    app.radio(key=f"figure.{figure}.option.en").set_value(wrong)
    app = press(app, figure, "answer")
    assert EN("predict.wrong") in app.info[0].value and plots(app) >= 1


def test_the_right_guesses_are_what_the_solution_gives() -> None:
    """The questions and their explanations name these numbers."""
    target, draft = [0.7, 0.3], [0.4, 0.6]
    assert rejection_rule(target, draft, 1)[0] == 0.5
    law = one_step_law(target, draft, rules.rule("residual_is_target")).law
    assert law == pytest.approx((0.61, 0.39), abs=1e-12)
    by_chance = [expected_total_variation(target, draws) for draws in (10**4, 10**6)]
    assert by_chance[0] / by_chance[1] == pytest.approx(10.0, rel=1e-3)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_guess_without_an_option_asks_for_one(figure: str) -> None:
    app = press(opened(figure), figure, "answer")
    assert EN("predict.choose") in app.info[0].value and plots(app) == 0


def test_a_reader_who_has_answered_before_is_not_asked_again() -> None:
    class Answered:
        def answered(self, figure: str, right: bool) -> None: ...

        def was_answered(self, figure: str) -> bool:
            return figure == "two_paths"

    def script(events: object) -> None:
        from grader.language import words
        from lessons.figures.frame import SHARED
        from lessons.figures.registry import FIGURES

        for name in ("two_paths", "convergence"):
            FIGURES[name](words(SHARED, "en"), events)

    app = _run(AppTest.from_function(script, args=(Answered(),), default_timeout=30))
    assert len(app.radio) == 1 and plots(app) == 1


def test_the_guess_is_reported_right_or_wrong() -> None:
    heard: list[tuple[str, bool]] = []

    class Listening:
        def answered(self, figure: str, right: bool) -> None:
            heard.append((figure, right))

        def was_answered(self, figure: str) -> bool:
            return False

    def script(events: object) -> None:
        from grader.language import words
        from lessons.figures.frame import SHARED
        from lessons.figures.registry import FIGURES

        FIGURES["accept_dart"](words(SHARED, "en"), events)

    app = _run(AppTest.from_function(script, args=(Listening(),), default_timeout=30))
    app.radio[0].set_value("never")
    app = press(app, "accept_dart", "answer")
    assert heard == [("accept_dart", False)]
    assert plots(app) == 1


@pytest.mark.parametrize("figure", PAIRED)
@pytest.mark.parametrize("example", ["worked", "four", "identical", "disjoint"])
def test_every_example_can_be_chosen(figure: str, example: str) -> None:
    app = press(shown(figure), figure, example)
    assert plots(app) >= 1 and not app.error
    assert len(app.table[0].value) == {"worked": 2, "four": 4, "identical": 3, "disjoint": 4}[example]


@pytest.mark.parametrize("figure", PAIRED)
def test_what_cannot_be_used_stays_typed_and_the_figure_stays(figure: str) -> None:
    app = typed(shown(figure), figure, "0.5, abc", "0.4, 0.6")
    assert "Target, number 2" in app.error[0].value and EN("input.kept") in app.error[0].value
    assert app.text_input(key=f"figure.{figure}.target").value == "0.5, abc"
    assert plots(app) >= 1 and len(app.table[0].value) == 2


@pytest.mark.parametrize("figure", PAIRED)
def test_normalise_mends_a_sum(figure: str) -> None:
    app = typed(shown(figure), figure, "7, 3", "1, 3")
    assert "Target sums to 10" in app.error[0].value
    app = press(app, figure, "normalise")
    assert not app.error
    assert app.text_input(key=f"figure.{figure}.target").value == "0.7, 0.3"
    assert app.text_input(key=f"figure.{figure}.draft").value == "0.25, 0.75"


def test_a_row_of_zeros_says_what_to_do() -> None:
    app = press(typed(shown("two_paths"), "two_paths", "0, 0", "1, 3"), "two_paths", "normalise")
    assert "Make one number positive" in app.error[0].value
    assert app.text_input(key="figure.two_paths.target").value == "0, 0"


def test_a_link_restores_the_figure_and_the_figure_gives_it_back() -> None:
    pair = {"dart.target": "0.5,0.25,0.25", "dart.draft": "0.2,0.3,0.5"}
    query = pair | {"dart.token": "2", "dart.u": "0.75", "dart.seed": "9"}
    app = shown("accept_dart", query=query)
    assert app.selectbox(key="figure.accept_dart.token.en").value == 2
    assert app.number_input(key="figure.accept_dart.u").value == 0.75
    assert app.number_input(key="figure.accept_dart.seed").value == 9
    address = app.code[0].value
    assert all(f"{name}={value}" in address for name, value in query.items()) and "lang=en" in address


def test_a_bad_link_says_what_was_wrong_until_something_changes() -> None:
    app = shown("convergence", query={"conv.n": "17", "conv.seed": "4"})
    assert "conv.n=17" in app.warning[0].value.replace("\\", "")
    assert app.number_input(key="figure.convergence.seed").value == 4
    assert not press(app, "convergence", "four").warning


def test_a_new_draw_takes_the_next_seed_and_lets_u_go() -> None:
    app = shown("accept_dart", query={"dart.u": "0.75", "dart.seed": "9"})
    app = press(app, "accept_dart", "again")
    assert app.number_input(key="figure.accept_dart.seed").value == 10
    assert app.number_input(key="figure.accept_dart.u").value is None
    assert steps(app)["start"] == 1


def test_a_token_that_the_new_draft_excludes_goes_back_to_the_seed() -> None:
    app = shown("accept_dart", query={"dart.token": "1"})
    app = typed(app, "accept_dart", "0.7, 0.3", "1, 0")
    assert app.selectbox(key="figure.accept_dart.token.en").value == -1 and plots(app) == 1


def test_the_rule_of_the_question_comes_first_and_the_right_one_straightens_the_law() -> None:
    app = shown("two_paths")
    assert "0.610" in said(app) and "distance is 0.090" in said(app)
    app = _run(app.selectbox(key="figure.two_paths.rule.en").set_value("correct"))
    assert "exactly the target" in said(app)


def test_more_draws_come_closer() -> None:
    app = shown("convergence")
    app = _run(app.select_slider(key="figure.convergence.draws").set_value(10**7))
    assert "After 10,000,000 draws" in said(app)


def test_the_reader_s_own_rule_comes_first_and_without_a_question() -> None:
    app = opened("two_paths", rule="accepts")
    assert app.selectbox(key="figure.two_paths_own.rule.en").value == "yours"
    assert "the law becomes" in said(app) and "0.400, 0.600" in said(app)


def test_a_rule_that_raises_is_named_and_the_right_rule_stays_available() -> None:
    app = opened("two_paths", rule="raises")
    assert r"TypeError\: list \*index\* must be \$x\$" in app.error[0].value and plots(app) == 0
    app = _run(app.selectbox(key="figure.two_paths_own.rule.en").set_value("correct"))
    assert plots(app) == 1 and not app.error


def test_who_was_shown_the_outcome_may_still_guess() -> None:
    app = shown("two_paths")
    app = press(app, "two_paths", "hide")
    assert plots(app) == 0
    app.radio(key="figure.two_paths.option.en").set_value(QUESTIONS["two_paths"].right)
    app = press(app, "two_paths", "answer")
    assert EN("predict.right") in app.success[0].value and plots(app) == 1


@pytest.mark.parametrize("figure", PAIRED)
def test_changing_the_language_keeps_what_was_typed(figure: str) -> None:
    def script(figure: str) -> None:
        import streamlit as st

        from grader.language import words
        from lessons.figures.frame import SHARED
        from lessons.figures.registry import FIGURES

        FIGURES[figure](words(SHARED, st.query_params.get("lang", "en")))

    app = press(_run(AppTest.from_function(script, args=(figure,), default_timeout=30)), figure, "show")
    app = typed(app, figure, "0.2, 0.8", "0.6, 0.4")
    app.query_params["lang"] = "zh"
    app = _run(app)
    assert app.text_input(key=f"figure.{figure}.target").value == "0.2, 0.8"
    assert app.text_input(key=f"figure.{figure}.target").label == shared("zh")("input.target")
    assert len(app.table[0].value) == 2 and not app.error


def test_changing_the_language_changes_the_menu_and_keeps_the_choice() -> None:
    """The browser keeps a menu's words, so each language has a menu of its own, which starts at the other's choice."""

    def script() -> None:
        import streamlit as st

        from grader.language import words
        from lessons.figures.frame import SHARED
        from lessons.figures.registry import FIGURES

        FIGURES["two_paths"](words(SHARED, st.query_params.get("lang", "en")))

    app = press(_run(AppTest.from_function(script, default_timeout=30)), "two_paths", "show")
    app = _run(app.selectbox(key="figure.two_paths.rule.en").set_value("residual_is_target"))
    app.query_params["lang"] = "zh"
    app = _run(app)
    assert app.selectbox(key="figure.two_paths.rule.zh").value == "residual_is_target"
    app = _run(app.selectbox(key="figure.two_paths.rule.zh").set_value("correct"))
    app.query_params["lang"] = "en"
    assert _run(app).selectbox(key="figure.two_paths.rule.en").value == "correct"
