"""Exercises of several functions, of arrays and of tensors, judged from the blanks to the report on each real tier."""
from __future__ import annotations

import dataclasses
import inspect
import math
import random
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exercises.expect import Text, call, call_unchanged
from grader import catalogue, known_mistakes, notebooks
from grader.catalogue import Check, ContentError, Exercise, Mistake
from grader.finding import _told_once
from grader.judge import Judge
from grader.sandbox import Limits, Tier, limits_for, outcomes
from grader.sandbox.nursery import Forked
from grader.verdicts import Report, Verdict
from solutions.cases import Probe
from tests.grader.sandbox.conftest import TIERS
from tests.grader.test_notebooks import run

Function = Callable[..., Any]
WHY = Text("because", "因为")
ROOMY = Limits(call_seconds=6.0, answer_seconds=20.0)


@pytest.fixture(scope="module", params=TIERS, ids=str)
def judges(request: pytest.FixtureRequest) -> Iterator[Judge]:
    judge = Judge(Tier(request.param), warm=1)
    yield judge
    judge.close()


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch, pair: Exercise) -> None:
    """Known mistakes of the exercises made here, which are in no folder."""
    monkeypatch.setattr(known_mistakes, "load", lambda exercise_id: pair)
    known_mistakes._behaviour_of.cache_clear()


def small(exercise: Exercise, stub: str, solution: str, *checks: Callable[..., None], **fields: Any) -> Exercise:
    names = tuple(f"blank{number}" for number in range(stub.count("______")))
    space: dict[str, Any] = {}
    exec(solution, space)
    functions = [name for name, value in space.items() if callable(value) and not name.startswith("_")]
    usual: dict[str, Any] = {"limits": ROOMY, "mistakes": (), "probes": ()}
    return dataclasses.replace(
        exercise,
        id=functions[0],
        stub=stub,
        solution_source=solution,
        solution=space[functions[0]],
        others={name: space[name] for name in functions[1:]},
        blank_ids=names,
        blank_labels=tuple(Text(name, name) for name in names),
        checks=tuple(made(check) for check in checks),
        **usual | fields,
    )


def made(check: Callable[..., None]) -> Check:
    title = Text(check.__name__, check.__name__)
    return Check(check.__name__, title, title, "main", 1, True, check)


def verdicts(report: Report) -> dict[str, str]:
    return {result.check_id: str(result.verdict) for result in report.checks}


# Two functions

PAIR = "def area(a, b):\n    return ______\n\n\ndef border(a, b):\n    return ______\n"


def area_alone(area: Function) -> None:
    call(area, 2, 3).equals(6, WHY)


def border_alone(area: Function, border: Function) -> None:
    call(border, 2, 3).equals(10, WHY)


def both_at_random(area: Function, rng: random.Random, border: Function) -> None:
    side = rng.randint(2, 9)
    call(area, side, side).equals(side * side, WHY)
    call(border, side, side).equals(4 * side, WHY)


@pytest.fixture
def pair(exercise: Exercise) -> Exercise:
    blanks = {"sum_of_sides": {"blank0": "a + b"}, "half_border": {"blank1": "a + b"}, "one_side": {"blank1": "4 * a"}}
    return small(
        exercise,
        PAIR,
        PAIR.replace("______", "a * b", 1).replace("______", "2 * (a + b)"),
        area_alone,
        border_alone,
        both_at_random,
        mistakes=tuple(Mistake(name, Text(name, name), WHY, texts) for name, texts in blanks.items()),
        probes=((2, 3), Probe("border", (2, 3)), Probe("border", lambda: (5, 1))),
    )


def test_each_check_gets_the_functions_that_it_asks_for(judges: Judge, pair: Exercise) -> None:
    report = judges.judge_blanks(pair, {"blank0": "a * b", "blank1": "a + a + b + b"}, hidden=True, seed=3)
    assert report.passed and report.mistakes == () and report.notes == ()


def test_a_wrong_function_fails_the_checks_that_call_it(judges: Judge, pair: Exercise) -> None:
    report = judges.judge_blanks(pair, {"blank0": "a * b", "blank1": "a + b"}, hidden=True, seed=3)
    assert verdicts(report) == {"area_alone": "pass", "border_alone": "fail", "both_at_random": "fail"}
    assert [name for name, _ in report.mistakes] == ["half_border"]
    assert report.checks[1].called == "border(a=2, b=3)"


@pytest.mark.parametrize(
    ("blank0", "blank1", "named"),
    [("a + b", "4 * a", ["sum_of_sides", "one_side"]), ("a - b", "a + b", ["half_border"]), ("a - b", "a", [])],
)
def test_mistakes_in_two_functions_are_named_apart(
    pair: Exercise, judges: Judge, blank0: str, blank1: str, named: list[str]
) -> None:
    report = judges.judge_blanks(pair, {"blank0": blank0, "blank1": blank1}, hidden=True, seed=3)
    assert [name for name, _ in report.mistakes] == named


def test_a_function_that_is_missing_fails_only_the_checks_that_call_it(judges: Judge, pair: Exercise) -> None:
    program = pair.solution_source.replace("def border", "def perimeter")
    results = [judges.replay(pair, program, check, seed=1) for check in pair.checks]
    assert [result.verdict for result in results] == [Verdict.PASS, Verdict.ERROR, Verdict.ERROR]
    assert results[1].returned == "NameError: the submission does not define border"
    assert results[1].called == "border(a=2, b=3)"


def test_functions_of_one_cell_are_said_to_be_found_once() -> None:
    found = [{"code": "found_name", "place": place} for place in ([0, 4], [0, 9], [1, 1])]
    renamed = [{"code": "renamed", "name": "areas", "wanted": "area", "place": [0, line]} for line in (4, 9)]
    assert list(_told_once([*found, *renamed])) == [found[0], found[2], *renamed]


def test_one_unsteady_function_is_noticed(judges: Judge, pair: Exercise) -> None:
    counting = "(calls := globals().setdefault('calls', [])).append(1)"
    blanks = {"blank0": "a * b", "blank1": f"0 if {counting} or len(calls) > 2 else 2 * (a + b)"}
    assert len(judges.judge_blanks(pair, blanks, hidden=True, seed=3).notes) == 1


# Arrays

ROWS = "import numpy as np\n\ndef normalised(rows, lengths=None):\n    return ______\n"
TABLE = np.array([[0.5, 1.5], [3.0, 1.0]])


def rows_sum_to_one(normalised: Function) -> None:
    answer = call_unchanged(normalised, TABLE, why=WHY)
    answer.shaped((2, 2), WHY)
    answer.close_to(np.array([[0.25, 0.75], [0.75, 0.25]]), 1e-12, WHY)


def no_rows(normalised: Function) -> None:
    call(normalised, np.zeros((0, 2))).shaped((0, 2), WHY)


@pytest.fixture
def rows(exercise: Exercise) -> Exercise:
    right = "rows / rows.sum(axis=1, keepdims=True)"
    return small(exercise, ROWS, ROWS.replace("______", right), rows_sum_to_one, no_rows)


@pytest.mark.parametrize(
    ("blank", "verdict", "returned"),
    [
        ("rows / rows.sum(axis=1, keepdims=True)", "pass", ""),
        ("np.divide(rows, rows.sum(axis=1, keepdims=True), dtype=np.float64)", "pass", ""),
        ("rows / rows.sum(axis=0)", "fail", "array([[0.14285714, 0.6 ], [0.85714286, 0.4 ]])"),
        ("rows.sum(axis=1)", "fail", "array([2., 4.])"),
        ("np.divide(rows, rows.sum(axis=1, keepdims=True), out=rows)", "fail", "rows == array([[0.25, 0.75]"),
        ("rows.astype(object)", "fail", "<numpy.ndarray>"),
        ("rows > 1", "fail", "array([[False, True], [ True, False]])"),
        ("(row for row in rows)", "fail", "<generator>"),
    ],
)
def test_arrays_are_judged(judges: Judge, rows: Exercise, blank: str, verdict: str, returned: str) -> None:
    report = judges.judge_blanks(rows, {"blank0": blank}, hidden=True, seed=1)
    assert not report.judge_fault
    assert str(report.checks[0].verdict) == verdict and report.checks[0].returned.startswith(returned), report.checks[0]


ARRAYS = [
    np.array([1.5, math.nan, -math.inf]), np.float32([0.1, 0.2]), np.float16([[0.5]]), np.array([2**62, -1]),
    np.int32([[1], [2]]), np.array([True, False]), np.array(0.25), np.array(7), np.array(True), np.zeros(0),
    np.zeros((0, 3)), np.zeros((3, 0), np.float32), np.arange(12).reshape(3, 4)[:, ::2], np.arange(6).reshape(2, 3).T,
    np.float64(0.5), np.int64(3), np.float32(0.1), np.bool_(True),
]  # fmt: skip


def test_arrays_arrive_as_they_were_sent_both_ways(judges: Judge, rows: Exercise) -> None:
    blank = "(rows, str(rows.dtype), rows.shape, [rows], {'deep': (rows,)})"
    with judges.function(rows, {"blank0": blank}) as normalised:
        for sent in ARRAYS:
            back, kind, shape, [inner], deep = normalised(sent)
            for one in (back, inner, deep["deep"][0]):
                assert type(one) is type(sent) and one.dtype == sent.dtype and one.shape == sent.shape
                np.testing.assert_array_equal(one, sent)
            assert (kind, shape) == (str(sent.dtype), sent.shape)


def test_changes_of_arrays_are_seen_by_the_caller(judges: Judge, rows: Exercise) -> None:
    with judges.function(rows, {"blank0": "[one.fill(7) for one in (rows, lengths[0], lengths[1]['deep'])]"}) as change:
        array, inner, scalar = np.zeros((2, 3)), np.arange(4)[::2], np.array(1.0)
        whole, lengths = array, [inner, {"deep": scalar}]
        change(array, lengths)
    assert whole.tolist() == [[7.0] * 3] * 2 and inner.tolist() == [7, 7] and scalar == 7
    assert lengths[0] is inner


# Tensors

GATHERED = """
import torch


def picked(rows, where):
    cumulative = (rows.double() @ rows.double().T).softmax(-1).cumsum(-1)  # each needs what the isolation might refuse
    drawn = torch.searchsorted(cumulative, torch.full((len(rows), 1), 0.5, dtype=torch.float64))
    torch.multinomial(cumulative.gather(1, drawn), 1, generator=torch.Generator().manual_seed(1))
    assert torch.get_num_threads() == 1
    return ______
"""


def picks(picked: Function) -> None:
    import torch

    rows, where = torch.tensor([[0.25, 0.75], [0.5, 0.125]]), torch.tensor([1, 0])
    answer = call_unchanged(picked, rows, where, why=WHY)
    answer.shaped((2,), WHY)
    answer.close_to([0.75, 0.5], 0.0, WHY)


def largest(picked: Function) -> None:
    import torch

    call(picked, torch.tensor([[3, 9]]), torch.tensor([1])).tokens([9], WHY)


@pytest.fixture
def gathered(exercise: Exercise) -> Exercise:
    right = "rows.gather(1, where[:, None])[:, 0]"
    preload = ("numpy", "torch")
    return small(
        exercise, GATHERED, GATHERED.replace("______", right), picks, largest, preload=preload,
        limits=limits_for(preload, call_seconds=12.0),
    )  # fmt: skip


def test_tensors_are_judged(judges: Judge, gathered: Exercise) -> None:
    for blank, verdict, returned in (  # each starts a process with torch
        ("rows[torch.arange(len(rows)), where].to(torch.bfloat16 if len(rows) > 1 else torch.int64)", "pass", ""),
        ("rows.mul_(2)[:, 0]", "fail", "rows == tensor([[0.5000, 1.5000], [1.0000, 0.2500]])"),
    ):
        report = judges.judge_blanks(gathered, {"blank0": blank}, hidden=True, seed=1)
        assert not report.judge_fault
        assert str(report.verdict) == verdict and report.checks[0].returned.startswith(returned), report


def test_processes_with_torch_are_forked_from_one_that_has_it(judges: Judge, gathered: Exercise) -> None:
    with judges._taken(gathered) as first, judges._taken(gathered) as second:
        processes = [first._process, second._process]
        assert all(isinstance(one, Forked) for one in processes)
        assert first.trusted({"own": "import sys\ndef f(): return 'torch' in sys.modules"}, "own.f").value is True


def test_what_calls_itself_a_tensor_is_none(judges: Judge, rows: Exercise) -> None:
    lie = "type('Tensor', (), {'shape': (2, 2), 'ndim': 2, 'dtype': 'torch.float32', 'tolist': lambda self: []})()"
    report = judges.judge_blanks(rows, {"blank0": lie}, hidden=True, seed=1)
    assert report.checks[0].returned == "<student.Tensor>" and not report.judge_fault


def test_only_a_process_with_torch_may_send_a_tensor() -> None:
    pytest.importorskip("torch")
    reply = {"seq": 1, "value": {"tensor": ["float32", [1], "AAAAAA=="]}, "changed": None}
    with_torch = outcomes.Setup(Tier.FULL, Limits(), ("numpy", "torch"))
    assert outcomes.from_reply(reply, 1, (), with_torch).ok
    with pytest.raises(outcomes.Malformed):
        outcomes.from_reply(reply, 1, (), outcomes.Setup(Tier.FULL, Limits(), ("numpy",)))


# Outside the judge


def test_a_notebook_calls_its_checks_with_the_functions_that_they_ask_for(
    pair: Exercise, rows: Exercise, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shared = "from typing import Any\nimport random\nimport numpy as np\n"
    shared += f"Function = Any\nWHY = Text(*{tuple(WHY)!r})\nTABLE = np.array({TABLE.tolist()})"
    monkeypatch.setattr(notebooks, "release", lambda exercise_id: "0")
    monkeypatch.setattr(notebooks, "split_checks", lambda exercise: (shared, sources(exercise)))
    for exercise in (pair, rows):
        made = notebooks.notebook(exercise, "en")
        cell = next(cell for cell in made.cells if cell.id.startswith("answer-"))
        cell.source = exercise.solution_source + "\nrandom = rng = None\n"
        assert run(made, tmp_path) == [f"✓ {check.id}" for check in exercise.checks]


def sources(exercise: Exercise) -> dict[str, str]:
    return {check.id: inspect.getsource(check.function).rstrip() for check in exercise.checks}


def test_a_check_asks_for_known_names_only(pair: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [check.asks_for for check in pair.checks] == [(), ("border",), ("rng", "border")]
    assert [check.takes_randomness for check in pair.checks] == [False, False, True]
    assert pair.functions == ("area", "border")
    visible = types.SimpleNamespace(border_alone=border_alone)
    title = {"en": "border", "zh": "周长"}
    entries = {"visible": [{"id": "border_alone", "title": title, "group": "main", "points": 1}], "hidden": []}
    assert len(catalogue._checks(entries, {"rng", "border"}, visible, visible)) == 1  # type: ignore[arg-type]
    with pytest.raises(ContentError, match="border_alone asks for"):
        catalogue._checks(entries, {"rng"}, visible, visible)  # type: ignore[arg-type]
    for named in (["other"], ["border", "area"], ["area", "area"], []):
        with pytest.raises(ContentError, match="must begin with area"):
            catalogue._functions("area", {"functions": named})
    assert catalogue._functions("area", {}) == ("area",)


def test_torch_has_wider_limits_unless_an_exercise_says_otherwise() -> None:
    assert limits_for(("numpy",)) == Limits() and limits_for(("numpy",), call_seconds=3.0).call_seconds == 3.0
    wide = limits_for(("numpy", "torch"), call_seconds=3.0)
    assert wide.memory_mib > Limits().memory_mib and wide.call_seconds == 3.0
