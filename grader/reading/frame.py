"""The exercise's stub, parsed: the functions with blanks, and what stands around them.

Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from grader.reading.needed import bound_names
from grader.reading.pairing import BLANK, Slot, position, slots
from grader.reading.parsing import Piece
from grader.reading.search import dump
from grader.reading.suites import essence, is_suite_blank, placed, splice


class Frame(NamedTuple):
    """A function of the stub with the blanks in it; `first` is the place of its first blank among all of them."""

    function: ast.FunctionDef
    slots: tuple[Slot, ...]
    first: int
    own_names: frozenset[str]  # what the stub binds at its top and in this function
    handed_out: str  # the function's dump with its start texts; "" where it has none

    @property
    def name(self) -> str:
        return self.function.name


class Stub(NamedTuple):
    source: str
    name: str  # of the exercise's own function
    tree: ast.Module
    blank_ids: tuple[str, ...]
    starts: tuple[tuple[str, ...], ...]  # the essence of each blank's start text, () where there is none
    frames: tuple[Frame, ...]  # the exercise's own function first

    @property
    def piece(self) -> Piece:
        return Piece(self.source, [(1, 0)], self.tree, None, frozenset(), frozenset())

    @property
    def defined(self) -> frozenset[str]:
        """The names of its functions and classes."""
        return frozenset(one.name for one in self.tree.body if isinstance(one, (ast.FunctionDef, ast.ClassDef)))


@lru_cache(maxsize=8)  # a process that is forked for an answer has the stub read already
def read_stub(source: str, name: str, blank_ids: tuple[str, ...], starts: tuple[str, ...]) -> Stub:
    """starts: the start text of each blank, "" where it has none; () where no blank has one."""
    tree = ast.parse(source)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    found = [tuple(slots(function)) for function in functions]
    count = sum(map(len, found))
    texts = starts or ("",) * count
    given = _handed_out(source, texts) if any(texts) else {}
    at_top = frozenset(one for statement in tree.body for one in bound_names(statement))
    frames, first = [], 0
    for function, own in zip(functions, found, strict=True):
        if own or function.name == name:
            names = at_top | _local_names(function)
            frames.append(Frame(function, own, first, names, given.get(function.name, "")))
        first += len(own)
    frames.sort(key=lambda frame: frame.name != name)
    ids = blank_ids or tuple(str(number + 1) for number in range(count))
    return Stub(source, name, tree, ids, tuple(essence(text) if text else () for text in texts), tuple(frames))


def _handed_out(source: str, starts: Sequence[str]) -> dict[str, str]:
    tree = ast.parse(splice(source, [text or BLANK for text in starts]))
    return {node.name: dump(node) for node in tree.body if isinstance(node, ast.FunctionDef)}


def _local_names(function: ast.FunctionDef) -> frozenset[str]:
    bound = {one for statement in function.body for one in bound_names(statement)}
    return frozenset(bound | {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)})


Edit = tuple[tuple[int, int], tuple[int, int], str]  # (line, column) where it starts and ends, and what comes there


def edited(source: str, edits: Sequence[Edit]) -> str:
    """The source with stretches of it replaced; they don't overlap."""
    lines = source.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    parts, at = [], 0
    for start, end, text in sorted(edits):
        parts += [source[at : starts[start[0] - 1] + start[1]], text]
        at = starts[end[0] - 1] + end[1]
    return "".join([*parts, source[at:]])


def filled_in(stub: Stub, slot: Slot, text: str) -> Edit:
    """A blank replaced by its text, which for a suite blank is dedented."""
    blank = slot.blank
    start = position(stub.source, blank.lineno, blank.col_offset)
    end = position(stub.source, blank.end_lineno, blank.end_col_offset)
    return start, end, placed(text, start[1]) if is_suite_blank(slot.statement) else text


def stopped(stub: Stub, frame: Frame, error: str, message: str) -> Edit:
    """The function's body replaced by an error: it is not there, and says so when it is called."""
    first, last = frame.function.body[0], frame.function.body[-1]
    start = position(stub.source, first.lineno, first.col_offset)
    end = position(stub.source, last.end_lineno, last.end_col_offset)
    return start, end, f"raise {error}({message!r})"


def replaced(stub: Stub, frame: Frame, text: str) -> Edit:
    """The whole function replaced."""
    function = frame.function
    line = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return (line, 0), position(stub.source, function.end_lineno, function.end_col_offset), text
