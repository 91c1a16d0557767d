"""The readers of hostile input raise their one typed error and no other, whatever comes.

Random inputs for about COURSE_FUZZ_SECONDS in all (default 35), so every run tries others; a failure prints the input.
"""
from __future__ import annotations

import io
import json
import os
import time
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

import nbformat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.catalogue import load
from grader.notebooks import notebook
from grader.reading.pairing import BLANK
from grader.sandbox.inside import codec, frames
from tests.fuzz import targets
from tests.grader.reading.cases import STUB, filled

TARGETS = 8
SECONDS = float(os.environ.get("COURSE_FUZZ_SECONDS", "35")) / TARGETS

NAMES = st.sampled_from(["a.ipynb", "a.py", "a.txt", "", "a (1).ipynb", "a.json"])
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "gb18030", "latin-1"])
WORDS = st.sampled_from(
    [
        "{", "}", "[", "]", '"', "\\", "\\u", "\\ud800", ",", ":", "null", "1e999", "9" * 400, "\x00", "\r",
        "\ufeff", "______",
        "<<<<<<< a\n", "=======\n", ">>>>>>> b\n", '"outputs": [', '"cells": [', '"worksheets"', "(", ")",
        "def rejection_rule(", "lambda: ", "\n", "\n    ", "\t", "#", "'''", "%%bash\n", "!ls\n", "x?",
        "async ", "\\\n", "accept_probability = ", "for p, q in ", "yield ", "...", "pass", "=", ":=",
        "é", "\u202e", "𝓍", "\ud800",
    ]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | WORDS, inner, max_size=4),
    max_leaves=20,
)


def fuzz(inputs: st.SearchStrategy[Any], target: Callable[..., None]) -> None:
    """Run random inputs through the target until its share of the time is over."""

    @settings(
        max_examples=200, deadline=None, database=None, derandomize=False, suppress_health_check=list(HealthCheck)
    )
    @given(inputs)
    def some(values: tuple[Any, ...]) -> None:
        target(*values)

    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        some()


def cut(whole: Any, at: int, length: int, new: Any) -> Any:
    """`whole` with a stretch of it replaced; `at` and `length` in thousandths of it and in units."""
    start = at * len(whole) // 1000
    return whole[:start] + new + whole[start + length :]


def damaged(wholes: st.SearchStrategy[Any], new: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Each text or each bytes of `wholes` with up to four stretches replaced."""
    cuts = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 40) | st.just(10**6), new), max_size=4)

    def damage(pair: tuple[Any, list[tuple[int, int, Any]]]) -> Any:
        whole, changes = pair
        for at, length, text in changes:
            whole = cut(whole, at, length, text)
        return whole

    return st.tuples(wholes, cuts).map(damage)


def test_notebooks_and_python_files() -> None:
    ours = nbformat.writes(notebook(load("rejection_rule"), "zh"))  # type: ignore[no-untyped-call]
    old = json.dumps({"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": filled()}]}]})
    texts = damaged(st.sampled_from([ours, old, filled()]), st.text(max_size=10) | WORDS)
    cells = st.lists(st.dictionaries(_NOTEBOOK_KEYS, JSON, max_size=5) | JSON, max_size=4)
    made = st.dictionaries(_NOTEBOOK_KEYS, cells | JSON, max_size=5).map(json.dumps)
    encoded = st.tuples(texts | made, ENCODINGS).map(lambda pair: pair[0].encode(pair[1], "replace"))
    fuzz(st.tuples(st.binary(max_size=300) | damaged(encoded, st.binary(max_size=4)), NAMES), targets.read_file)


_NOTEBOOK_KEYS = st.sampled_from(
    ["cells", "worksheets", "metadata", "nbformat", "source", "input", "cell_type", "outputs", "id", "kernelspec",
     "language", "course", "exercise", "attachments"]
)  # fmt: skip


def test_archives() -> None:
    member_names = st.sampled_from(["a.py", "b/c.ipynb", "../x", "/etc/x", "C:\\x", "d/", "é.py", "in.zip", "a" * 300])
    zeros, inner = st.sampled_from([1000, 100_000]).map(bytes), st.just(zipped([("x.py", b"1", 8, 0)]))
    content = st.binary(max_size=200) | zeros | inner
    kinds = st.sampled_from([0, 0o100644 << 16, 0o120777 << 16, 0o010644 << 16, 0o040755 << 16])
    several = st.lists(st.tuples(member_names, content, st.sampled_from([0, 8, 12, 14]), kinds), max_size=4)
    fuzz(st.tuples(damaged(several.map(zipped), st.binary(max_size=4))), targets.read_archive)


def zipped(listed: list[tuple[str, bytes, int, int]]) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")  # two members of one name
        for name, content, method, kind in listed:
            info = zipfile.ZipInfo(name)
            info.compress_type, info.external_attr = method, kind
            archive.writestr(info, content)
    return file.getvalue()


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.integers() | st.text(), inner),
    max_leaves=10,
)
_TAGS = st.sampled_from(
    "int float complex bytes array scalar opaque list tuple set frozenset dict floats".split()
)
_BODIES = st.sampled_from(
    ["<f8", "|b1", "|O", "0x1p0", "0x", "nan", "-0x0", "AAAAAAAA8D8=", "A", "AAAA", "list", "tuple", "", [0], [1 << 40]]
)
_TREES = st.recursive(
    JSON | _BODIES, lambda inner: st.dictionaries(_TAGS, inner | st.lists(inner, max_size=4), max_size=2), max_leaves=15
)


def test_values_of_replies() -> None:
    fuzz(st.tuples(_TREES | _VALUES.map(codec.encode)), targets.decode_value)


_ERRORS = st.fixed_dictionaries(
    {
        "class": st.sampled_from(["ValueError", "MemoryError", "Nonsense", 1]), "message": st.text(max_size=9) | JSON,
        "line": st.integers() | JSON, "refused": st.sampled_from(["", "EPERM", "thread", "x"]),
        "own_class": st.text(max_size=9) | JSON, "note": st.sampled_from(["", "nesting", "x"]),
    }
)  # fmt: skip
_MESSAGES = st.fixed_dictionaries(
    {"seq": st.sampled_from([1, 2, True, "1"])},
    optional={"value": _TREES, "changed": st.none() | st.lists(_TREES, max_size=3) | JSON, "error": _ERRORS | JSON},
)


def test_frames() -> None:
    bodies = st.binary(max_size=200) | damaged(_MESSAGES.map(lambda one: frames.pack(one)[4:]), st.binary(max_size=4))
    fuzz(st.tuples(bodies), targets.read_frame)


def test_the_reply_pipe() -> None:
    whole = _MESSAGES.map(frames.pack)
    several = st.lists(whole | st.binary(max_size=20), max_size=3).map(b"".join)
    fuzz(st.tuples(several | damaged(whole, st.binary(max_size=4))), targets.read_reply)


def test_answers() -> None:
    texts = damaged(st.sampled_from([filled(), STUB]), st.text(max_size=10) | WORDS) | st.lists(WORDS).map("".join)
    split = st.tuples(texts, st.integers(0, 999)).map(lambda pair: [pair[0][: pair[1]], pair[0][pair[1] :]])
    fuzz(st.tuples(st.lists(texts, max_size=3) | split), targets.align)


_LINES = st.sampled_from(
    ["if x:\n", "for v in values:\n", "def g(a):\n", "return x\n", "\t", "  ", "    ", "x = 1", ";", "\n", "# why\n",
     '"""', "'", "(", ")", "\\\n", "pass\n", "...", "try:\n", "else:\n", "f'''{x\n}'''", "class A: pass\n", "______\n",
     "result += v\n", "        ", "\f"]
)  # fmt: skip
_STATEMENTS = st.lists(_LINES, max_size=12).map("".join) | st.text(max_size=30)


def test_statements_in_blanks() -> None:
    """Stubs with blanks of statements, filled at random or damaged."""
    suites = st.sampled_from(targets.SUITES)
    some = st.lists(_STATEMENTS, min_size=2, max_size=2)
    filled_in = st.tuples(suites, some).map(lambda pair: (_filled(pair[0][0], pair[1]), pair[0]))
    hurt = suites.flatmap(lambda one: st.tuples(damaged(st.just(one[0]), _STATEMENTS), st.just(one)))
    fuzz((filled_in | hurt).map(lambda pair: ([pair[0]], pair[1])), targets.align)


def _filled(stub: str, texts: list[str]) -> str:
    first, *others = stub.split(BLANK)
    return first + "".join(text + after for text, after in zip(texts, others, strict=False))


def test_statements_as_they_are_typed() -> None:
    fuzz(st.tuples(_STATEMENTS), targets.fill)
