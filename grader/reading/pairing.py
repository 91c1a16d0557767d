"""Pairs a student's function with the stub: what stands in each blank, and which locked lines were changed.

Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import ast
import io
import keyword
import tokenize
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from grader.reading.parsing import nodes

BLANK = "______"
_BODIES = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})
_FREE = frozenset({"ctx", "type_comment", "kind", "type_ignores"})
_LAYOUT = frozenset({tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})


def is_blank(node: ast.AST | None) -> bool:
    """Whether the node is a blank, its underscores perhaps miscounted."""
    return isinstance(node, ast.Name) and len(node.id) >= 3 and not node.id.strip("_")


class Step(NamedTuple):
    """From a node to its child: the node's type, the field, and the place in it where the field is a list."""

    kind: type[ast.AST]
    name: str
    at: int | None


class Slot(NamedTuple):
    """A blank of the stub: the statement that holds it and the way there."""

    blank: ast.expr
    statement: ast.stmt  # of a suite blank: itself
    nesting: tuple[Step, ...]  # from the function to the statement
    path: tuple[Step, ...]  # from the statement to the blank
    function: ast.FunctionDef  # the stub's, that holds all of it


def slots(function: ast.FunctionDef) -> list[Slot]:
    """The blanks of the stub's function in the order of its text."""
    return sorted(_slots(function, function, (), ()), key=lambda slot: (slot.blank.lineno, slot.blank.col_offset))


def _slots(
    function: ast.FunctionDef, node: ast.AST, trail: tuple[Step, ...], parents: tuple[ast.AST, ...]
) -> Iterator[Slot]:
    if is_blank(node) and isinstance(node, ast.expr):
        at = max(number for number, parent in enumerate(parents) if isinstance(parent, ast.stmt))
        statement = parents[at]
        assert isinstance(statement, ast.stmt)
        yield Slot(node, statement, trail[:at], trail[at:], function)
    for name, value in ast.iter_fields(node):
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                yield from _slots(function, child, (*trail, Step(type(node), name, index)), (*parents, node))


def pair(
    slot: Slot, function: ast.FunctionDef, aligned: ast.stmt | None = None, inside: Collection[int] = ()
) -> ast.expr | None:
    """What the student's function has in the blank's place; None where that is not certain.

    aligned: the student's statement for the blank's, as far as an overlay of both functions found one.
    inside: the id() of every node in the student's suite blanks, where no given statement is looked for.
    """
    alike = [node for node in _statements(function) if type(node) is type(slot.statement) and id(node) not in inside]
    exact = [node for node in alike if same(slot.statement, node, outermost=True)]
    close = exact or [node for node in alike if _same_place(slot, node, function) or node is aligned]
    if len(close) > 1 and any(node is aligned for node in close):
        close = [node for node in close if node is aligned]
    found = [_follow(slot.path, node) for node in close]
    return found[0] if len(found) == 1 and not _bound_again(slot, function, inside) else None


def _statements(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    return (node for node in nodes(function) if isinstance(node, ast.stmt) and node is not function)


def same(template: Any, node: Any, outermost: bool = False) -> bool:
    """Structurally equal, where a blank equals any expression; of an outermost compound statement only its head."""
    if isinstance(template, ast.AST):
        if is_blank(template):
            return isinstance(node, ast.expr)
        skipped = _FREE | _BODIES if outermost and isinstance(template, ast.stmt) else _FREE
        return type(template) is type(node) and all(
            same(value, getattr(node, name, None)) for name, value in ast.iter_fields(template) if name not in skipped
        )
    if isinstance(template, list):
        return isinstance(node, list) and len(template) == len(node) and all(map(same, template, node))
    return type(template) is type(node) and bool(template == node)


def _same_place(slot: Slot, node: ast.stmt, function: ast.FunctionDef) -> bool:
    """The same target, or where there is none the same place, with an expression where the blank is."""
    given = targets(slot.statement)
    if given:
        fits = len(given) == len(targets(node)) and all(map(same, given, targets(node)))
    else:
        fits = _follow(slot.nesting, function) is node
    return fits and isinstance(_follow(slot.path, node), ast.expr)


def targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    target = getattr(statement, "target", None)
    return [target] if isinstance(target, ast.expr) else []


def _follow(path: Sequence[Step], node: Any) -> Any:
    for step in path:
        if type(node) is not step.kind:
            return None
        node = getattr(node, step.name)
        if step.at is not None:
            node = node[step.at] if step.at < len(node) else None
    return node


def _bound_again(slot: Slot, function: ast.FunctionDef, inside: Collection[int]) -> bool:
    """Whether the student gives the blank's target more values than the stub does: the blank is not all of it then."""
    names = {node.id for target in targets(slot.statement) for node in ast.walk(target) if isinstance(node, ast.Name)}
    return _stored(function, names, inside) > max(len(names), _stored(slot.function, names, ()))


def _stored(function: ast.FunctionDef, names: Collection[str], inside: Collection[int]) -> int:
    stored = (node for node in nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return sum(node.id in names and id(node) not in inside for node in stored)


class Token(NamedTuple):
    kind: int
    text: str
    start: tuple[int, int]
    end: tuple[int, int]
    depth: int  # of indentation


@lru_cache(maxsize=8)
def tokens(source: str) -> tuple[Token, ...]:
    """The tokens of a source that parses."""
    found, depth = [], 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        depth += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        found.append(Token(token.type, token.string, token.start, token.end, depth))
    return tuple(found)


def renamed(all_tokens: Sequence[Token], name: str, wanted: str) -> list[Token]:
    """The tokens with one name for another: what a function is called is told apart from what its lines say."""
    return [token._replace(text=wanted) if token.text == name else token for token in all_tokens]


class Span(NamedTuple):
    """A stretch of a source: (line, column) of its start and end, and the parentheses that stand around it."""

    start: tuple[int, int]
    end: tuple[int, int]
    parentheses: int
    suite: bool = False

    def text(self, source: str) -> str:
        lines = source.split("\n")[self.start[0] - 1 : self.end[0]]
        lines[-1] = lines[-1][: self.end[1]]
        lines[0] = lines[0][self.start[1] :]
        return "\n".join(lines)


def span(source: str, node: ast.expr, all_tokens: Sequence[Token], spare: int = 0) -> Span:
    """Where an expression stands, its own parentheses included, but for `spare` pairs that belong to the stub."""
    start = position(source, node.lineno, node.col_offset)
    end = position(source, node.end_lineno, node.end_col_offset)
    significant = [token for token in all_tokens if token.kind not in _LAYOUT]
    first = next((at for at, token in enumerate(significant) if token.start == start), 0)
    last = next((at for at, token in enumerate(significant) if token.end == end), len(significant))
    pairs = [Span(start, end, 0)]
    while 0 < first and last + 1 < len(significant) and _encloses(significant, first - 1, last + 1):
        first, last = first - 1, last + 1
        pairs.append(Span(significant[first].start, significant[last].end, len(pairs)))
    return pairs[max(0, len(pairs) - 1 - spare)]._replace(parentheses=len(pairs) - 1)


def _encloses(significant: Sequence[Token], left: int, right: int) -> bool:
    """Whether these two are a pair of grouping parentheses, not those of a call."""
    if significant[left].text != "(" or significant[right].text != ")":
        return False
    before = significant[left - 1] if left else None
    called = before is not None and (before.text in (")", "]", "}") or before.kind in (tokenize.NAME, tokenize.STRING))
    return not called or (before is not None and keyword.iskeyword(before.text))


def position(source: str, line: int | None, offset: int | None) -> tuple[int, int]:
    """(line, column) in characters of a place that the tree gives in UTF-8 bytes."""
    text = source.split("\n")[(line or 1) - 1]
    return line or 1, len(text.encode()[: offset or 0].decode(errors="ignore"))


class Line(NamedTuple):
    """A logical line: what counts of it (indentation and tokens), its number, and the written line of each token."""

    content: tuple[int, tuple[str, ...]]
    number: int
    written: tuple[str, ...]


def logical_lines(
    source: str, node: ast.stmt, all_tokens: Sequence[Token], blanks: Sequence[Span]
) -> list[Line]:
    """The lines of a function, or of another statement, without comments, white space and docstring, with a blank for
    each of `blanks`."""
    docstring = None
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, clean=False) is not None:
        docstring = node.body[0]
    suites = {one.start for one in blanks if one.suite}
    found: list[Line] = []
    parts: list[Token] = []
    for token in all_tokens:
        if node.lineno <= token.start[0] <= (node.end_lineno or 0) and token.kind not in _LAYOUT:
            if parts and token.start in suites:  # beside its header: a layout, not a change
                found += filter(None, [_line(source, parts, blanks)])
                token, parts = token._replace(depth=token.depth + 1), []
            parts.append(token)
        elif token.kind == tokenize.NEWLINE and parts:
            if docstring is None or parts[0].start[0] != docstring.lineno:
                found += filter(None, [_line(source, parts, blanks)])
            parts = []
    return found


def _line(source: str, parts: list[Token], blanks: Sequence[Span]) -> Line | None:
    """None where the whole line belongs to a blank that began above it."""
    lines = source.split("\n")
    kept: list[tuple[str, str]] = []
    for token in parts:
        within = next((one for one in blanks if one.start <= token.start and token.end <= one.end), None)
        if within is None or within.start == token.start:
            kept.append((token.text if within is None else BLANK, lines[token.start[0] - 1].strip()))
    if not kept:
        return None
    texts, written = zip(*kept, strict=True)
    return Line((parts[0].depth, texts), parts[0].start[0], written)


def changes(stub: list[Line], student: list[Line]) -> list[dict[str, Any]]:
    """What differs: {"code", "line" (of the stub), "was", "now", "at" (line of the student's source)}."""
    expected, written = [line.content for line in stub], [line.content for line in student]
    if expected == written:
        return []
    from difflib import SequenceMatcher  # most answers need none

    found: list[dict[str, Any]] = []
    matcher = SequenceMatcher(None, expected, written, autojunk=False)
    for kind, stub_from, stub_to, own_from, own_to in matcher.get_opcodes():
        if kind == "equal":
            continue
        was, now = stub[stub_from:stub_to], student[own_from:own_to]
        both = min(len(was), len(now))
        found += [_changed(old, new) for old, new in zip(was, now, strict=False)]
        found += [{"code": "removed_line", "line": old.number, "was": old.written[0]} for old in was[both:]]
        found += [{"code": "added_line", "now": new.written[0], "at": new.number} for new in now[both:]]
    return found


def _changed(was: Line, now: Line) -> dict[str, Any]:
    """A changed line, shown from the written line with the first token that differs."""
    same = zip(was.content[1], now.content[1], strict=False)
    first = next((at for at, (old, new) in enumerate(same) if old != new), 0)
    shown = {"was": was.written[first], "now": now.written[first]}
    return {"code": "changed_line", "line": was.number, **shown, "at": now.number}
