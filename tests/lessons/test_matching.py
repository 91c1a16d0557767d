"""Pairs to match: what is read, that an error names the file and the rule, and how they behave on a page."""
from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from grader.language import LANGUAGES
from lessons.lesson_file import ROOT, LessonError, lessons
from lessons.matching import pairs

GOOD = """
ask = "Whose?"
[answers.count]
text = "the count"
why = "the scheduler's"
[answers.slots]
text = "the slots"
why = "the cache's"
[answers.none]
text = "nobody's"
why = "no object has it"
[[items]]
id = "scheduler"
text = "Scheduler"
right = "count"
[[items]]
id = "cache"
text = "Cache"
right = "slots"
"""


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "en").mkdir(exist_ok=True)
    (tmp_path / "en" / "sample.match.toml").write_text(text, "utf-8")
    return tmp_path


def test_pairs_are_read(tmp_path: Path) -> None:
    found = pairs("sample", "en", written(tmp_path, GOOD))
    assert found.ask == "Whose?" and list(found.answers) == ["count", "slots", "none"]
    assert [(item.id, item.text, item.right) for item in found.items] == [
        ("scheduler", "Scheduler", "count"), ("cache", "Cache", "slots"),
    ]


@pytest.mark.parametrize(("text", "message"), [
    ("ask = ", r"sample\.match\.toml can't be read as pairs to match: "),
    (GOOD.replace('ask = "Whose?"', ""), r"has the keys \['answers', 'items'\]; pairs to match have "),
    (GOOD.replace('why = "no object has it"', ""), r"answer none has the keys \['text'\]; it needs a text and a why"),
    (GOOD.replace('right = "slots"', ""), r"item 2 has the keys \['id', 'text'\]"),
    (GOOD.replace('right = "slots"', 'right = "other"'), r"item cache belongs to 'other', which is none of"),
    (GOOD.replace('right = "slots"', 'right = "count"'), r"answers used twice: \['count'\]"),
])  # fmt: skip
def test_wrong_pairs_are_named_with_their_rule(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LessonError, match=message):
        pairs("sample", "en", written(tmp_path, text))


def test_pairs_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match=r"none\.match\.toml can't be read"):
        pairs("none", "en", tmp_path)


def test_every_file_is_placed_and_the_same_in_both_languages() -> None:
    for language in LANGUAGES:
        placed = {part.value for item in lessons(language) for part in item.parts if part.kind == "match"}
        assert placed == {path.name.removesuffix(".match.toml") for path in (ROOT / language).glob("*.match.toml")}
        for name in placed:
            one, other = pairs(name, language), pairs(name, "en")
            assert list(one.answers) == list(other.answers)
            assert [(item.id, item.right) for item in one.items] == [(item.id, item.right) for item in other.items]
            order = [list(one.answers).index(item.right) for item in one.items]
            assert order != sorted(order), "the answers stand in the order of the items"


def page() -> None:
    from lessons.pages import match

    match.show("inside_vllm")


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_DATABASE_URL", f"sqlite:///{tmp_path / 'course.db'}")
    monkeypatch.setenv("COURSE_SECRET_KEY", "a key for the page tests")


def opened(language: str = "en") -> AppTest:
    app = AppTest.from_function(page, default_timeout=30)
    app.query_params["lang"] = language
    return app.run()


def test_each_choice_is_judged_at_once_and_may_be_changed() -> None:
    found, app = pairs("inside_vllm", "en"), opened()
    assert not app.exception and len(app.selectbox) == len(found.items)
    assert not app.success and not app.info
    app = app.selectbox[0].set_value("law").run()
    assert found.answers["law"].why in app.info[0].value
    app = app.selectbox[0].set_value("optimistic").run()
    assert found.answers["optimistic"].why in app.success[0].value and not app.info


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_matched_is_told(language: str) -> None:
    found, app = pairs("inside_vllm", language), opened(language)
    for menu, item in zip(app.selectbox, found.items, strict=True):
        menu.set_value(item.right)
    app = app.run()
    assert not app.info and str(len(found.items)) in app.success[-1].value


def test_a_choice_outlives_a_change_of_the_language() -> None:
    app = opened()
    app = app.selectbox[0].set_value("law").run()
    app.query_params["lang"] = "zh"
    app = app.run()
    assert app.selectbox[0].value == "law" and pairs("inside_vllm", "zh").answers["law"].why in app.info[0].value
