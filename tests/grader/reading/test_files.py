"""Notebooks of every version and editor, Python files, and what only pretends to be one."""
from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.reading import outputs
from grader.reading.files import Cell, Submission, Unreadable, combine, read_submission
from tests.grader.reading.cases import code, notebook


def read(data: bytes, name: str = "hw.ipynb") -> Submission:
    return read_submission(data, name)


def sources(submission: Submission) -> list[tuple[str, str]]:
    return [(cell.kind, cell.source) for cell in submission.cells]


def test_cells_keep_source_kind_id_marker_and_order() -> None:
    answer = code("a = 1\n", "b = 2", id="answer-x", metadata={"course": {"exercise": "x"}})
    submission = read(notebook({"cell_type": "markdown", "source": "# hi", "metadata": {}}, answer))
    assert submission.cells == (
        Cell("# hi", "markdown", None, None, 0),
        Cell("a = 1\nb = 2", "code", "x", "answer-x", 1),
    )


def test_old_formats_are_read() -> None:
    cells = [{"cell_type": "heading", "source": "H", "level": 1}, {"cell_type": "code", "input": ["x = 1\n", "y"]}]
    for version in (2, 3):
        data = {"nbformat": version, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
        submission = read(json.dumps(data).encode())
        assert sources(submission) == [("markdown", "H"), ("code", "x = 1\ny")]
        assert f"old format {version}" in submission.notes[0].en


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        [],
        {"kernelspec": None},
        {"kernelspec": {"name": "python388jvsc74a57bd0" + "f" * 64, "display_name": "Python 3.8.8"}},
        {"colab": {"provenance": []}, "accelerator": "GPU"},
    ],
)
def test_notebook_metadata_never_matters(metadata: Any) -> None:
    assert sources(read(notebook(code("x"), metadata=metadata))) == [("code", "x")]


def test_another_language_is_noted_and_read_all_the_same() -> None:
    submission = read(notebook(code("x"), metadata={"kernelspec": {"language": "R"}}))
    assert "language is R" in submission.notes[0].en and sources(submission) == [("code", "x")]


def test_damaged_cells_don_t_hide_the_others() -> None:
    data = notebook(code("x"), cells=[None, 3, {}, {"cell_type": "code"}, {"source": 5, "metadata": []}, code("x")])
    assert sources(read(data)) == [("raw", ""), ("code", ""), ("raw", ""), ("code", "x")]


def test_control_characters_and_lone_surrogates_are_read() -> None:
    data = notebook(code("s = '\\u0007'", "\ud800")).replace(b"\\\\u0007", b"\x07")
    submission = read(data)
    assert sources(submission) == [("code", "s = '\x07'\ufffd")]
    assert "replaced" in submission.notes[0].en


def test_windows_line_ends_inside_cells() -> None:
    assert sources(read(notebook(code("a\r\n", "b\r", "c")))) == [("code", "a\nb\nc")]


def test_outputs_are_dropped_before_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.reading.files.MAX_SOURCE", 2000)
    noise = [{"output_type": "stream", "text": ['{"]}[" \\ "'] * 500}]
    assert sources(read(notebook(code("x", outputs=noise), code("y", outputs=noise)))) == [("code", "x"), ("code", "y")]


def test_lines_keep_their_numbers_without_the_outputs() -> None:
    source = '{"cells": [{"outputs": [\n1,\n2\n],\n"source": [}'
    assert outputs.without_outputs(source + "]}]}").count("\n") == 4
    with pytest.raises(Unreadable, match="line 5, column 12"):
        read((source + "]}]}").encode())


def test_a_source_without_outputs_may_not_be_huge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.reading.files.MAX_SOURCE", 2 << 20)
    for data, name in ((notebook(code("x" * (3 << 20))), "a.ipynb"), (b"x" * (3 << 20), "a.py")):
        with pytest.raises(Unreadable, match="3 MiB"):
            read(data, name)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (notebook(code("x = 1"))[:-9], r"cut off.*|ends in the middle.*line 14"),
        (b'{"cells": [{"source": "x = ', "ends in the middle of a value, at line 1, byte 27"),
        (b'{"cells": [],\n "x": }', "line 2, column 7"),
        (b"[1, 2]", "JSON, but not a notebook"),
        (b'{"a": 1}', "no cells"),
        (b'{"cells": "none"}', "no cells"),
        (b"[" * 5000 + b"]" * 5000, "nest deeper than 100"),
        (b'{"cells": 1} trailing', "line 1, column 14"),
    ],
)
def test_broken_notebooks_say_where(data: bytes, where: str) -> None:
    with pytest.raises(Unreadable, match=where):
        read(data)


def test_too_many_parts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "MAX_TOKENS", 1000)
    with pytest.raises(Unreadable, match="more than 1000"):
        read(b'{"cells": [' + b"[]," * 2000 + b"1]}")


def test_long_numbers_cost_nothing() -> None:
    assert sources(read(notebook(code("x")).replace(b'"nbformat": 4', b'"nbformat": ' + b"9" * 100_000)))


CONFLICT = "a = 1\n<<<<<<< HEAD\nb = 2\n=======\nb = 3\n>>>>>>> theirs\n"


def test_git_conflicts_are_named_with_their_line() -> None:
    with pytest.raises(Unreadable, match="git conflict begins at line 2"):
        read(CONFLICT.encode(), "hw.py")
    lines = notebook(code("x")).decode().split("\n")
    lines[3:4] = ["<<<<<<< HEAD", lines[3], "=======", lines[3], ">>>>>>> x"]
    with pytest.raises(Unreadable, match="git conflict begins at line 4"):
        read("\n".join(lines).encode())


def test_underlined_text_is_no_conflict() -> None:
    assert read(b'"""Title\n=======\n>>>>>>> x\n"""\n', "hw.py").cells[0].kind == "code"


@pytest.mark.parametrize("name", ["hw.ipynb", "hw.ipynb.txt", "hw.json", "hw.txt", "hw.py", "hw"])
def test_a_notebook_is_known_by_its_content(name: str) -> None:
    assert sources(read(notebook(code("x")), name)) == [("code", "x")]


@pytest.mark.parametrize("name", ["hw.py", "hw.txt", "hw.ipynb"])
def test_python_is_one_cell_whatever_the_name(name: str) -> None:
    assert sources(read(b"def f():\n    return {}\n", name)) == [("code", "def f():\n    return {}\n")]


def test_a_python_file_may_begin_with_a_brace() -> None:
    assert sources(read(b"{'a': 1}\n", "hw.py")) == [("code", "{'a': 1}\n")]


def test_several_files_become_one_with_running_numbers() -> None:
    both = combine([read(notebook(code("a"), code("b"))), read(b"c", "c.py")])
    assert [(cell.source, cell.index) for cell in both.cells] == [("a", 0), ("b", 1), ("c", 2)]


KEYS = [
    "cells", "source", "input", "outputs", "metadata", "cell_type", "worksheets", "course", "exercise", "id", "nbformat"
]  # fmt: skip
GOOD = notebook(code("def f(x):\n", "    return x\n", outputs=[{"text": ["1"]}]), code("f(1)"))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=20,
)


@given(st.binary(max_size=200), st.sampled_from(["a.ipynb", "a.py", "a"]))
@example(b'{"cells":[{"cell_type":["code"],"metadata":{"course":{"exercise":{}}}}]}', "a.ipynb")
@example(b"\xff\xfe{\x00", "a.ipynb")
def test_random_bytes_raise_nothing_but_unreadable(data: bytes, name: str) -> None:
    check(data, name)


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=8), st.integers(0, len(GOOD)))
def test_mutated_notebooks_raise_nothing_but_unreadable(changes: list[tuple[int, int]], end: int) -> None:
    data = bytearray(GOOD)
    for at, byte in changes:
        data[at] = byte
    check(bytes(data[: end or None]), "a.ipynb")


@given(json_values)
def test_any_json_raises_nothing_but_unreadable(value: Any) -> None:
    check(json.dumps(value).encode(), "a.ipynb")


def check(data: bytes, name: str) -> None:
    try:
        submission = read_submission(data, name)
    except Unreadable as problem:
        assert problem.reason.en and problem.reason.zh
        return
    assert submission.cells and [cell.index for cell in submission.cells] == list(range(len(submission.cells)))
    for one in submission.cells:
        assert isinstance(one.source, str) and one.source.encode() is not None
    assert all(note.en and note.zh for note in submission.notes)
