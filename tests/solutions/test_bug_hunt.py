"""The mistakes of a bug hunt are put together from its faults: which code, which names, which messages."""
from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

from exercises.expect import Text
from grader.catalogue import load
from grader.known_mistakes import solution_blanks
from solutions.bug_hunt import Fault, handed_out, remaining, repaired
from solutions.bug_hunt_kernel import mistakes as kernel

FAULTS = [
    Fault("one", "M01", ("1", "one"), Text("a one", "一"), Text("One is in.", "有一。")),
    Fault("two", "M02", ("2", "two"), Text("a two", "二"), Text("Two is in.", "有二。")),
]

each_hunt = pytest.mark.parametrize(("exercise_id", "module"), [("bug_hunt_kernel", kernel)])


def test_every_set_of_faults_that_may_be_left_is_a_mistake() -> None:
    found = list(remaining("x = 1 + 2", FAULTS, "body", ("x", "y")))
    assert [(entry["id"], entry["blanks"]["body"]) for entry in found] == [
        ("one_left", "y = 1 + two"),
        ("two_left", "y = one + 2"),
        ("one_and_two_left", "y = 1 + 2"),
    ]
    assert [entry["mutants"] for entry in found] == [["M01"], ["M02"], []]
    assert found[0]["message"] == Text("Of the two faults one is still in. One is in.", "两处错误还剩一处。有一。")
    assert found[2]["message"].en == "Of the two faults two are still in:\n- One is in.\n- Two is in."
    assert found[2]["name"] == Text("still in: a one; a two", "还在：一；二")


@pytest.mark.parametrize("code", ["x = 1 + 1 + 2", "x = 2"])
def test_a_fault_that_is_not_there_once_is_an_error(code: str) -> None:
    with pytest.raises(ValueError, match="it must be there once"):
        repaired(code, FAULTS)


@each_hunt
def test_with_every_fault_repaired_the_code_is_the_solution(exercise_id: str, module: ModuleType) -> None:
    (right,) = solution_blanks(load(exercise_id)).values()
    assert repaired(handed_out(exercise_id), module.FAULTS).strip() == right.strip()


@each_hunt
def test_a_message_speaks_of_just_the_faults_that_are_left(exercise_id: str, module: ModuleType) -> None:
    told = {mistake.id: mistake.message for mistake in load(exercise_id).mistakes if mistake.id.endswith("_left")}
    assert len(told) == 2 ** len(module.FAULTS) - 1
    for name, message in told.items():
        for fault in module.FAULTS:
            left = fault.id in name.removesuffix("_left").split("_and_")
            assert all((said in whole) == left for said, whole in zip(fault.message, message, strict=True))


@each_hunt
def test_each_fault_by_itself_is_caught_by_checks_of_its_own(exercise_id: str, module: ModuleType) -> None:
    """No check of one fault fails because of another, so that points are given for each."""
    golden = Path(__file__).parent.parent / "golden" / f"{exercise_id}.json"
    caught = {name: set(entry["hidden"]) for name, entry in json.loads(golden.read_text("utf-8")).items()}
    alone = [caught[f"{fault.id}_left"] for fault in module.FAULTS]
    assert all(alone) and sum(map(len, alone)) == len(set().union(*alone))
