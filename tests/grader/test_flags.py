"""What the instructor is told beside the verdict: each attempt, no honest work; and the student is told nothing."""
from __future__ import annotations

import dataclasses
import json
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from grader.catalogue import Exercise, exercise_ids, load
from grader.flags import SHOWN, flag, flags
from grader.instructor.uploads import grade_uploads
from grader.judge import Judge
from grader.known_mistakes import solution_blanks, wrong_blanks
from grader.reading.audit import audit
from grader.reading.files import read_submission
from grader.sandbox import Limits
from grader.sandbox.inside.watch import Watch
from grader.sandbox.outcomes import TOLD
from grader.submitting import judge_files
from grader.verdicts import Report
from tests.grader.conftest import Class

TESTS = Path(__file__).resolve().parent.parent
QUICK = Limits(cpu_seconds=6, call_seconds=1.0, answer_seconds=1.0, memory_mib=512)


def ordinary_answers() -> list[tuple[str, str, str]]:
    """(exercise, name, source) of every right answer, known mistake and pair of them, and other wrong answer."""
    found = []
    for exercise_id in exercise_ids():
        exercise = load(exercise_id)
        right = solution_blanks(exercise)
        kinds = tomllib.loads((TESTS / "solutions" / "answers" / f"{exercise_id}.toml").read_text("utf-8"))
        for kind, answers in kinds.items():
            found += [
                (exercise_id, f"{kind}: {one['why']}", exercise.fill(one["blanks"], one.get("preamble", "")))
                for one in answers
            ]
        for mistake in exercise.mistakes:
            blanks = right | {name: mistake.blanks[name] for name in wrong_blanks(mistake, right)}
            found.append((exercise_id, mistake.id, exercise.fill(blanks, mistake.preamble)))
        found.append((exercise_id, "the solution", exercise.solution_source))
        found.append((exercise_id, "the stub", exercise.stub))
    return found


ORDINARY_MISHAPS = {
    "a variable named sum": "sum = 0.0\nfor p in target_probs:\n        sum += p\n    accept = sum",
    "a loop without end": "while True:\n        draft_token += 0",
    "a division by zero": "return 1 / 0, []",
    "recursion": "return rejection_rule(target_probs, draft_probs, draft_token)",
    "too much memory": "return [0.0] * (1 << 32), []",
    "too much printed": "while True:\n        print(target_probs)",
    "a data file": "return open_data()",
    "sys.exit": "import sys\n    sys.exit(1)",
    "input": "return float(input()), []",
    "an exception of one's own": "raise Wrong('what now')",
    "a dataclass": "return Result(0.5, [1.0, 0.0])",
    "a named tuple": "return Pair(0.5, [1.0, 0.0])",
    "an enum": "return Choice.KEEP, []",
    "a fraction": "return Fraction(1, 2), [Fraction(1), Fraction(0)]",
    "a set, a generator, a function": "return {0.5}, (p for p in target_probs), max",
    "a masked array and a matrix": "return np.ma.array([0.5]), np.matrix([[1.0]])",
    "settings of NumPy": "np.seterr(all='ignore'); np.random.seed(0)\n    return 0.5, []",
    "a generator of random numbers": "random.seed(1)\n    return random.random(), []",
    "warnings": "warnings.warn('odd'); warnings.simplefilter('error')\n    return np.float64(1) / 0, []",
    "a missing module": "import torch\n    return 0.5, []",
    "the recursion limit": "import sys\n    sys.setrecursionlimit(5000)\n    return sys.float_info.max, sys.maxsize",
}  # fmt: skip
PREAMBLE = """
import random, warnings
from collections import namedtuple
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
import numpy as np
Pair = namedtuple("Pair", "accept residual")
class Wrong(ValueError): pass
class Choice(IntEnum): KEEP = 1
@dataclass(order=True)
class Result:
    accept: float
    residual: list
def open_data(): return np.loadtxt("data.csv")
"""


def judged_quickly(judge: Judge, exercise_id: str, source: str) -> Report:
    exercise = dataclasses.replace(load(exercise_id), limits=QUICK)
    return judge.judge(exercise, read_submission(source.encode(), "answer.py"), hidden=True, seed=1)


def test_no_right_answer_and_no_ordinary_mistake_is_flagged(judge: Judge) -> None:
    answers = ordinary_answers()
    with ThreadPoolExecutor(2) as threads:
        reports = threads.map(lambda one: judged_quickly(judge, one[0], one[2]), answers)
        told = {name: report.flags for (_, name, _), report in zip(answers, reports, strict=True) if report.flags}
    assert not told and len(answers) >= 40


def test_no_ordinary_mishap_is_flagged(judge: Judge) -> None:
    head = "def rejection_rule(target_probs, draft_probs, draft_token):"
    sources = [f"{PREAMBLE}\n{head}\n    {body}\n" for body in ORDINARY_MISHAPS.values()]
    with ThreadPoolExecutor(2) as threads:
        reports = list(threads.map(lambda one: judged_quickly(judge, "rejection_rule", one), sources))
    assert not {name: one.flags for name, one in zip(ORDINARY_MISHAPS, reports, strict=True) if one.flags}
    assert all(report.checks and not report.judge_fault and not report.passed for report in reports)


LIAR = """
class Yes:
    def __eq__(self, other): return True
def rejection_rule(target_probs, draft_probs, draft_token):
    import ctypes
    return Yes(), []
"""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_flags_are_in_the_instructors_data_and_nowhere_else(
    a_class: Class, exercise: Exercise, right: dict[str, str], language: str
) -> None:
    a_class.hand_in("liar.py", LIAR)
    a_class.hand_in("ann.py", exercise.fill(right))
    a_class.grade(language)
    result = json.loads((a_class.out / "results" / "liar.json").read_bytes())
    told = result["extra_data"]["course"].pop("flags")
    expected = [flag("imports", "ctypes"), flag("own_comparison", "Yes.__eq__")]
    assert told == {exercise.id: [one.within(language) for one in expected]}
    page = (a_class.out / "feedback" / "liar.html").read_text("utf-8")
    for line in told[exercise.id]:
        assert line not in json.dumps(result, ensure_ascii=False) and line not in page
    assert "flags" not in page and "ctypes" not in page
    assert json.loads((a_class.out / "results" / "ann.json").read_bytes())["extra_data"]["course"]["flags"] == {}


def test_a_flag_changes_no_mark(judge: Judge, exercise: Exercise, right: dict[str, str]) -> None:
    answer = exercise.fill(right | {"residual": "max(p - q, zero)"})
    source = f"import os\nimport gc\nzero = float(len(os.sep) - 1)\n{answer}"
    (_, report), = judge_files([("a.py", source.encode())], (exercise.id,), judge, hidden=True).reports  # fmt: skip
    assert report.passed and report.earned == exercise.points
    assert report.flags == (flag("imports", "os"),)  # the answer never needs gc, so it is not part of the program


def instructors_page(batch: object) -> None:
    from grader.instructor import page
    from grader.wording import wording

    page._graded(wording("en"), batch)  # type: ignore[arg-type]


def test_the_instructors_page_shows_the_flags_as_plain_text(judge: Judge) -> None:
    files = [("liar.py", LIAR.replace("Yes", "Y_e_s").encode()), ("b.py", b"x = 1")]
    batch = grade_uploads(files, 1, "en", judge, lambda *_: None)
    at = AppTest.from_function(instructors_page, default_timeout=60, args=(batch,)).run()
    assert not at.exception
    assert list(at.dataframe[0].value["Worth a look"]) == ["", "2"]
    at.selectbox[0].set_value(1).run()
    assert f"⚑ {flag('own_comparison', 'Y_e_s.__eq__').en}" in [one.value for one in at.text]


SEEN_IN_TEXT = {
    "import os.path as p\nfrom socket import socket": ["imports os", "imports socket"],
    "x = open('/etc/passwd').read()": ["names_path /etc/passwd", "uses open"],
    "f = (1).__class__.__base__.__subclasses__()": ["uses __base__", "uses __subclasses__"],
    "import sys as s\nx = s._getframe().f_back": ["uses f_back", "uses sys._getframe"],
    "from sys import _getframe": ["uses sys._getframe"],
    "x = eval('1') + exec": ["uses eval", "uses exec"],
    "x = '../../solutions/rejection_rule/solution.py'": ["names_path ../../solutions/rejection_rule/solution.py"],
    "def open(x): return x\ny = open(1)": [],
    "import sys, math, random, time, numpy\nx = sys.float_info.max + sys.maxsize": [],
    "'Reads like /proc/self.'\nx = 'a/b' + '1/2' + '/procedure' + 'solutions'": [],
    "x = a.compile() + a.open + a.__class__.__name__ + a.__dict__": [],
    "def broken(": [],
}


@pytest.mark.parametrize("source", SEEN_IN_TEXT)
def test_what_a_text_reaches_for(source: str) -> None:
    assert sorted(" ".join(one) for one in audit(source)) == SEEN_IN_TEXT[source]


def test_what_the_stub_itself_uses_is_not_the_answers_doing() -> None:
    assert audit("import os, gc", stub="import os") == [["imports", "gc"]]
    assert len(audit("\n".join(f"x = '/etc/{number}'" for number in range(99)))) == 12


def test_each_thing_is_told_once_and_every_code_has_its_sentence() -> None:
    assert flags([("tracing", ""), ("tracing", ""), ("thread", "")]) == (flag("tracing"), flag("thread"))
    assert all("{" not in "".join(flag(code, "x")) for code in TOLD)
    long = flag("imports", "\x1b" + "m" * 999).en
    assert "\\x1b" in long and long.count("m") < SHOWN + 10


def test_the_watch_sees_nothing_where_nothing_is_done() -> None:
    watch = Watch({"report": Report})
    names = {code for code, _ in watch.look({"sum": 0, "abs": abs, "len": 3}, [int, dict])}
    assert not names - {"thread", "tracing"}  # a test run may have both


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("import os\ndef f(x:\n  return x.__globals__  # import socket", [["imports", "os"], ["uses", "__globals__"]]),
        ("    from ctypes import CDLL\n  return (", [["imports", "ctypes"]]),
        ("def f(:\n    return open_data('/etc/shadow')", [["names_path", "/etc/shadow"]]),
        ("def f(x:\n    # we could import os here\n    return target.sum(", []),
        ("def f(x:\n    return x.mean() / 'a path/to/it'", []),
    ],
)
def test_a_text_that_doesn_t_parse_is_read_for_what_is_certain(broken: str, told: list[list[str]]) -> None:
    assert audit(broken) == told


def test_an_answer_that_doesn_t_parse_keeps_its_flags(judge: Judge, exercise: Exercise) -> None:
    source = f"import ctypes\n{exercise.fill({'accept': 'min(1.0, (', 'residual': '0.0'})}".encode()
    report = judge.judge(exercise, read_submission(source, "a.py"), hidden=True, seed=1)
    assert str(report.verdict) == "error" and [code for code, _ in report.seen] == ["imports"]
