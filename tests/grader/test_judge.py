"""Every verdict, on real isolated processes."""
from __future__ import annotations

import dataclasses
import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from exercises.expect import Text, call
from grader.catalogue import Check, Exercise, exercise_ids
from grader.judge import Judge, seed_for
from grader.proxy import StudentFailure
from grader.reading.files import Cell, Submission
from grader.sandbox import Limits, SandboxUnavailable, Tier, doctor
from grader.submitting import judge_files
from grader.verdicts import Report, Verdict

WHY = Text("because", "因为")


FORGERY = """
import os

def forge(x):
    for number in range(3, 30):
        try:
            os.write(number, b"\\0\\0\\0\\x05[1,2]")
        except OSError:
            continue
    return 2 * x

def double(x):
    return x if x == 1 else forge(x)
"""


def written(source: str) -> Submission:
    return Submission((Cell(source, "code", None, None, 0),), ())


def check(name: str, function: Callable[..., None], visible: bool = True) -> Check:
    title = Text(name, name)
    return Check(id=name, title=title, idea=title, group="g", points=1, visible=visible, function=function)


def small(exercise: Exercise, *checks: Callable[..., None], **limits: float) -> Exercise:
    """The exercise `double(x)`: one blank, checks of the test's own."""
    return dataclasses.replace(
        exercise,
        id="double",
        stub="def double(x):\n    return ______\n",
        solution_source="def double(x):\n    return 2 * x\n",
        blank_ids=("answer",),
        blank_labels=(Text("answer", "答案"),),
        checks=tuple(check(function.__name__, function) for function in checks),
        limits=Limits(**limits),  # type: ignore[arg-type]
        mistakes=(),
        probes=((3,),),
    )


def doubles_one(double: Callable[..., Any]) -> None:
    call(double, 1).equals(2, WHY)


def doubles_two(double: Callable[..., Any]) -> None:
    call(double, 2).equals(4, WHY)


def doubles_three(double: Callable[..., Any]) -> None:
    call(double, 3).equals(6, WHY)


@pytest.fixture(autouse=True)
def _no_known_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small exercises here are in no folder; tests/grader/test_known_mistakes.py has the real ones."""
    monkeypatch.setattr("grader.known_mistakes.match", lambda exercise, answer: ())


def verdicts(report: Report) -> list[str]:
    return [str(result.verdict) for result in report.checks]


def judged(judge: Judge, exercise: Exercise, answer: str, *checks: Callable[..., None], **limits: float) -> Report:
    used = small(exercise, *(checks or (doubles_one, doubles_two, doubles_three)), **limits)
    return judge.judge_blanks(used, {"answer": answer}, hidden=True, seed=1)


def test_right_blanks_pass_every_check(judge: Judge, exercise: Exercise, right: dict[str, str]) -> None:
    report = judge.judge_blanks(exercise, right, hidden=True, seed=7)
    assert report.passed and report.earned == exercise.points
    assert (report.tier, report.seed, report.blanks) == (str(judge.tier), 7, right)


def test_without_hidden_only_the_visible_checks_run(judge: Judge, exercise: Exercise, right: dict[str, str]) -> None:
    report = judge.judge_blanks(exercise, right, hidden=False, seed=7)
    assert [result.check_id for result in report.checks] == [check.id for check in exercise.visible]


def test_a_wrong_value_says_call_value_expectation_and_reason(judge: Judge, exercise: Exercise) -> None:
    report = judged(judge, exercise, "x + 2", doubles_one)
    result = report.checks[0]
    assert (result.verdict, result.called, result.returned) == (Verdict.FAIL, "double(1)", "3")
    assert (result.expected, result.why) == ("2", WHY)


def test_an_exception_says_class_message_and_the_students_line(judge: Judge, exercise: Exercise) -> None:
    result = judged(judge, exercise, "x / 0", doubles_one).checks[0]
    assert (result.verdict, result.called) == (Verdict.ERROR, "double(1)")
    assert (result.returned, result.line) == ("ZeroDivisionError: division by zero", "return x / 0")


def test_an_answer_that_does_not_parse_is_an_error_with_its_line(judge: Judge, exercise: Exercise) -> None:
    report = judged(judge, exercise, "2 * * x")
    assert report.verdict is Verdict.ERROR and verdicts(report) == ["error"] * 3
    assert report.checks[0].returned.startswith("SyntaxError") and "2 * * x" in report.checks[0].line


def test_a_process_that_exits_costs_its_check_only(judge: Judge, exercise: Exercise) -> None:
    report = judged(judge, exercise, "2 * x if x != 2 else __import__('os')._exit(0)")
    assert verdicts(report) == ["pass", "killed", "pass"]
    assert (report.verdict, report.earned) == (Verdict.KILLED, 2)


def test_sys_exit_is_an_error_of_its_check_only(judge: Judge, exercise: Exercise) -> None:
    report = judged(judge, exercise, "2 * x if x != 2 else __import__('sys').exit(0)")
    assert verdicts(report) == ["pass", "error", "pass"]


def test_an_endless_loop_costs_its_check_and_no_more_than_the_budget(judge: Judge, exercise: Exercise) -> None:
    loop = "2 * x if x != 2 else [0 for _ in iter(int, 1)]"
    assert verdicts(judged(judge, exercise, loop, call_seconds=1.0)) == ["pass", "timeout", "pass"]
    start = time.monotonic()
    spent = judged(judge, exercise, loop, *[doubles_two] * 20, call_seconds=1.0, answer_seconds=1.5)
    assert verdicts(spent) == ["timeout"] * 20 and spent.checks[19].why is not None
    assert time.monotonic() - start < 15  # not 20 calls of 1 s in 20 processes


def test_memory_output_and_blocked_have_their_own_verdicts(judge: Judge, exercise: Exercise) -> None:
    assert verdicts(judged(judge, exercise, "[0] * 10**10", doubles_one)) == ["memory"]
    assert verdicts(judged(judge, exercise, "print('x' * 10**8)", doubles_one)) == ["output-limit"]
    assert verdicts(judged(judge, exercise, "__import__('socket').socket()", doubles_one)) == ["blocked"]


def test_a_forged_reply_is_tampered_and_outweighs_the_rest(judge: Judge, exercise: Exercise) -> None:
    used = small(exercise, doubles_one, doubles_two)
    report = judge.judge(used, written(FORGERY), hidden=True, seed=1)
    assert report.verdict is Verdict.TAMPERED and verdicts(report) == ["fail", "tampered"]


def test_open_blanks_and_absent_functions_are_missing(judge: Judge, exercise: Exercise) -> None:
    used = small(exercise, doubles_one)
    for blanks in ({}, {"answer": ""}, {"answer": "   "}, {"answer": "______"}):
        report = judge.judge_blanks(used, blanks, hidden=True, seed=1)
        assert report.verdict is Verdict.MISSING and report.needs_a_person and report.notes
    assert judge.judge(used, written("x = 1\n"), hidden=True, seed=1).verdict is Verdict.MISSING


def test_thousands_of_cells_are_unreadable_not_a_crash(judge: Judge, exercise: Exercise) -> None:
    cells = tuple(Cell("x = 1", "code", None, None, index) for index in range(30_000))
    report = judge.judge(exercise, Submission(cells, ()), hidden=True, seed=1)
    assert report.verdict is Verdict.UNREADABLE and "30000 cells" in report.notes[-1].en


def test_a_changed_locked_line_is_noted_and_costs_nothing(judge: Judge, exercise: Exercise) -> None:
    source = exercise.fill({"accept": "min(1.0, target_probs[draft_token] / qx)", "residual": "max(p - q, 0.0)"})
    changed = source.replace("<= 1e-9", "<= 1e-3")
    report = judge.judge(exercise, written(changed), hidden=True, seed=1)
    assert report.passed and any("1e-3" in note.en for note in report.notes)


def test_a_right_function_written_in_another_way_passes_as_written(judge: Judge, exercise: Exercise) -> None:
    source = (
        "def double(x):\n    half = x\n    half += x\n    answer = half\n    return answer\n"
    )
    report = judge.judge(small(exercise, doubles_one, doubles_two), written(source), hidden=True, seed=1)
    assert report.passed and report.notes


def test_a_check_that_cannot_decide_is_a_judge_fault_and_needs_a_person(judge: Judge, exercise: Exercise) -> None:
    def breaks(double: Callable[..., Any]) -> None:
        raise TypeError("a bug in the check")

    report = judged(judge, exercise, "2 * x", doubles_one, breaks, doubles_two)
    assert report.needs_a_person and "breaks raised TypeError" in report.judge_fault
    assert verdicts(report) == ["pass", "error", "pass"]


def test_a_plain_assert_that_fails_is_a_judge_fault_too(judge: Judge, exercise: Exercise) -> None:
    def asserts(double: Callable[..., Any]) -> None:
        assert double(1) == 3

    assert judged(judge, exercise, "2 * x", asserts).judge_fault


def test_no_isolated_process_is_a_judge_fault(
    exercise: Exercise, right: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def take(self) -> None:
            raise SandboxUnavailable("the kernel said no")

    monkeypatch.setattr("grader.judge.Pool", Broken)
    report = Judge(Tier.FULL).judge_blanks(exercise, right, hidden=True, seed=1)
    assert report.needs_a_person and "the kernel said no" in report.judge_fault


@pytest.mark.parametrize("tier", [one.tier for one in doctor().tiers if one.works])
def test_every_tier_of_this_machine_judges_the_same(exercise: Exercise, right: dict[str, str], tier: Tier) -> None:
    judge = Judge(tier, warm=1, accept_basic=True)
    try:
        wrong = judge.judge_blanks(exercise, right | {"residual": "p"}, hidden=True, seed=1)
        assert judge.judge_blanks(exercise, right, hidden=True, seed=1).passed
    finally:
        judge.close()
    assert wrong.verdict is Verdict.FAIL and wrong.tier == tier


def test_basic_needs_an_explicit_yes() -> None:
    with pytest.raises(SandboxUnavailable):
        Judge(Tier.BASIC)


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(judge: Judge, exercise: Exercise) -> None:
    drawn: list[float] = []

    def draws(double: Callable[..., Any], rng: random.Random) -> None:
        drawn.append(rng.random())

    used = small(exercise, draws)
    for seed in (1, 1, 2):
        judge.judge_blanks(used, {"answer": "x"}, hidden=True, seed=seed)
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_seed_comes_from_the_bytes_and_the_exercise() -> None:
    assert seed_for(b"a", "one") == seed_for(b"a", "one")
    assert len({seed_for(b"a", "one"), seed_for(b"b", "one"), seed_for(b"a", "two")}) == 3


def test_an_answer_that_changes_between_identical_calls_is_noted_but_not_judged_for_it(
    judge: Judge, exercise: Exercise
) -> None:
    steady = judged(judge, exercise, "2 * x")
    calls = "2 * x + (globals().__setitem__('n', globals().get('n', 0) + 1) or (100 if n > 3 else 0))"
    unsteady = judged(judge, exercise, calls)
    assert not any("identical calls" in note.en for note in steady.notes)
    assert unsteady.passed and any("identical calls" in note.en for note in unsteady.notes)


def test_an_answer_of_a_type_that_cannot_travel_is_not_called_changing(
    judge: Judge, exercise: Exercise, right: dict[str, str]
) -> None:
    fraction = "__import__('fractions').Fraction(target_probs[draft_token])"
    report = judge.judge_blanks(exercise, right | {"accept": fraction}, hidden=True, seed=1)
    assert report.verdict is Verdict.FAIL
    assert report.notes == ()


@pytest.mark.parametrize(
    "written",
    [
        {"residual": "max(p - q, 0.0)  # what is missing"},
        {"residual": "\n\n    max(\n        p - q,  # missing\n        0.0\n    )\n"},
        {"accept": "\n    min(1.0, target_probs[draft_token] / qx)  # 接受概率\n"},
        {"accept": "__import__('numpy').where(target_probs[draft_token] < qx, target_probs[draft_token] / qx, 1.0)"},
        {"accept": "__import__('numpy').clip(target_probs[draft_token] / qx, 0, 1)"},
        {"residual": "__import__('numpy').where(p > q, p - q, 0.0)"},
        {"accept": "r if (r := target_probs[draft_token] / qx) < 1 else 1.0;"},
    ],
)
def test_a_right_answer_may_be_written_in_many_ways(
    judge: Judge, exercise: Exercise, right: dict[str, str], written: dict[str, str]
) -> None:
    report = judge.judge_blanks(exercise, right | written, hidden=True, seed=1)
    assert report.passed and not report.mistakes, report


def test_a_lying_object_equals_nothing(judge: Judge, exercise: Exercise) -> None:
    lying = "type('F', (float,), {'__eq__': lambda a, b: True, '__sub__': lambda a, b: 0.0})(9.0)"
    report = judged(judge, exercise, lying, doubles_one)
    assert verdicts(report) == ["fail"] and not report.judge_fault


ODD_VALUES = [
    "None", "'text'", "10**400", "-10**5000", "float('nan')", "float('inf')", "[]", "(1,)", "{1: 2}", "object()", "1j",
    "True", "b'x'", "'\\ud800'", "print", "[[1]]", "__import__('numpy').ones(3)", "__import__('numpy').float64(0.5)",
]  # fmt: skip


@pytest.mark.parametrize("value", ODD_VALUES)
def test_a_value_of_any_kind_fails_the_real_checks_without_a_judge_fault(
    judge: Judge, exercise: Exercise, right: dict[str, str], value: str
) -> None:
    source = exercise.fill(right)
    start = source.index("    accept_probability =")
    for answer in (value, f"({value}, [{value}] * len(target_probs))", f"(0.5, {value})"):
        written_by_hand = written(f"{source[:start]}    return {answer}\n")
        report = judge.judge(exercise, written_by_hand, hidden=True, seed=1)
        assert not report.passed and not report.judge_fault, report.judge_fault


def test_the_function_for_the_figure_runs_in_isolation(judge: Judge, exercise: Exercise, right: dict[str, str]) -> None:
    with judge.function(exercise, right) as rule:
        assert rule([0.7, 0.3], [0.4, 0.6], 1) == (0.5, [1.0, 0.0])
        with pytest.raises(ValueError, match="draft_token is 7"):
            rule([0.7, 0.3], [0.4, 0.6], 7)


@pytest.mark.parametrize(
    ("blanks", "verdict"),
    [({"accept": "1"}, Verdict.MISSING), ({"accept": "1 +", "residual": "p"}, Verdict.ERROR)],
)
def test_a_function_that_cannot_be_had_says_why(
    judge: Judge, exercise: Exercise, blanks: dict[str, str], verdict: Verdict
) -> None:
    with pytest.raises(StudentFailure) as caught, judge.function(exercise, blanks):
        raise AssertionError("no function was expected")
    assert caught.value.verdict is verdict and caught.value.message


def test_one_judge_serves_many_threads(judge: Judge, exercise: Exercise, right: dict[str, str]) -> None:
    wrong = right | {"residual": "p"}

    def one(number: int) -> bool:
        return judge.judge_blanks(exercise, wrong if number % 2 else right, hidden=True, seed=1).passed

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(one, range(8))) == [True, False] * 4


def test_no_more_answers_at_once_than_processors(
    exercise: Exercise, right: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty learners with endless loops may not slow everybody else's processes down."""
    running, most, lock = 0, 0, threading.Lock()

    def busy(*_: object) -> Report:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1
        return Report(exercise.id, Verdict.PASS)

    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    crowded = Judge(Tier.FULL, warm=1)
    monkeypatch.setattr(crowded, "_judge", busy)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda seed: crowded.judge_blanks(exercise, right, hidden=True, seed=seed), range(16)))
    assert most == 2


def test_an_answer_to_one_exercise_starts_no_process_for_another(exercise: Exercise) -> None:
    fresh = Judge(warm=1)
    judged = judge_files([("a.py", exercise.solution_source.encode())], exercise_ids(), fresh, hidden=True)
    assert [one.id for one, _ in judged.reports] == [exercise.id]
    assert list(fresh._pools) == [(exercise.limits, exercise.preload)] and len(fresh._nurseries) == 1
    fresh.close()
