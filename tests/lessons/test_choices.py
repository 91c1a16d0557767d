"""Quizzes: what is read, that an error names the file and the rule, and how a question behaves on a page."""
from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lessons.choices import quiz
from lessons.lesson_file import LessonError

GOOD = """
[[questions]]
id = "rows"
ask = "How many?"
right = "five"
options.four = { text = "4", why = "one more" }
options.five = { text = "5", why = "K + 1" }
"""


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "en").mkdir(exist_ok=True)
    (tmp_path / "en" / "sample.quiz.toml").write_text(text, "utf-8")
    return tmp_path


def test_a_quiz_is_read(tmp_path: Path) -> None:
    (question,) = quiz("sample", "en", written(tmp_path, GOOD))
    assert (question.id, question.ask, question.right) == ("rows", "How many?", "five")
    assert {name: (option.text, option.why) for name, option in question.options.items()} == {
        "four": ("4", "one more"), "five": ("5", "K + 1"),
    }


@pytest.mark.parametrize(("text", "message"), [
    ("", r"sample\.quiz\.toml has the keys \[\]; a quiz is one or more \[\[questions\]\]"),
    (GOOD + "[other]\n", r"has the keys \['other', 'questions'\]"),
    ("questions = [", r"can't be read as a quiz: "),
    (GOOD.replace('ask = "How many?"', ""), r"question 1 has the keys \['id', 'options', 'right'\]; it needs \['ask'"),
    (GOOD.replace('"five"', '"six"'), r"question 1 needs two options or more, and `right` names one of them"),
    (GOOD.replace(', why = "one more"', ""), r"option four of question 1 has the keys \['text'\]; it needs a text"),
])  # fmt: skip
def test_a_wrong_quiz_is_named_with_its_rule(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LessonError, match=message):
        quiz("sample", "en", written(tmp_path, text))


def test_a_quiz_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match=r"none\.quiz\.toml can't be read as a quiz"):
        quiz("none", "en", tmp_path)


def page() -> None:
    import streamlit as st

    from lessons.choices import quiz
    from lessons.figures.controls.choose import choose
    from lessons.figures.controls.place import Place

    language = st.query_params.get("lang", "en")
    right = choose(Place("quiz"), quiz("why_verify", language)[0], language)
    st.write("so far: " + ("right" if right else "open"))


def test_a_choice_is_judged_at_once_and_may_be_changed() -> None:
    question = quiz("why_verify", "en")[0]
    app = AppTest.from_function(page).run()
    assert not app.success and not app.info and app.markdown[-1].value == "so far: open"
    app = app.radio[0].set_value("four").run()
    assert question.options["four"].why in app.info[0].value and app.markdown[-1].value == "so far: open"
    app = app.radio[0].set_value("five").run()
    assert question.options["five"].why in app.success[0].value and app.markdown[-1].value == "so far: right"


def test_a_choice_outlives_a_change_of_the_language() -> None:
    app = AppTest.from_function(page).run()
    app = app.radio[0].set_value("four").run()
    app.query_params["lang"] = "zh"
    app = app.run()
    assert app.radio[0].value == "four" and quiz("why_verify", "zh")[0].options["four"].why in app.info[0].value
