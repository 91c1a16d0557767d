"""The assertion helpers: what counts as equal, and what a failure says."""
from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from exercises.expect import (
    LENIENCIES,
    SHOWN,
    Answer,
    Mismatch,
    Text,
    accepting,
    call,
    call_text,
    call_unchanged,
    is_close,
    is_number,
    listed,
    raises,
    shortened,
    show,
)

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
        "double(number=0.25)",
        "0.5",
        "1.0 ± 1e-09",
        WHY,
    )
    assert str(failed) == "called double(number=0.25); returned 0.5; expected 1.0 ± 1e-09; because"


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
    assert failed.returned == "numbers == [1.0]"
    assert failed.expected == "numbers == [1.0, 2.0]"
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
    assert len(text) <= 60 and text.startswith("list, len 1000: [0, 1, 2") and text.endswith("999]") and " … " in text
    assert show([0.5]) == "[0.5]"
    assert show(10**5000) == "int(…)"


def test_of_a_long_list_only_the_ends_are_written_out() -> None:
    law = [number / 7 for number in range(5000)]
    assert show(law) == f"list, len 5000: {shortened(repr(law), SHOWN - 16)}"
    assert show(tuple(law), 60) == f"tuple, len 5000: {shortened(repr(tuple(law)), 60 - 17)}"

    class Unprintable:
        def __repr__(self) -> str:
            raise AssertionError

    assert show([0.5] * 1000 + [Unprintable()] + [0.5] * 1000).startswith("list, len 2001: [0.5, 0.5")


def test_arrays_stand_for_lists_and_lists_for_arrays() -> None:
    table = [[0.5, 0.25], [0.0, 1.0]]
    for dtype in (np.float64, np.float32, np.float16):
        assert is_close(np.array(table, dtype), table, 0.0) and is_close(table, np.array(table, dtype), 0.0)
    assert is_close([np.array([0.5, 0.25]), (0.0, 1.0)], np.array(table), 0.0)
    assert is_close(np.zeros((0, 3)), [], 0.0) and is_close(np.array([-np.inf, 1.0]), [-np.inf, 1.0], 0.0)
    wrong_kinds = (np.array(table, complex), np.array(table, bool), np.array(0.5))
    for value in (np.array(table).T, np.array(table)[:1], *wrong_kinds):
        assert not is_close(value, table, 0.1)
    for value in (np.array([np.nan, 1.0]), np.array([np.inf, 1.0]), np.array(["0.5", "1"]), np.array([None, 1.0])):
        assert not is_close(value, [-np.inf, 1.0], 1e9) and not is_close(value, [0.0, 1.0], 1e9)


def test_shapes_of_arrays_and_of_lists() -> None:
    for value in (np.ones((2, 3)), [[1, 2, 3], (4, 5, 6)], [np.ones(3), [1, 2, 3]]):
        Answer("f()", value).shaped((2, 3), WHY)
    for value in ([[1, 2, 3], [4, 5]], np.ones((3, 2)), [1, [2]], None, 3, "abc", [[1, 2, 3], None]):
        assert failure(lambda value=value: Answer("f()", value).shaped((2, 3), WHY)).expected == "shape == (2, 3)"
    Answer("f()", 7).shaped((), WHY)


@pytest.mark.parametrize("value", [[3, 1], (3, 1), np.array([3, 1]), np.int32([3, 1]), [np.int64(3), np.array(1)]])
def test_tokens_of_any_integer_kind(value: Any) -> None:
    Answer("f()", value).tokens([3, 1], WHY)
    Answer("f()", [value, value]).tokens(np.array([[3, 1], [3, 1]]), WHY)
    Answer("f()", value[0]).tokens(3, WHY)


@pytest.mark.parametrize(
    "value",
    [
        [3.0, 1.0], np.array([3.0, 1.0]), [3, True], np.array([3, 1], bool), [np.array([3]), np.array([1])],
        np.array([[3], [1]]), np.array([3, 1], object), ["3", "1"], np.array([3, 1], np.uint8), [3, None],
    ],
    ids=repr,
)  # fmt: skip
def test_tokens_of_another_kind_are_told_which_kinds_do(value: Any) -> None:
    failed = failure(lambda: Answer("f()", value).tokens([3, 1], WHY))
    assert failed.expected == "[3, 1]" and failed.why.en.startswith("a token id is an integer")


def test_other_tokens_are_wrong() -> None:
    for value in ([3], [3, 2], [3, 1, 1], 3, None, [[3, 1]], np.array([1, 3]), [], [3, 10**5000]):
        assert failure(lambda value=value: Answer("f()", value).tokens([3, 1], WHY)).why == WHY


def test_arrays_are_passed_as_copies_and_changes_in_place_are_found() -> None:
    def adding(table: Any, lists: Any = ()) -> None:
        table += 1
        for one in lists:
            one.fill(2)

    mine = np.array([[0.0, np.nan], [1.0, 2.0]])
    call(adding, mine)
    assert mine[0, 0] == 0.0
    failed = failure(lambda: call_unchanged(adding, mine, why=WHY))
    assert failed.returned == "table == array([[ 1., nan], [ 2., 3.]])"
    assert "lists == " in failure(lambda: call_unchanged(adding, 0.5, [mine], why=WHY)).returned
    assert call_unchanged(np.sum, mine, why=WHY).called == "sum(array([[ 0., nan], [ 1., 2.]]))"
    assert call_unchanged(len, [mine, {"deep": (mine,)}, float("nan")], why=WHY).value == 3


def test_a_large_array_shows_its_format_its_shape_and_its_ends() -> None:
    large = np.arange(3000, dtype=np.float32).reshape(3, 1000) / 3
    text = show(large, 120)
    assert text.startswith("float32, shape (3, 1000): [0, 0.333333, 0.666667, ") and text.endswith(", 999.667]")
    assert " … " in text and len(text) < 160
    assert show([large, 1], 200).startswith("[float32, shape (3, 1000): [0, ")
    assert show(np.eye(2)) == "array([[1., 0.], [0., 1.]])" and show(np.zeros((0, 3), np.int32)).startswith("array([]")
    assert show("two\n  lines") == r"'two\n  lines'"


def test_a_tensor_of_millions_is_told_from_a_list_without_listing_it() -> None:
    torch = pytest.importorskip("torch")
    millions = torch.zeros(3_000_000, dtype=torch.int8)  # listed, each entry is a tensor: six seconds, two gigabytes
    began = time.process_time()
    assert not is_close(millions, [0.0], 0.0) and not is_close(millions, np.zeros(2), 0.0)
    assert listed(millions) is None
    with pytest.raises(Mismatch):
        call(lambda: millions).tokens([0], WHY)
    assert time.process_time() - began < 1.0


def test_tensors_do_what_arrays_do() -> None:
    torch = pytest.importorskip("torch")
    law = torch.tensor([0.5, 0.25, 0.25])
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        Answer("f()", law.to(dtype)).close_to([0.5, 0.25, 0.25], 0.0, WHY)
        assert is_number(law.to(dtype)[0]) and is_close(law[0].to(dtype), 0.5, 0.0)
    Answer("f()", torch.tensor([3, 1])).tokens([3, 1], WHY)
    Answer("f()", [torch.tensor(3), torch.tensor(1)]).tokens(torch.tensor([3, 1]), WHY)
    Answer("f()", law.reshape(3, 1)).shaped((3, 1), WHY)
    assert not is_number(torch.tensor([0.5])) and not is_number(torch.tensor(True)) and not is_number(torch.tensor(1j))
    assert not is_close(law > 0.3, [1.0, 0.0, 0.0], 0.5)
    for value in (torch.tensor([[3], [1]]), torch.tensor([3.0, 1.0]), torch.tensor([3, 1]).bool()):
        assert failure(lambda value=value: Answer("f()", value).tokens([3, 1], WHY)).why != WHY
    failed = failure(lambda: call_unchanged(lambda rows: rows.mul_(2), law, why=WHY))
    assert failed.returned == "rows == tensor([1.0000, 0.5000, 0.5000])" and law[0] == 0.5
    assert show(torch.zeros(50, 50, dtype=torch.bfloat16)).startswith("bfloat16, shape (50, 50): [0, 0, ")


STRICT = {
    "int": (1, 1.0),
    "scalar": (np.float64(0.5), 0.5),
    "tuple": ((0.5, 0.5), [0.5, 0.5]),
    "array": (np.array([0.5, 0.5]), [0.5, 0.5]),
}


@pytest.mark.parametrize("name", STRICT)
def test_what_may_stand_for_what_is_the_exercises_to_say(name: str) -> None:
    value, want = STRICT[name]
    others = [other for other in LENIENCIES if other != name]
    assert is_close(value, want, 0.0)
    with accepting(others):
        assert not is_close(value, want, 0.0) and is_close(want, want, 0.0)
        assert all(is_close(*STRICT[other], 0.0) for other in others)
        with accepting(LENIENCIES):
            assert is_close(value, want, 0.0)
    assert is_close(value, want, 0.0)


def test_the_kind_that_is_asked_for_counts_under_the_strictest_rule() -> None:
    with accepting(()):
        assert is_close(3, 3, 0.0) and is_close((0.5, [1.0]), (0.5, [1.0]), 0.0)
        assert is_close(np.array([0.5]), np.array([0.5]), 0.0)
        assert len(Answer("f()", (1, 2)).parts(2, WHY)) == 2
        with pytest.raises(Mismatch):
            Answer("f()", [1, 2]).parts(2, WHY)


def test_the_rule_ends_with_the_check_and_is_each_threads_own() -> None:
    seen = []
    with accepting(()):
        thread = threading.Thread(target=lambda: seen.append(is_close(1, 1.0, 0.0)))
        thread.start()
        thread.join()
        assert not is_close(1, 1.0, 0.0)
    assert seen == [True] and is_close(1, 1.0, 0.0)


def test_a_call_names_its_arguments_and_says_how_long_a_list_is() -> None:
    def step(target: list[float], draft: list[float], u: float) -> None: ...

    assert call_text(step, ([0.5], [1.0], 0.25)) == "step(target=[0.5], draft=[1.0], u=0.25)"
    assert call_text(step, ([0.5], [1.0])) == "step([0.5], [1.0])"  # so the call itself is at fault
    assert call_text(max, (1, 2)) == "max(1, 2)"
    text = call_text(step, ([1 / 3] * 32_000, (0.25,) * 500, 0.0))
    assert "target=list, len 32000: [0.3333" in text and "draft=tuple, len 500: (0.25" in text and "…" in text
    assert call_text(step, ([0.25] * 4, [], "x" * 500)).count("len") == 0
