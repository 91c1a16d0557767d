"""What a caller gets from a worker: values, errors in words, changed arguments, printed text."""
from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from grader.sandbox import CodecError, Limits, Opaque, Tier, Worker

Start = Any


def test_a_call_returns_the_value_and_what_was_printed(tier: Tier, start: Start) -> None:
    worker = start(tier, "def f(x):\n    print('got', x)\n    return [x / 2, {'x': (x,)}]")
    outcome = worker.call("f", 3)
    assert outcome.ok and outcome.value == [1.5, {"x": (3,)}]
    assert outcome.output == "got 3\n" and outcome.arguments == (3,)
    assert worker.call("f", 4).output == "got 4\n"


def test_numpy_is_found_below_masked_site_packages(tier: Tier, start: Start) -> None:
    worker = start(tier, "import numpy as np\ndef f(a): return np.linalg.inv(a), np.float32(1.5)", numpy=True)
    inverse, scalar = worker.call("f", np.diag([2.0, 4.0])).value
    assert inverse.tolist() == [[0.5, 0.0], [0.0, 0.25]] and type(scalar) is np.float32


def test_only_the_named_packages_can_be_imported(strong: Tier, start: Start) -> None:
    worker = start(strong, "def f(name): __import__(name)", numpy=True)
    for name in ("streamlit", "pip", "grader", "solutions", "exercises", "pytest"):
        outcome = worker.call("f", name)
        assert outcome.error_class == "ModuleNotFoundError", name
        assert outcome.detail == "only the standard library and numpy can be imported"


def test_changed_arguments_come_back_also_after_an_error(tier: Tier, start: Start) -> None:
    worker = start(tier, "def f(xs, flag):\n    xs.append(0)\n    if flag: raise ValueError('no')")
    mine = [1]
    outcome = worker.call("f", mine, False)
    assert outcome.arguments == ([1, 0], False) and mine == [1]
    failed = worker.call("f", mine, True)
    assert failed.status == "error" and failed.arguments == ([1, 0], True)


def test_values_that_cannot_travel(tier: Tier, start: Start) -> None:
    worker = start(tier, "class A: pass\ndef f(): return [A(), (n for n in ()), 2]\ndef g(x): x.append(x)")
    first, second, third = worker.call("f").value
    assert isinstance(first, Opaque) and first.type_name == "student.A" and third == 2
    assert isinstance(second, Opaque) and repr(second) == "<generator>"
    assert isinstance(worker.call("g", []).arguments[0], Opaque)
    with pytest.raises(CodecError, match="can't travel"):
        worker.call("f", object())


SOURCE = """\
import dataclasses

class Strange(ValueError):
    pass

class Mute(Exception):
    def __str__(self): raise KeyError

@dataclasses.dataclass
class Point:
    x: "float"

def inner(kind):
    if kind == "strange": raise Strange("bad " + "x" * 9000)
    if kind == "mute": raise Mute
    if kind == "exit": raise SystemExit(3)
    if kind == "interrupt": raise KeyboardInterrupt
    if kind == "deep": return inner(kind)
    if kind == "surrogate": raise ValueError("\\ud800<b>")
    return sorted([1, None])

def f(kind):
    return inner(kind)
"""


@pytest.mark.parametrize(
    ("kind", "error_class", "line"),
    [
        ("strange", "ValueError", 14),
        ("mute", "Exception", 15),
        ("exit", "SystemExit", 16),
        ("interrupt", "KeyboardInterrupt", 17),
        ("deep", "RecursionError", 18),
        ("surrogate", "ValueError", 19),
        ("library", "TypeError", 20),
    ],
)
def test_errors_carry_builtin_class_message_and_line(kind: str, error_class: str, line: int, start: Start) -> None:
    worker = start(Tier.FULL if sys.platform == "linux" else Tier.BASIC, SOURCE)
    outcome = worker.call("f", kind)
    assert (outcome.status, outcome.error_class, outcome.error_line) == ("error", error_class, line)
    assert len(outcome.error_message.encode("utf-8")) <= 2_000  # a lone surrogate would raise
    assert outcome.detail == {"strange": "Strange", "mute": "Mute"}.get(kind, "")
    assert worker.call("f", "library").error_class == "TypeError"  # an error does not end the process


@pytest.mark.parametrize(
    ("source", "error_class", "line"),
    [
        ("x = 1\ny = = 2\n", "SyntaxError", 2),
        ("def f():\nreturn 1\n", "IndentationError", 2),
        ("x = 1\n1 / 0\n", "ZeroDivisionError", 2),
        ("x = '\ud800'", "UnicodeEncodeError", None),
        ("# coding: utf-7\nx = ______\n", "NameError", 2),
        ("(" * 5_000, "SyntaxError", 1),
        ("x = " + "-" * 100_000 + "1", "MemoryError", None),
        ("x = " + "+".join(["1"] * 100_000), "RecursionError", None),
    ],
    ids=["syntax", "indentation", "top level", "surrogate", "cookie", "parentheses", "minuses", "sum"],
)
def test_programs_that_do_not_load(source: str, error_class: str, line: int | None, tier: Tier, start: Start) -> None:
    worker = start(tier)
    outcome = worker.load(source)
    assert (outcome.status, outcome.error_class, outcome.error_line) == ("error", error_class, line)
    assert worker.alive


def test_a_null_byte_does_not_load(tier: Tier, start: Start) -> None:
    outcome = start(tier).load("x = '\0'")
    assert outcome.error_class in ("ValueError", "SyntaxError")  # before and since Python 3.11.4
    assert "null bytes" in outcome.error_message


def test_a_missing_function_is_named(tier: Tier, start: Start) -> None:
    outcome = start(tier, "x = 1").call("f")
    assert (outcome.error_class, outcome.error_message) == ("NameError", "the submission does not define f")


def test_student_source_can_be_inspected(tier: Tier, start: Start) -> None:
    worker = start(tier, "import inspect\ndef f(): return inspect.getsource(f)")
    assert worker.call("f").value.startswith("def f()")


def test_reading_standard_input_is_an_error_not_a_hang(tier: Tier, start: Start) -> None:
    assert start(tier, "def f(): return input()").call("f").error_class == "EOFError"


TRUSTED = {
    "helper": "def double(x):\n    return 2 * x\n",
    "main": "import helper\ndef f(x): return {'y': helper.double(x)}",
}
READER = "import ast\ndef names(text): return [n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)]"
HUNT = """\
import gc, sys, linecache
def f():
    names = {name for name in sys.modules if name in ("helper", "main")}
    objects = [o for o in gc.get_objects() if getattr(o, "__name__", "") in ("helper", "double") or getattr(o, "__module__", "") in ("helper", "main")]
    frames, frame = [], sys._getframe()
    while frame: frames.append(frame.f_code.co_filename); frame = frame.f_back
    return names, len(objects), [name for name in (*frames, *linecache.cache) if "helper" in name]
"""  # noqa: E501


def test_trusted_code_runs_before_the_program_and_leaves_nothing(tier: Tier, start: Start) -> None:
    worker = start(tier)
    outcome = worker.trusted(TRUSTED, "main.f", 4)
    assert outcome.ok and outcome.value == {"y": 8}
    failed = worker.trusted(TRUSTED, "main.f", None)
    assert failed.status == "error" and failed.error_class == "TypeError"
    assert worker.load(HUNT).ok
    assert worker.call("f").value == (set(), 0, [])
    with pytest.raises(RuntimeError, match="before load"):
        worker.trusted(TRUSTED, "main.f", 1)


def test_trusted_parsing_of_hostile_text(strong: Tier, start: Start) -> None:
    worker = start(strong)
    modules = {"reader": READER}
    assert worker.trusted(modules, "reader.names", "a + b").value == ["a", "b"]
    outcome = worker.trusted(modules, "reader.names", "x = " + "-" * 100_000 + "1")
    assert outcome.error_class in ("MemoryError", "RecursionError")


def test_a_closed_worker_repeats_its_end(tier: Tier) -> None:
    worker = Worker(tier, Limits(), (), ())
    worker.close()
    worker.close()
    assert worker.call("f").status == "killed" and not worker.alive


def test_a_package_that_is_not_preloaded_is_imported_on_demand(strong: Tier) -> None:
    source = "import sys\nearly = 'numpy' in sys.modules\ndef f(x):\n    import numpy\n    return numpy.sum(x), early"
    with Worker(strong, distributions=("numpy",), preload=()) as worker:
        assert worker.load(source).ok
        assert worker.call("f", np.array([1.0, 2.0])).value == (3.0, False)
