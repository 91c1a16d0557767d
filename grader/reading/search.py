"""Which definition in a submission is the answer: by marker, metadata, cell id, name, or place.

Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from grader.reading.names import is_placeholder, lookalike
from grader.reading.pairing import is_blank
from grader.reading.parsing import Note, Piece, nodes

RULES = ("position", "name", "id", "metadata", "marker")  # from weak to strong


class Candidate(NamedTuple):
    """A definition that may be the answer: a function, or a name given to another function or a lambda."""

    piece: Piece
    node: ast.FunctionDef | ast.Assign
    name: str
    wanted: str
    rule: str
    order: int
    handed_out: str = ""  # the dump of the function as it was handed out

    @property
    def line(self) -> int:
        return self.node.lineno

    @property
    def only_placeholders(self) -> bool:
        """A body of nothing but a docstring and `pass`, `...` or `raise NotImplementedError`."""
        body = self.node.body if isinstance(self.node, ast.FunctionDef) else []
        rest = [node for node in body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
        return bool(body) and all(map(is_placeholder, rest))

    @property
    def filled(self) -> bool:
        if self.only_placeholders or any(map(is_blank, nodes(self.node))):
            return False
        if not self.handed_out:  # dumping every answer would take as long as parsing it
            return isinstance(self.node, ast.FunctionDef)
        return dump(self.node) != self.handed_out

    @property
    def lookalike(self) -> Note | None:
        return lookalike(self.name, self.wanted)

    def used_above(self, parts: Sequence[Piece]) -> bool:
        """Whether a cell above already uses the function, so that the notebook doesn't run from top to bottom."""
        above = parts[: next(at for at, part in enumerate(parts) if part is self.piece)]
        trees = [part.tree for part in above if part.tree is not None]
        loaded = (node for tree in trees for node in nodes(tree) if isinstance(node, ast.Name))
        return any(node.id == self.name and isinstance(node.ctx, ast.Load) for node in loaded)


def dump(node: ast.AST) -> str:
    """The node's structure without the docstring of a function; "" for anything but a function."""
    if not isinstance(node, ast.FunctionDef):
        return ""
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return f"{ast.dump(node.args)} {[ast.dump(one) for one in body]}"


def choose(
    parts: Sequence[Piece], wanted: str, others: Collection[str] = (), handed_out: str = ""
) -> tuple[Candidate | None, list[Candidate]]:
    """The answer and the definitions passed over. A filled one goes before one with open blanks, then the stronger
    rule counts, then the later definition, as after a run from top to bottom.

    others: names of the stub's that never are this answer, renamed. handed_out: the dump of the function as it was
    handed out, which fills nothing.
    """
    found = [
        one._replace(handed_out=handed_out)
        for order, part in enumerate(parts)
        for one in _candidates(part, wanted, order, others)
    ]
    found.sort(key=lambda one: (one.filled, one.name == one.wanted, RULES.index(one.rule), one.order, one.line))
    return (found[-1], found[:-1]) if found else (None, [])


def find_broken(parts: Sequence[Piece], wanted: str) -> Piece | None:
    """The last piece that doesn't parse and is or holds the answer."""
    definition = re.compile(rf"^[ \t]*def[ \t]+{re.escape(wanted)}[ \t]*\(", re.M)
    broken = [part for part in parts if part.tree is None]
    found = [part for part in broken if definition.search(part.source) or _rule(part, wanted) != "name"]
    return found[-1] if found else None


def describe_missing(cells: Sequence[Mapping[str, Any]], wanted: str) -> Note:
    """Why there is no answer, as far as the other cells show it."""
    definition = re.compile(rf"^[ \t]*def[ \t]+{re.escape(wanted)}[ \t]*\(", re.M)
    commented = re.compile(rf"^[ \t]*#[ \t]*def[ \t]+{re.escape(wanted)}[ \t]*\(", re.M)
    for code, pattern, wants_code in (("in_markdown", definition, False), ("commented_out", commented, True)):
        for cell in cells:
            found = pattern.search(cell["source"])
            if found and (cell["kind"] == "code") is wants_code:
                line = cell["source"].count("\n", 0, found.start()) + 1
                return {"code": code, "name": wanted, "place": [cell["index"], line]}
    return {"code": "not_found", "name": wanted}


def _rule(piece: Piece, wanted: str) -> str:
    if re.search(rf"^[ \t]*#+[ \t]*exercise[ \t]*:[ \t]*{re.escape(wanted)}[ \t]*$", piece.source, re.M | re.I):
        return "marker"
    if wanted in piece.markers:
        return "metadata"
    ids = {one.replace("-", "_") for one in piece.ids}
    return "id" if ids & {wanted, f"answer_{wanted}"} else "name"


def _candidates(piece: Piece, wanted: str, order: int, others: Collection[str]) -> Iterator[Candidate]:
    rule = _rule(piece, wanted)
    definitions = list(_definitions(piece.tree)) if piece.tree is not None else []
    exact = [(name, node) for name, node in definitions if name == wanted and node is not None]
    alike = [(name, node) for name, node in definitions if lookalike(name, wanted)]
    functions = [(name, node) for name, node in definitions if isinstance(node, ast.FunctionDef) and name not in others]
    if exact or alike:
        yield from (Candidate(piece, node, name, wanted, rule, order) for name, node in exact or alike)
    elif rule != "name" and len(functions) == 1:
        yield from (Candidate(piece, node, name, wanted, "position", order) for name, node in functions)


def _definitions(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef | ast.Assign]]:
    """Functions, and names given to a lambda or another name, at the top or inside a top-level if, try, with or for."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.Assign) and isinstance(node.value, (ast.Lambda, ast.Name)):
            yield from ((target.id, node) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            yield from _definitions(node)
