"""The exercise page without a browser, in plain mode: check, mistake, submit, hints, answer, variant, results."""
from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from grader import catalogue
from grader.known_mistakes import solution_blanks
from grader.store import Store
from grader.verdicts import Report, Verdict

ID = "rejection_rule"
RIGHT = {"accept": "min(1.0, target_probs[draft_token] / qx)", "residual": "max(p - q, 0.0)"}
INVERTED = {**RIGHT, "accept": "min(1.0, qx / target_probs[draft_token])"}
WAIT_S = 60


def page(item: str) -> None:
    """The exercise page with the lesson that it links to."""
    import functools

    import streamlit as st

    from lessons.pages import exercise, lesson

    st.navigation(
        [
            st.Page(functools.partial(exercise.show, item), title="Exercise", default=True),
            st.Page(functools.partial(lesson.show, "rejection_rule"), title="Lesson", url_path="rejection-rule"),
        ]
    ).run()


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:///{tmp_path / 'course.db'}"
    monkeypatch.setenv("COURSE_DATABASE_URL", url)
    monkeypatch.setenv("COURSE_SECRET_KEY", "a key for the page tests only")
    return url


@pytest.fixture
def at(database: str) -> AppTest:
    """The page in plain mode, in English."""
    return opened("en")


def opened(language: str, item: str = ID) -> AppTest:
    test = AppTest.from_function(page, default_timeout=WAIT_S, kwargs={"item": item})
    test.query_params["lang"] = language
    test.session_state["plain_mode"] = True
    test.session_state["session_learner"] = "session-test"
    test.run()
    assert not test.exception
    return test


def fill(at: AppTest, blanks: dict[str, str], item: str = ID) -> None:
    fields = (*at.text_input, *at.text_area)
    for name, text in blanks.items():
        field = next(field for field in fields if field.key.startswith(f"plain.{item}.{name}."))
        field.set_value(text)


def press(at: AppTest, key: str) -> None:
    at.button(key=key).click().run()
    assert not at.exception


def texts(at: AppTest) -> str:
    """Everything the page says in Markdown, boxes and captions."""
    kinds = (at.markdown, at.warning, at.success, at.info, at.error, at.caption, at.subheader, at.text)
    return "\n".join(element.value for kind in kinds for element in kind)


def stored(database: str) -> Store:
    return Store(database)


def test_a_wrong_rule_is_checked_and_its_mistake_named(at: AppTest, database: str) -> None:
    fill(at, INVERTED)
    press(at, "check")
    mistake = next(one for one in catalogue.load(ID).mistakes if one.id == "inverted_ratio")
    assert [box.value for box in at.warning if mistake.message.en in box.value]
    assert "✕ wrong value" in texts(at)
    call = "rejection_rule(target_probs=[0.7, 0.3], draft_probs=[0.4, 0.6], draft_token=1)"
    assert any(call in code.value for code in at.code)
    assert stored(database).attempts("session-test", ID) == [], "Check must not store an attempt"
    assert stored(database).draft("session-test", ID) == INVERTED


def test_a_right_rule_passes_the_visible_checks_then_all_and_is_mastered(at: AppTest, database: str) -> None:
    fill(at, RIGHT)
    press(at, "check")
    assert "All visible checks pass" in texts(at)
    assert "hidden check" not in texts(at)
    press(at, "submit")
    assert "You have mastered this exercise" in texts(at)
    assert "20 of 20 points" in texts(at)
    assert "● mastered" in texts(at)
    (attempt,) = stored(database).attempts("session-test", ID)
    assert (attempt.blanks, attempt.passed, attempt.earned) == (RIGHT, True, 20.0)
    assert stored(database).states("session-test")[f"exercise/{ID}"] == "mastered"


@pytest.mark.parametrize("item", catalogue.exercise_ids())
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_exercise_is_mastered_by_its_solution(database: str, item: str, language: str) -> None:
    """Only an exercise that names a figure offers one for the reader's own function."""
    exercise, at = catalogue.load(item), opened(language, item)
    assert at.title[0].value == exercise.title.within(language)
    assert bool([toggle for toggle in at.toggle if toggle.key == f"own_rule.{item}"]) == bool(exercise.figure)
    fill(at, solution_blanks(exercise), item)
    press(at, "submit")
    assert [attempt.earned for attempt in stored(database).attempts("session-test", item)] == [exercise.points]
    assert stored(database).states("session-test")[f"exercise/{item}"] == "mastered"


def test_a_hidden_failure_tells_its_idea_and_not_its_numbers(at: AppTest) -> None:
    """`residual` is right on the worked case only, so every failure is a hidden one."""
    fill(at, {**RIGHT, "residual": "1.0 if p > q else 0.0"})
    press(at, "check")
    assert "All visible checks pass" in texts(at)
    press(at, "submit")
    failed = {check.id: check for check in catalogue.load(ID).checks if not check.visible}
    said = texts(at)
    assert failed["residual_over_four_tokens"].idea.en in said
    calls = [code.value for code in at.code if "rejection_rule(target_probs=" in code.value]
    assert calls == [], "a hidden check's call must not reach the page"


def test_an_error_shows_class_message_and_line(at: AppTest) -> None:
    fill(at, {**RIGHT, "accept": "min(1.0, target / qx)"})
    press(at, "check")
    shown = [code.value for code in at.code]
    assert "! stopped with an error" in texts(at)
    assert any(text.startswith("NameError") and "target" in text for text in shown)
    assert "accept_probability = min(1.0, target / qx)" in shown
    assert "Every check ended in the same way" in texts(at)


def test_what_the_code_returns_is_never_markup(at: AppTest) -> None:
    fill(at, {**RIGHT, "accept": "'<b>**bold**</b>'"})
    press(at, "check")
    assert "<b>" not in texts(at)
    assert any("<b>**bold**</b>" in code.value for code in at.code)


def test_an_empty_blank_is_named_and_nothing_is_judged(at: AppTest, database: str) -> None:
    fill(at, {"residual": RIGHT["residual"]})
    press(at, "submit")
    assert [box.value for box in at.info] == ["Blank 1: Accept probability is still empty. Fill it in, then check."]
    assert stored(database).attempts("session-test", ID) == []


def test_a_result_says_when_the_code_has_changed_since(at: AppTest) -> None:
    fill(at, RIGHT)
    press(at, "check")
    assert "You have changed the code since this result." not in texts(at)
    fill(at, INVERTED)
    at.run()
    assert "You have changed the code since this result." in texts(at)


def test_hints_come_one_by_one_and_never_more_than_there_are(at: AppTest) -> None:
    hints = catalogue.load(ID).hints
    assert "Try once before you look" in texts(at)
    for number, hint in enumerate(hints):
        assert hint.en.strip() not in texts(at)
        press(at, f"hints.{ID}.{number}")
        assert [box.value for box in at.info][-1].endswith(hint.en.strip())
    assert not [button for button in at.button if str(button.key).startswith("hints.")]


def test_the_reference_answer_opens_after_three_honest_submissions(at: AppTest) -> None:
    answers = [INVERTED, INVERTED, {**RIGHT, "accept": "1.0"}, {**RIGHT, "accept": "0.5"}]
    for count, blanks in enumerate(answers):
        assert not [toggle for toggle in at.toggle if toggle.key == f"answer.{ID}"]
        assert f"So far: {(0, 1, 1, 2)[count]} of 3." in texts(at)
        fill(at, blanks)
        press(at, "submit")
    at.toggle(key=f"answer.{ID}").set_value(True).run()
    assert catalogue.load(ID).answer.en in texts(at)


def test_the_answer_asks_to_redo_it_by_hand_and_judges_at_once(at: AppTest) -> None:
    fill(at, RIGHT)
    press(at, "submit")
    at.session_state[f"variant.{ID}"] = 7
    at.toggle(key=f"answer.{ID}").set_value(True).run()
    variant = catalogue.load(ID).variants.make(7)
    assert variant.question.en in texts(at)
    at.text_input(key=f"variant.{ID}.7.{next(iter(variant.fields))}").set_value("12345")
    press(at, f"variant.{ID}.judge")
    assert texts(at).count("✕ not yet") == len(variant.fields)
    for field in variant.asked:
        at.text_input(key=f"variant.{ID}.7.{field.id}").set_value(f"{field.value:.3f}")
    press(at, f"variant.{ID}.judge")
    assert texts(at).count("✓ right") == len(variant.fields)
    assert "✕ not yet" not in texts(at)
    assert "All right. You can do it without the code." in texts(at)
    press(at, f"variant.{ID}.another")
    assert catalogue.load(ID).variants.make(8).question.en in texts(at)


def test_start_over_empties_the_blanks_and_keeps_the_attempts(at: AppTest, database: str) -> None:
    fill(at, INVERTED)
    press(at, "submit")
    press(at, "reset")
    assert [field.value for field in at.text_input if field.key.startswith("plain.")] == ["", ""]
    assert len(stored(database).attempts("session-test", ID)) == 1
    assert "A known mistake" not in texts(at)


def test_typed_code_comes_back_in_a_new_session(at: AppTest) -> None:
    fill(at, INVERTED)
    at.run()
    again = opened("en")
    assert [field.value for field in again.text_input if field.key.startswith("plain.")] == list(INVERTED.values())


def test_the_editor_s_text_is_what_is_judged(database: str) -> None:
    """Not plain: what the component holds, as the browser would send it."""
    at = opened("en")
    at.toggle(key="plain_mode").set_value(False).run()
    at.session_state[f"editor_{ID}_en"] = {"typed": {"blanks": RIGHT, "rev": 1}}
    press(at, "submit")
    assert "You have mastered this exercise" in texts(at)
    assert stored(database).attempts("session-test", ID)[0].blanks == RIGHT


def test_the_page_speaks_chinese(database: str) -> None:
    at = opened("zh")
    fill(at, INVERTED)
    press(at, "check")
    mistake = next(one for one in catalogue.load(ID).mistakes if one.id == "inverted_ratio")
    assert [box.value for box in at.warning if mistake.message.zh in box.value]
    assert "✕ 返回值不对" in texts(at)


def test_without_isolation_the_page_stays_and_judging_is_off(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from lessons.judging import Access, Problem
    from lessons.pages import shell

    monkeypatch.setattr(shell, "judge", lambda: Access(None, Problem.NO_ISOLATION, "bwrap is missing"))
    at = opened("en")
    assert at.button(key="check").disabled and at.button(key="submit").disabled
    assert "Running code is switched off on this server" in texts(at)
    press(at, f"hints.{ID}.0")


def test_what_the_judge_could_not_decide_is_neither_stored_nor_marked(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lessons.judging import Access
    from lessons.pages import shell

    class FaultyJudge:
        tier = "full"

        def judge_blanks(self, exercise: catalogue.Exercise, blanks: dict[str, str], **options: object) -> Report:
            return Report(exercise.id, Verdict.ERROR, judge_fault="no isolated process: <b>gone</b>")

    monkeypatch.setattr(shell, "judge", lambda: Access(FaultyJudge()))  # type: ignore[arg-type]
    at = opened("en")
    fill(at, RIGHT)
    press(at, "submit")
    assert [box.value for box in at.error] == [
        "The judge could not decide. This says nothing about your code; please try again."
    ]
    assert stored(database).attempts("session-test", ID) == []
    assert "mastered" not in stored(database).states("session-test").values()
