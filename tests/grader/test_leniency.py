"""What may stand for what: set in exercise.toml, kept by every check, and told wherever the task is."""
from __future__ import annotations

import dataclasses
import json

import pytest

from exercises.expect import LENIENCIES
from grader import catalogue, notebooks
from grader.catalogue import ContentError, Exercise
from grader.judge import Judge
from grader.leniency import told
from grader.wording import wording


def strict(exercise: Exercise, *kept: str) -> Exercise:
    checks = tuple(dataclasses.replace(check, lenient=kept) for check in exercise.checks)
    return dataclasses.replace(exercise, lenient=kept, checks=checks)


def test_a_check_keeps_its_exercises_rule(judge: Judge, exercise: Exercise, right: dict[str, str]) -> None:
    whole = right | {"accept": f"__import__('numpy').float64({right['accept']})"}
    assert judge.judge_blanks(exercise, whole, hidden=True, seed=1).passed
    report = judge.judge_blanks(strict(exercise, "int", "tuple", "array"), whole, hidden=True, seed=1)
    assert str(report.verdict) == "fail" and judge.judge_blanks(strict(exercise), right, hidden=True, seed=1).passed


def test_the_setting_is_read_and_checked() -> None:
    assert catalogue._lenient("one", {}) == LENIENCIES
    assert catalogue._lenient("one", {"lenient": ["tuple", "int"]}) == ("int", "tuple")
    with pytest.raises(ContentError, match="may name int, scalar"):
        catalogue._lenient("one", {"lenient": ["float"]})


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_is_told_in_words(language: str, exercise: Exercise) -> None:
    words = wording(language)
    every, some, none = told(LENIENCIES, words), told(("int",), words), told((), words)
    assert len({every, some, none}) == 3 and words("lenient.int") in some and words("lenient.tuple") not in some
    notebook = json.dumps(notebooks.notebook(exercise, language), ensure_ascii=False)
    assert json.dumps(every, ensure_ascii=False)[1:-1] in notebook and "_accepted.set(frozenset((" not in notebook
    strictly = json.dumps(notebooks.notebook(strict(exercise, "int"), language), ensure_ascii=False)
    assert json.dumps(some, ensure_ascii=False)[1:-1] in strictly and "_accepted.set(frozenset(('int',)))" in strictly
