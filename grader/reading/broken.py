"""An answer whose cell doesn't parse: what can be judged all the same, or which line stops it.

Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import ast
import re

from grader.reading import names
from grader.reading.filling import Part, judged
from grader.reading.frame import Frame, Stub, edited, filled_in
from grader.reading.needed import free_names
from grader.reading.pairing import BLANK
from grader.reading.parsing import Piece, Problem, nodes, parse
from grader.reading.salvage import salvage
from grader.reading.search import choose
from grader.reading.suites import essence, is_suite_blank, width

_HOLLOW = re.compile(r"expected an indented block after .* on line (\d+)")
_MOST = 20  # empty bodies filled before giving up


def from_broken(stub: Stub, frame: Frame, piece: Piece) -> Part:
    """The part that can be had from a piece that doesn't parse."""
    assert piece.problem is not None
    problem = piece.problem
    conflict = next((n for n, line in enumerate(piece.source.split("\n"), 1) if line.startswith("<<<<<<<")), 0)
    if conflict and "\n=======" in piece.source:
        reason = {"code": "conflict", "place": piece.place(conflict)}
        return Part("unreadable", frame, reason=reason, broken=piece)
    return _left_empty(stub, frame, piece) or _salvaged(stub, frame, piece, problem) or _error(frame, piece, problem)


def _left_empty(stub: Stub, frame: Frame, piece: Piece) -> Part | None:
    """Where the only fault is that nothing, or only a comment, stands in a blank: the blank is open."""
    if not any(is_suite_blank(slot.statement) for slot in frame.slots):
        return None
    source = _with_blanks(piece.source)
    candidate, _ = choose([piece._replace(source=source, tree=parse(source)[0], problem=None)], frame.name)
    if candidate is None:
        return None
    part = judged(stub, frame, candidate)
    return part._replace(candidate=None, broken=piece) if part.status == "missing" else None


def _with_blanks(source: str) -> str:
    """The source with a blank in each body that has no statement; a comment there gives its line."""
    for _ in range(_MOST):
        _, problem = parse(source)
        found = _HOLLOW.match(problem.message) if problem is not None else None
        if found is None:
            break
        source = _with_blank(source.split("\n"), int(found[1]))
    return source


def _with_blank(lines: list[str], header: int) -> str:
    """A blank below the statement that begins on line `header`: it ends at the first line that ends with a colon."""
    end = next((at for at in range(header - 1, len(lines)) if _bare(lines[at]).endswith(":")), header - 1)
    taken = end + 1 < len(lines) and not _bare(lines[end + 1])
    lines[end + 1 : end + 1 + taken] = [" " * (width(lines[header - 1]) + 4) + BLANK]
    return "\n".join(lines)


def _bare(line: str) -> str:
    return line.partition("#")[0].strip()


def _salvaged(stub: Stub, frame: Frame, piece: Piece, problem: Problem) -> Part | None:
    texts = salvage(stub, frame, piece.source)
    if texts is None:
        return None
    place = piece.place(problem.line)
    starts = stub.starts[frame.first :]
    empty = [at for at, text in enumerate(texts) if names.is_open(text) or essence(text) == starts[at]]
    if empty:
        numbers = [frame.first + at for at in empty]
        reason = {"code": "unfilled", "blank": [number + 1 for number in numbers], "place": place}
        return Part("missing", frame, reason=reason, open=tuple(numbers), broken=piece)
    program = edited(stub.source, [filled_in(stub, slot, text) for slot, text in zip(frame.slots, texts, strict=True)])
    used = {node.id for text in texts for node in _nodes(text) if isinstance(node, ast.Name)}
    note = {"code": "syntax_outside", "message": problem.message, "place": place}
    needed = frozenset(free_names(program) & used) - frame.own_names
    return Part("ok", frame, None, tuple(texts), needed=needed, notes=(note,), place=place, broken=piece)


def _nodes(text: str) -> tuple[ast.AST, ...]:
    """Of the text of a blank, an expression or statements."""
    tree = parse(f"({text}\n)")[0] or parse(text)[0]
    return nodes(tree) if tree is not None else ()


def _error(frame: Frame, piece: Piece, problem: Problem) -> Part:
    place, line = piece.place(problem.line), piece.line(problem.line)
    error = {
        "class": problem.error_class, "message": problem.message, "line": place[1], "text": line[:500], "cell": place[0]
    }  # fmt: skip
    reason = {"code": "syntax", "message": problem.message, "line": line[:500], "place": place}
    numbers = tuple(range(frame.first, frame.first + len(frame.slots)))
    odd = tuple(names.odd_characters(line, place))
    return Part("error", frame, reason=reason, error=error, place=place, notes=odd, open=numbers, broken=piece)
