"""What a learner may type, and what they are told when it can't be used."""
from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.figures.distributions import EXAMPLES, Pair, Unusable, normalised, read_numbers, read_pair, written
from lessons.figures.frame import say
from solutions.rejection_rule.solution import rejection_rule

weights = st.lists(st.floats(0.0, 1e6), min_size=2, max_size=8).filter(lambda row: sum(row) > 1e-3)


def complaint(target: str, draft: str, language: str = "en") -> str:
    with pytest.raises(Unusable) as caught:
        read_pair(target, draft)
    return say(caught.value.problem, language)


def test_numbers_may_be_written_in_many_ways() -> None:
    assert read_numbers("0.7, 0.3", "target") == (0.7, 0.3)
    assert read_numbers("[0.7; 3/10]", "target") == (0.7, 0.3)
    assert read_numbers("0.7，0.3", "target") == (0.7, 0.3)
    assert read_numbers("0.7、 .3", "target") == (0.7, 0.3)


def test_a_negative_zero_is_a_zero() -> None:
    assert math.copysign(1.0, read_numbers("-0.0, 1", "target")[0]) == 1.0


@pytest.mark.parametrize(
    ("target", "draft", "got", "place"),
    [
        ("0.5, abc", "0.4, 0.6", "“abc”", "Target, number 2"),
        ("0.5, 0.5", "0.4, 1/0", "“1/0”", "Draft, number 2"),
        ("-0.5, 1.5", "0.4, 0.6", "-0.5", "Target, number 1"),
        ("nan, 1", "0.4, 0.6", "nan", "Target, number 1"),
        ("1e999, 1", "0.4, 0.6", "1e999", "Target, number 1"),
        ("1", "0.4, 0.6", "1 numbers", "Target"),
        ("", "0.4, 0.6", "0 numbers", "Target"),
        ("0.1 " * 9, "0.4, 0.6", "9 numbers", "Target"),
        ("0.5, 0.5", "0.4, 0.3, 0.3", "3", "draft has 3"),
        ("0.7, 0.27", "0.4, 0.6", "0.97", "Target sums to"),
        ("0.7, 0.3", "0.4, 0.7", "1.1", "Draft sums to"),
        ("1 " * 300, "0.4, 0.6", "600 characters", "Target"),
    ],
)
def test_a_message_says_what_was_got_and_where(target: str, draft: str, got: str, place: str) -> None:
    message = complaint(target, draft)
    assert got in message and place in message
    assert complaint(target, draft, "zh") != message


def test_the_message_for_a_wrong_sum_says_what_to_do() -> None:
    assert "must sum to 1 (within 1e-9)" in complaint("0.7, 0.27", "0.4, 0.6")
    assert "press Normalise" in complaint("0.7, 0.27", "0.4, 0.6")


@settings(deadline=None)
@given(weights)
def test_a_normalised_row_is_taken(row: list[float]) -> None:
    text = normalised(written(row), "target")
    pair = read_pair(text, text)
    assert all(abs(got - was / sum(row)) <= 1e-9 for got, was in zip(pair.target, row, strict=True))


@settings(deadline=None)
@given(weights)
def test_what_is_taken_here_is_taken_by_the_rule(row: list[float]) -> None:
    text = normalised(written(row), "target")
    pair = read_pair(text, text)
    token = max(pair.tokens, key=pair.draft.__getitem__)
    assert rejection_rule(list(pair.target), list(pair.draft), token)[0] == 1.0


def test_a_row_of_zeros_cannot_be_normalised() -> None:
    with pytest.raises(Unusable) as caught:
        normalised("0, 0", "draft")
    assert "positive" in say(caught.value.problem, "en")


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_reads_back(name: str) -> None:
    pair = EXAMPLES[name]
    assert read_pair(written(pair.target), written(pair.draft)) == pair


def test_the_worked_case_is_the_lesson_s() -> None:
    assert EXAMPLES["worked"] == Pair((0.7, 0.3), (0.4, 0.6))
