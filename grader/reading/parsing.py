"""Cells to syntax trees: notebook commands taken out, split cells joined, broken cells kept with their error.

Runs inside the isolated process, because parsing hostile text is hostile work. Standard library only.
"""
from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

Note = dict[str, Any]  # {"code": ..., slots ..., "place": [cell index, line]}; grader.reading.notes words it

MAX_COMMANDS = 200  # notebook commands taken out of one cell
MAX_JOINED = 4  # cells that one function may be split over
_UNWRAPPED = frozenset({"time", "timeit", "capture", "prun", "cache", "writefile", "file"})
_COMMAND = re.compile(r"\s*(?:[\w, .]+=\s*)?[%!]|\s*\?{1,2}\w|\s*[\w.]+\?{1,2}\s*(?:#.*)?$")
_ASSIGNED = re.compile(r"(\s*[\w, .]+=)\s*[%!]")


class Problem(NamedTuple):
    """Why a text doesn't parse; `line` counts from 1."""

    error_class: str
    message: str
    line: int


class Piece(NamedTuple):
    """Code that is parsed as one: a cell, or neighbouring cells joined. `tree` is None where it doesn't parse."""

    source: str
    cells: list[tuple[int, int]]  # (first line in the source, cell index)
    tree: ast.Module | None
    problem: Problem | None
    markers: frozenset[str]  # exercise ids in the cells' metadata
    ids: frozenset[str]
    notes: tuple[Note, ...] = ()

    def place(self, line: int) -> list[int]:
        """[cell index, line in that cell] of a line of the source."""
        first, index = [start for start in self.cells if start[0] <= max(line, 1)][-1]
        return [index, max(line, 1) - first + 1]

    def line(self, number: int) -> str:
        lines = self.source.split("\n")
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


@lru_cache(maxsize=64)
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """The tree's nodes as `ast.walk` gives them, kept, because one function is searched many times."""
    return tuple(ast.walk(tree))


def parse(source: str) -> tuple[ast.Module | None, Problem | None]:
    """The tree, or why there is none; deep nesting and null bytes are problems like any other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an odd escape in a string is no reason to stop
        try:
            return ast.parse(source), None
        except SyntaxError as error:
            return None, Problem(type(error).__name__, error.msg, error.lineno or 1)
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            return None, Problem(type(error).__name__, str(error) or "the code nests too deep", 1)


def pieces(cells: Sequence[Mapping[str, Any]]) -> list[Piece]:
    """Every code cell in order; those that only parse together are joined."""
    return _joined([_piece(cell) for cell in cells if cell["kind"] == "code"])


def _piece(cell: Mapping[str, Any]) -> Piece:
    notes: list[Note] = []
    written, index = _lines(cell["source"]), cell["index"]
    source = _clean(written)
    if "\0" in written:
        notes.append({"code": "nul_removed", "place": [index, 1]})
    tree, problem = parse(source)
    if tree is None:
        source, commands = without_commands(source)
        notes += [note | {"place": [index, note["place"]]} for note in commands]
        tree, problem = parse(source)
    marker, identity = cell.get("marker"), cell.get("id")
    named = frozenset([marker] if marker else []), frozenset([identity] if identity else [])
    return Piece(source, [(1, index)], tree, problem, *named, tuple(notes))


def _lines(source: str) -> str:
    """Every line end as a newline: Python counts a lone carriage return as one, and so must who looks lines up."""
    return source.replace("\r\n", "\n").replace("\r", "\n")


def _clean(source: str) -> str:
    """Without null bytes and byte order marks, which no Python program has; lone surrogates as U+FFFD."""
    return source.replace("\0", "").replace("\ufeff", "").encode("utf-8", "replace").decode("utf-8")


def without_commands(source: str) -> tuple[str, list[Note]]:
    """The source with notebook commands (%x, !x, x?) replaced so that lines keep their numbers, and notes on each.

    Only a line at which parsing stops is taken for a command: `% b` may continue an expression.
    """
    lines, notes = source.split("\n"), []
    head = _cell_command(lines)
    if head is not None:
        name = re.match(r"\s*%%(\w*)", lines[head])
        if name is None or name[1] not in _UNWRAPPED:
            return "", [{"code": "foreign_cell", "line": lines[head].strip(), "place": head + 1}]
        notes.append({"code": "magic", "line": lines[head].strip(), "place": head + 1})
        lines[head] = ""
    for _ in range(MAX_COMMANDS):
        _, problem = parse("\n".join(lines))
        if problem is None or not _COMMAND.match("".join(lines[problem.line - 1 : problem.line])):
            break
        notes.append(_take_out(lines, problem.line - 1))
    return "\n".join(lines), notes


def _cell_command(lines: list[str]) -> int | None:
    """The line of a `%%` command, which only blank and comment lines may precede."""
    for number, line in enumerate(lines):
        if line.lstrip().startswith("%%"):
            return number
        if line.strip() and not line.lstrip().startswith("#"):
            return None
    return None


def _take_out(lines: list[str], at: int) -> Note:
    line = lines[at]
    assigned = _ASSIGNED.match(line)
    indent = line[: len(line) - len(line.lstrip())]
    lines[at] = f"{assigned[1]} None" if assigned else f"{indent}pass"
    command = line[assigned.end() - 1 :] if assigned else line.strip()
    after, last = at + 1, line
    while last.rstrip().endswith("\\") and after < len(lines):  # the command goes on
        last, lines[after] = lines[after], ""
        after += 1
    return {"code": "shell" if command.startswith("!") else "magic", "line": command, "place": at + 1}


def _joined(single: list[Piece]) -> list[Piece]:
    found: list[Piece] = []
    while single:
        count = next((n for n in range(2, MAX_JOINED + 1) if _only_together(single[:n], n)), 1)
        found.append(single[0] if count == 1 else _join(single[:count]))
        single = single[count:]
    return found


def _only_together(parts: list[Piece], count: int) -> bool:
    """Whether `parts` are one function split over cells: broken apart, whole when joined."""
    if len(parts) < count or all(part.tree for part in parts) or "def " not in parts[0].source:
        return False
    if parts[0].tree is not None and not re.match(r"(?:\s*(?:#.*)?\n)*[ \t]+\S", parts[1].source):
        return False
    return parse("\n".join(part.source for part in parts))[0] is not None


def _join(parts: list[Piece]) -> Piece:
    source = "\n".join(part.source for part in parts)
    cells, first = [], 1
    for part in parts:
        cells.append((first, part.cells[0][1]))
        first += part.source.count("\n") + 1
    notes = [note for part in parts for note in part.notes]
    notes.append({"code": "split", "place": [cells[0][1], 1]})
    tree, problem = parse(source)
    markers = frozenset().union(*(part.markers for part in parts))
    ids = frozenset().union(*(part.ids for part in parts))
    return Piece(source, cells, tree, problem, markers, ids, tuple(notes))
