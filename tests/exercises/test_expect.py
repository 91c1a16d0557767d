"""The assertion helpers: what counts as equal, and what a failure says."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from exercises.expect import Answer, Mismatch, Text, call, call_unchanged, is_close, is_number, raises, shortened, show

WHY = Text("because", "因为")


def double(number: float) -> float:
    return 2 * number


def failure(assertion: Callable[[], Any]) -> Mismatch:
    with pytest.raises(Mismatch) as caught:
        assertion()
    return caught.value


def test_text_gives_the_language_asked_for() -> None:
    assert (WHY.within("en"), WHY.within("zh")) == ("because", "因为")


def test_a_failure_says_called_returned_expected_why() -> None:
    failed = failure(lambda: call(double, 0.25).close_to(1.0, 1e-9, WHY))
    assert (failed.called, failed.returned, failed.expected, failed.why) == (
        "double(0.25)",
        "0.5",
        "1.0 ± 1e-09",
        WHY,
    )
    assert str(failed) == "called double(0.25); returned 0.5; expected 1.0 ± 1e-09; because"


@pytest.mark.parametrize("value", [1, 1.0, np.float64(1.0), np.float32(1.0), np.int64(1), np.where(True, 1.0, 0.0)])
def test_numbers_of_any_usual_type_stand_for_floats(value: Any) -> None:
    assert is_number(value) and is_close(value, 1.0, 0.0)


@pytest.mark.parametrize(
    "value",
    [
        True, "1", None, [1.0], 1j, np.array([1.0]), np.array(True), float("nan"), float("inf"),
        pytest.param(10**400, id="a huge int"),
    ],
)  # fmt: skip
def test_what_is_not_a_finite_number_is_close_to_nothing(value: Any) -> None:
    assert not is_close(value, 1.0, 0.5)
    assert not is_close(value, 0.0, float("inf"))


def test_lists_compare_by_length_and_by_entry() -> None:
    assert is_close((0.5, 0.5), [0.5, 0.5], 0.0)
    assert is_close([[1.0], [2.0]], [[1.0], [2.0]], 0.0)
    assert not is_close([0.5], [0.5, 0.5], 1.0)
    assert not is_close([0.5, 0.6], [0.5, 0.5], 0.05)
    assert not is_close([0.5, float("nan")], [0.5, 0.5], 1.0)


def test_equals_allows_no_rounding() -> None:
    Answer("f()", [1.0, 0.0]).equals([1.0, 0.0], WHY)
    assert failure(lambda: Answer("f()", 0.1 + 0.2).equals(0.3, WHY)).expected == "0.3"


def test_parts_takes_a_pair_apart_and_names_the_place() -> None:
    first, second = Answer("f(1)", (0.5, [1.0])).parts(2, WHY)
    assert (first, second) == (("f(1)[0]", 0.5), ("f(1)[1]", [1.0]))
    for value in (None, 0.5, (1,), (1, 2, 3), "ab"):
        assert failure(lambda value=value: Answer("f()", value).parts(2, WHY)).expected == "(…, …)"


def test_a_changed_argument_is_found_and_the_callers_list_survives() -> None:
    def popping(numbers: list[float]) -> float:
        return numbers.pop()

    mine = [1.0, 2.0]
    failed = failure(lambda: call_unchanged(popping, mine, why=WHY))
    assert failed.returned == "arguments[0] == [1.0]"
    assert failed.expected == "arguments[0] == [1.0, 2.0]"
    assert mine == [1.0, 2.0]
    assert call_unchanged(sum, mine, why=WHY).value == 3.0


def test_an_array_put_into_an_argument_is_a_change_and_no_error_of_the_check() -> None:
    def replacing(numbers: list[Any]) -> None:
        numbers[0] = np.zeros(2)

    changed = failure(lambda: call_unchanged(replacing, [1.0, 2.0], why=WHY))
    assert "array" in changed.returned


def test_a_function_that_changes_its_arguments_does_not_change_the_checks_own() -> None:
    mine = [[1.0, 2.0]]
    assert call(lambda rows: rows[0].pop(), mine).value == 2.0
    assert mine == [[1.0, 2.0]]


def test_raises_wants_that_error_and_no_other() -> None:
    raises(int, "x", error=ValueError, why=WHY)
    assert failure(lambda: raises(int, "7", error=ValueError, why=WHY)).expected == "ValueError"
    with pytest.raises(TypeError):
        raises(int, None, error=ValueError, why=WHY)


def test_long_values_are_shortened_in_the_middle() -> None:
    text = show(list(range(1000)), 60)
    assert len(text) <= 60 and text.startswith("[0, 1, 2") and text.endswith("999]") and " … " in text
    assert show([0.5]) == "[0.5]"
    assert show(10**5000) == "int(…)"


def test_of_a_long_list_only_the_ends_are_written_out() -> None:
    law = [number / 7 for number in range(5000)]
    assert show(law) == shortened(repr(law)) and show(tuple(law), 60) == shortened(repr(tuple(law)), 60)

    class Unprintable:
        def __repr__(self) -> str:
            raise AssertionError

    assert show([0.5] * 1000 + [Unprintable()] + [0.5] * 1000).startswith("[0.5, 0.5")
