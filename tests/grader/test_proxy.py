"""The stand-in for the student's function: values, exceptions of the builtin kind, changed arguments."""
from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest

from exercises.expect import Mismatch, Text, call_unchanged, raises
from grader.proxy import UNMIXED, Proxy, Reply, StudentFailure, copy_back, failure_class
from grader.verdicts import Verdict

WHY = Text("why", "为什么")


def failing(error_class: str, verdict: Verdict = Verdict.ERROR) -> Proxy:
    def ask(arguments: tuple[Any, ...]) -> Reply:
        raise failure_class(error_class)(verdict, error_class, "message", "the line")

    return Proxy("rule", ask)


def changing(change: Any) -> Proxy:
    return Proxy("rule", lambda arguments: Reply(0, change))


def test_a_builtin_exception_can_be_caught_as_such_and_as_the_students_failure() -> None:
    raises(failing("ValueError"), 1, error=ValueError, why=WHY)
    with pytest.raises(StudentFailure) as caught:
        failing("ValueError")(1, [2])
    assert (caught.value.error_class, caught.value.line) == ("ValueError", "the line")
    assert caught.value.called == "rule(1, [2])"


def test_another_exception_than_the_wanted_one_passes_through() -> None:
    with pytest.raises(StudentFailure) as caught:
        raises(failing("TypeError"), 1, error=ValueError, why=WHY)
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("name", sorted(name for name in dir(builtins) if isinstance(getattr(builtins, name), type)))
def test_every_builtin_name_gives_a_failure_that_can_be_raised(name: str) -> None:
    kind = failure_class(name)
    failure = kind(Verdict.ERROR, name, "message")
    assert str(failure) == f"error: {name}: message"
    builtin = getattr(builtins, name)
    mixes = issubclass(builtin, Exception) and not issubclass(builtin, UNMIXED)
    assert isinstance(failure, builtin if mixes else StudentFailure)


def test_a_students_stop_iteration_passes_through_a_generator_of_a_check() -> None:
    def stopping(_: Any) -> None:
        raise failure_class("StopIteration")(Verdict.ERROR, "StopIteration")

    with pytest.raises(StudentFailure):
        list(stopping(token) for token in range(2))


@pytest.mark.parametrize("name", ["", "Mine", "SystemExit", "KeyboardInterrupt", "print", "ExceptionGroup", "__doc__"])
def test_other_names_give_the_plain_failure(name: str) -> None:
    assert failure_class(name) is StudentFailure


def test_a_changed_argument_is_seen_as_in_a_notebook() -> None:
    with pytest.raises(Mismatch, match=r"returned arguments\[0\] == \[9, 2\]"):
        call_unchanged(changing(([9, 2],)), [1, 2], why=WHY)
    assert call_unchanged(changing(([1, 2],)), [1, 2], why=WHY).value == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([1, 2, 3], [3]),
        ([1], [1, 2, 3]),
        ([[1], {"a": [2]}, 4], [[1, 5], {"b": 3}, 6]),
        ({"a": [1]}, {"a": [1, 2], "b": 0}),
        ({1, 2}, {3}),
        (([1], 2), ([7, 8], 2)),
    ],
)
def test_containers_take_over_the_content(before: Any, after: Any) -> None:
    copy_back(before, after)
    assert before == after


def test_nested_lists_stay_the_same_objects() -> None:
    row = [1, 2]
    rows = [row]
    copy_back(rows, [[5, 6]])
    assert rows[0] is row and row == [5, 6]


def test_arrays_take_over_values_and_shape() -> None:
    array, flat = np.array([1.0, 2.0]), np.arange(6)
    copy_back(array, np.array([3.0, 4.0]))
    copy_back(flat, np.ones((2, 3), int))
    assert array.tolist() == [3.0, 4.0] and flat.tolist() == [[1] * 3] * 2


def test_an_array_of_another_size_moves_no_memory_of_the_judge() -> None:
    """Or a reply could have a check read, or write, what is no longer its own."""
    shorter, longer = np.arange(4.0), np.arange(4.0)
    views = shorter[:], longer[:]
    copy_back(shorter, np.array([5.0, 6.0]))
    copy_back(longer, np.full(100_000, 7.0))
    assert shorter.tolist() == [5.0, 6.0, 2.0, 3.0] and longer.tolist() == [7.0] * 4
    assert all(np.shares_memory(view, mine) for view, mine in zip(views, (shorter, longer), strict=True))


def test_arrays_within_containers_stay_the_same_objects() -> None:
    array, scalar = np.array([1.0, 2.0]), np.array(3.0)
    mine = [array, {"deep": (scalar, 1)}]
    copy_back(mine, [np.array([3.0, 4.0]), {"deep": (np.array(5.0), 1)}])
    assert mine[0] is array and array.tolist() == [3.0, 4.0] and mine[1]["deep"][0] == 5.0  # type: ignore[index]


def test_what_no_call_can_make_of_an_array_changes_nothing() -> None:
    array, fixed = np.arange(6.0), np.arange(2.0)
    view = array[:4].reshape(2, 2)
    fixed.flags.writeable = False
    for mine, theirs in ((view, np.zeros(9)), (view, np.zeros((2, 2), complex)), (view, [1, 2]), (fixed, np.ones(2))):
        copy_back(mine, theirs)
    assert array.tolist() == [0, 1, 2, 3, 4, 5] and fixed.tolist() == [0, 1]


def test_tensors_take_over_values_and_shape() -> None:
    torch = pytest.importorskip("torch")
    tensor, longer, learnt = torch.zeros(2, 2), torch.zeros(1), torch.zeros(2, requires_grad=True)
    row = tensor[0]
    copy_back([tensor, longer, learnt], [torch.ones(2, 2), torch.ones(3), torch.ones(2)])
    assert row.tolist() == [1, 1] and longer.tolist() == [1, 1, 1] and learnt.tolist() == [1, 1]


def test_the_first_call_is_kept_with_its_arguments_as_they_were() -> None:
    proxy = changing(([9],))
    proxy([1])
    proxy([2])
    assert proxy.first == Reply(0, ([1],))
