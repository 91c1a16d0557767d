"""The finder inside the isolated process, and its sentences outside."""
from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.language import words
from grader.reading.inside import FIND_ANSWER, modules
from grader.reading.notes import SHOWN, TEXTS, note, shorten
from grader.sandbox import Worker, detect
from tests.grader.reading.cases import STUB, cell, filled, find

FOLDER = Path(TEXTS).parent


@pytest.mark.parametrize("name", list(modules()))
def test_what_is_sent_inside_imports_only_the_standard_library_and_what_was_sent_before(name: str) -> None:
    before = list(modules())[: list(modules()).index(name)]
    for node in ast.walk(ast.parse(modules()[name])):
        imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            imported = full if all(one in before for one in full) else [node.module or ""]
        for module in imported:
            assert module in before or module.split(".")[0] in sys.stdlib_module_names, f"{name} imports {module}"


def test_it_says_the_same_in_the_isolated_process() -> None:
    for source in (filled(), STUB, "x = (", filled("min(“1”)"), "(" * 9999):
        with Worker(detect()) as worker:
            outcome = worker.trusted(modules(), FIND_ANSWER, STUB, "rejection_rule", [cell(source)], ["a", "b"])
            expected = find(source)
            assert outcome.status == "ok", outcome
            assert isinstance(outcome.value, dict)
            got: dict[str, Any] = outcome.value
            assert {key: got[key] for key in ("status", "source", "notes", "reason", "error")} == {
                key: expected[key] for key in ("status", "source", "notes", "reason", "error")
            }
            assert list(got["blanks"].values()) == list(expected["blanks"].values())


def test_every_code_and_key_in_the_sources_has_a_sentence_and_every_sentence_a_use() -> None:
    keys = set(words(TEXTS, "en").keys())
    source = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.py"))
    used = {f"answer.{code}" for code in re.findall(r'"code": "(\w+)"', source)}
    chosen = r'"(unfilled_copy|duplicate|shell|magic|in_markdown|commented_out)"'
    used |= {f"answer.{code}" for code in re.findall(chosen, source)}
    used |= {f"answer.found_{rule}" for rule in ("marker", "metadata", "id", "name", "position")}
    used |= {f"unreadable.{key}" for key in re.findall(r'unreadable\(\s*"(\w+)"', source)}
    used |= set(re.findall(r'text\("([\w.]+)"', source))
    assert used == keys


def test_a_note_names_the_cell_and_line_as_people_count() -> None:
    sentence = note({"code": "shell", "line": "!ls", "place": [2, 5]})
    assert sentence.en == "A shell command was not run: !ls (cell 3, line 5)"
    assert sentence.zh == "没有运行一条 shell 命令：!ls（第 3 个单元格，第 5 行）"


def test_student_text_in_a_sentence_is_one_short_printable_line() -> None:
    assert shorten("a\n\x1b[31m\ud800{x}") == "a\\n\\x1b[31m\\ud800{x}"
    assert len(shorten("x" * 999)) == SHOWN
    assert "{x}" in note({"code": "magic", "line": "%run {x}"}).en
