"""What an answer needs from the rest of a submission: the imports, helpers and constants behind its names.

Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import ast
import builtins
import symtable
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grader.reading.parsing import Piece, nodes, parse

_OWN_SCOPE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
BUILTINS = frozenset(dir(builtins))


class Binding(NamedTuple):
    """A statement at the top of a piece that binds a name."""

    piece: Piece
    statement: ast.stmt

    @property
    def text(self) -> str:
        return segment(self.piece.source, self.statement)


Bindings = dict[str, list[Binding]]


def segment(source: str, node: ast.stmt | ast.expr) -> str:
    """The node's exact text, decorators included."""
    text = ast.get_source_segment(source, node) or ast.unparse(node)
    decorators = getattr(node, "decorator_list", [])
    if not decorators:
        return text
    lines = source.split("\n")[decorators[0].lineno - 1 : node.end_lineno]
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] for line in lines)


def free_names(source: str) -> set[str]:
    """The names that `source`, a piece of a module, reads from the module around it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a string is no reason to stop
            scopes = [symtable.symtable(source, "<answer>", "exec")]
    except SyntaxError:
        tree, _ = parse(source)
        return {node.id for node in (nodes(tree) if tree else ()) if isinstance(node, ast.Name)}
    found: set[str] = set()
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        outermost = scope.get_type() == "module"
        read = [one for one in scope.get_symbols() if one.is_referenced()]
        found |= {one.get_name() for one in read if outermost or one.is_global()}
    return found


def bound_names(statement: ast.AST) -> Iterator[str]:
    """The names that a statement binds in its own scope; "*" for a star import."""
    if isinstance(statement, _DEFINES):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from (alias.asname or alias.name.split(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.Name) and not isinstance(statement.ctx, ast.Load):
        yield statement.id
    elif isinstance(statement, ast.ExceptHandler) and statement.name:
        yield statement.name
    if not isinstance(statement, _DEFINES + _OWN_SCOPE):
        for child in ast.iter_child_nodes(statement):
            yield from bound_names(child)


def bindings(pieces: Sequence[Piece], answers: Sequence[ast.AST]) -> Bindings:
    """Every top-level binding of the submission but the answers' own, in order."""
    found: Bindings = {}
    for piece in pieces:
        for statement in piece.tree.body if piece.tree else []:
            if not any(statement is one for one in answers) and not _is_main_guard(statement):
                for name in dict.fromkeys(bound_names(statement)):
                    found.setdefault(name, []).append(Binding(piece, statement))
    return found


def closure(names: Iterable[str], known: Bindings, own: frozenset[str]) -> list[Binding]:
    """The bindings that `names` need, directly and through each other, each after what it needs itself.

    `own`: names that the program defines for itself. A builtin's name counts only where the submission defines or
    imports it: `sum = 0` in a scratch cell is not what an answer means by `sum`.
    """
    found: list[Binding] = []
    seen: set[str] = set(own)
    _collect(sorted(names), known, seen, found)
    return found


def _collect(names: Iterable[str], known: Bindings, seen: set[str], found: list[Binding]) -> None:
    for name in names:
        if name in seen:
            continue
        seen.add(name)
        for binding in _last(name, known):
            if not any(binding.statement is other.statement for other in found):
                _collect(sorted(free_names(binding.text)), known, seen, found)
                found.append(binding)


def _last(name: str, known: Bindings) -> list[Binding]:
    """The last definition, as after a run from top to bottom; with those that an `x += 1` builds on."""
    all_of_it = known.get(name, [])
    if name in BUILTINS:
        all_of_it = [one for one in all_of_it if isinstance(one.statement, _DEFINES + (ast.Import, ast.ImportFrom))]
    elif not all_of_it:
        return known.get("*", [])
    start = len(all_of_it) - 1
    while start > 0 and isinstance(all_of_it[start].statement, ast.AugAssign):
        start -= 1
    return all_of_it[max(start, 0) :]


def _is_main_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "__name__" in {
        node.id for node in ast.walk(statement.test) if isinstance(node, ast.Name)
    }
