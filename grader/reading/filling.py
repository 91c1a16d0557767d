"""One function of the stub against a definition of the student's: the texts of its blanks, or why there are none.

Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import ast
import tokenize
from collections.abc import Sequence
from typing import Any, NamedTuple

from grader.reading import names
from grader.reading.bodies import Filling, overlay
from grader.reading.frame import Frame, Stub, edited, filled_in
from grader.reading.needed import bound_names, free_names, segment
from grader.reading.pairing import (
    Span,
    Token,
    changes,
    is_blank,
    logical_lines,
    pair,
    position,
    renamed,
    span,
    tokens,
)
from grader.reading.parsing import Note, Piece, nodes, parse
from grader.reading.search import Candidate
from grader.reading.suites import essence, is_suite_blank, lifted, width

Content = ast.expr | Filling | None  # of a blank: an expression, statements, or not certain


class Part(NamedTuple):
    """What became of one function of the stub.

    status: "ok" with `texts` (a text for each blank) or with `own` (the whole definition as written); "missing",
    "error" or "unreadable" with `reason`.
    needed: the names that the texts need from outside. changed: notes on locked lines.
    open: the places of its open blanks among all of the stub's.
    """

    status: str
    frame: Frame
    candidate: Candidate | None = None
    texts: tuple[str, ...] = ()
    own: str = ""
    needed: frozenset[str] = frozenset()
    changed: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()
    reason: Note | None = None
    error: dict[str, Any] | None = None
    open: tuple[int, ...] = ()
    place: list[int] | None = None
    broken: Piece | None = None  # the piece that doesn't parse, from which this was read


def judged(stub: Stub, frame: Frame, candidate: Candidate) -> Part:
    """A definition that parses."""
    function = candidate.node
    if not isinstance(function, ast.FunctionDef):
        return as_written(frame, candidate)
    found = _contents(frame, function)
    unfilled = _unfilled(stub, frame, candidate, function, found)
    if unfilled:
        return _missing(frame, candidate, unfilled)
    if not all(_parts(content) for content in found):  # the student went another way
        return as_written(frame, candidate, {"code": "as_written"})
    filled = [content for content in found if content is not None]
    own = _own_names(frame, function, filled)
    if own:
        return as_written(frame, candidate, {"code": "own_names", "names": own})
    try:
        part = _with_blanks(stub, frame, candidate, function, filled)
    except (tokenize.TokenError, SyntaxError):  # the tokenizer in Python is stricter than the parser
        return as_written(frame, candidate, {"code": "as_written"})
    return part or as_written(frame, candidate, {"code": "as_written"})


def as_written(frame: Frame, candidate: Candidate, *notes: Note) -> Part:
    """The student's own definition, under the name that the stub gives it."""
    own = segment(candidate.piece.source, candidate.node)
    if candidate.name != frame.name:
        own += f"\n\n\n{frame.name} = {candidate.name}"
    return Part("ok", frame, candidate, own=own, notes=notes, needed=frozenset(free_names(own)))


def _contents(frame: Frame, function: ast.FunctionDef) -> list[Content]:
    laid = overlay(frame.function, function)
    inside = {id(node) for filling in laid.fillings.values() for one in filling.statements for node in ast.walk(one)}
    return [
        laid.fillings.get(id(slot.statement))
        if is_suite_blank(slot.statement)
        else pair(slot, function, laid.statements.get(id(slot.statement)), inside)
        for slot in frame.slots
    ]


def _parts(content: Content) -> tuple[ast.AST, ...]:
    if content is None:
        return ()
    return tuple(content.statements) if isinstance(content, Filling) else (content,)


def _unfilled(
    stub: Stub, frame: Frame, candidate: Candidate, function: ast.FunctionDef, found: Sequence[Content]
) -> list[tuple[int, int]]:
    """(place of the blank in the function, line in the student's source) of each blank that was left open."""
    open_lines = sorted(node.lineno for node in nodes(function) if is_blank(node) and isinstance(node, ast.Name))
    if candidate.only_placeholders:
        return [(index, function.lineno) for index in range(len(frame.slots))]
    result = []
    for index, content in enumerate(found):
        start = stub.starts[frame.first + index]
        line = _open_line(content, function) or _untouched_line(content, start, candidate.piece.source)
        if line:
            result.append((index, line))
    if open_lines and not result:
        result = [(min(number, len(frame.slots) - 1), line) for number, line in enumerate(open_lines)]
    return result or _replaced_by_placeholder(frame, function, found)


def _open_line(content: Content, function: ast.FunctionDef) -> int:
    """The line of a blank that holds nothing, or a placeholder; 0 for any other."""
    if isinstance(content, Filling):
        if not content.statements:
            return function.lineno if content.framed else 0
        opened = all(map(names.is_placeholder, content.statements)) or _holds_blank(content)
        return content.statements[0].lineno if opened else 0
    if content is None:
        return 0
    ellipsis = isinstance(content, ast.Constant) and content.value is ...
    return content.lineno if ellipsis or _holds_blank(content) else 0


def _untouched_line(content: Content, start: tuple[str, ...], source: str) -> int:
    """The line of a blank that still holds its start text; 0 for any other."""
    if not start or not _parts(content):
        return 0
    if isinstance(content, Filling):
        text = _suite_text(source, _suite_span(source, content.statements))
        return content.statements[0].lineno if essence(text) == start else 0
    return content.lineno if content is not None and essence(segment(source, content)) == start else 0


def _holds_blank(content: Content) -> bool:
    return any(is_blank(node) for one in _parts(content) for node in ast.walk(one))


def _replaced_by_placeholder(
    frame: Frame, function: ast.FunctionDef, found: Sequence[Content]
) -> list[tuple[int, int]]:
    """Blanks whose whole statement became `pass`, `...` or `raise NotImplementedError`, or was deleted."""
    stored = {node.id for node in nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    statements = (node for node in nodes(function) if isinstance(node, ast.stmt))
    placeholder = next((node.lineno for node in statements if names.is_placeholder(node)), None)
    read = {node.id for node in nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    result = []
    for index, (slot, content) in enumerate(zip(frame.slots, found, strict=True)):
        targets = set(bound_names(slot.statement))
        if content is None and targets and not targets & stored and (placeholder is not None or targets & read):
            result.append((index, placeholder or function.lineno))
    return result


def _missing(frame: Frame, candidate: Candidate, unfilled: Sequence[tuple[int, int]]) -> Part:
    place = candidate.piece.place(unfilled[0][1])
    numbers = [frame.first + index for index, _ in unfilled]
    reason = {"code": "unfilled", "blank": [number + 1 for number in numbers], "place": place}
    return Part("missing", frame, candidate, reason=reason, open=tuple(numbers))


def _own_names(frame: Frame, function: ast.FunctionDef, filled: Sequence[Content]) -> list[str]:
    """Names in the blanks that only the student's own function binds, such as renamed loop variables."""
    used = _used_names(filled)
    inside = {name for content in filled for name in _bound_inside(content)}
    local = {name for node in nodes(function) for name in names.bound_locally(node)}
    return sorted((used & local) - inside - frame.own_names - names.comprehension_targets(frame.function))


def _used_names(filled: Sequence[Content]) -> set[str]:
    every = (node for content in filled for one in _parts(content) for node in ast.walk(one))
    return {node.id for node in every if isinstance(node, ast.Name)}


def _bound_inside(content: Content) -> set[str]:
    """What statements bind stays bound in the function; an expression binds for itself."""
    binding = names.bound_locally if isinstance(content, Filling) else names.bound_by_expression
    return {name for one in _parts(content) for node in ast.walk(one) for name in binding(node)}


def _with_blanks(
    stub: Stub, frame: Frame, candidate: Candidate, function: ast.FunctionDef, filled: Sequence[Content]
) -> Part | None:
    """None where the texts make no program in the stub's place."""
    source = candidate.piece.source
    student_tokens, stub_tokens = tokens(source), tokens(stub.source)
    in_stub = [span(stub.source, slot.blank, stub_tokens) for slot in frame.slots]
    in_student = [
        _suite_span(source, content.statements)
        if isinstance(content, Filling)
        else span(source, content, student_tokens, own.parentheses)
        for content, own in zip(filled, in_stub, strict=True)
        if content is not None
    ]
    texts = tuple(
        _suite_text(source, one) if isinstance(content, Filling) else one.text(source)
        for content, one in zip(filled, in_student, strict=True)
    )
    program = edited(stub.source, [filled_in(stub, slot, text) for slot, text in zip(frame.slots, texts, strict=True)])
    if not _holds(program, filled, texts):
        return None
    changed = _changed(stub, frame, candidate, function, (stub_tokens, in_stub), (student_tokens, in_student))
    needed = frozenset(free_names(program) & _used_names(filled)) - frame.own_names
    also = names.lookalikes(needed, frame.own_names, candidate.piece, function)
    return Part("ok", frame, candidate, texts, needed=needed, changed=tuple(changed), notes=(*changed, *also))


def _holds(program: str, filled: Sequence[Content], texts: Sequence[str]) -> bool:
    """Whether the program parses and the texts of statements still are those statements."""
    suites = [(content, text) for content, text in zip(filled, texts, strict=True) if isinstance(content, Filling)]
    same = all(list(map(ast.dump, content.statements)) == _structure(text) for content, text in suites)
    return same and parse(program)[0] is not None


def _structure(text: str) -> list[str]:
    tree, _ = parse(text)
    return [] if tree is None else list(map(ast.dump, tree.body))


def _suite_span(source: str, statements: Sequence[ast.stmt]) -> Span:
    first, last = statements[0], statements[-1]
    start = position(source, first.lineno, first.col_offset)
    decorated = min((one.lineno for one in getattr(first, "decorator_list", [])), default=first.lineno)
    return Span((decorated, start[1]), position(source, last.end_lineno, last.end_col_offset), 0, suite=True)


def _suite_text(source: str, stretch: Span) -> str:
    """The statements' own text, dedented, with a comment beside the last one."""
    lines = source.split("\n")
    beside = lines[stretch.end[0] - 1][stretch.end[1] :]
    text = stretch.text(source) + (beside if beside.lstrip().startswith("#") else "")
    return lifted(text, width(lines[stretch.start[0] - 1]))


def _changed(
    stub: Stub,
    frame: Frame,
    candidate: Candidate,
    function: ast.FunctionDef,
    given: tuple[Sequence[Token], Sequence[Span]],
    own: tuple[Sequence[Token], Sequence[Span]],
) -> list[Note]:
    """Notes on the locked lines that differ."""
    found = changes(
        logical_lines(stub.source, frame.function, *given),
        logical_lines(candidate.piece.source, function, renamed(own[0], candidate.name, frame.name), own[1]),
    )
    for change in found:
        change["place"] = candidate.piece.place(change.pop("at", function.lineno))
    return found
