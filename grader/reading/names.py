"""Names and characters in student code: placeholders, look-alikes, typographic quotes.

Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import ast
import builtins
import re
import unicodedata
from collections.abc import Iterable, Iterator

from grader.reading.pairing import is_blank
from grader.reading.parsing import Note, Piece, nodes, parse

_LATIN = str.maketrans(  # letters of other scripts that look like Latin ones
    "аеорсухіјѕԁһԛԝѵвкмнтАВЕКМНОРСТХІЈЅоαορνικτυχΑΒΕΗΙΚΜΝΟΡΤΥΧΖßɡıⅼ",
    "aeopcyxijsdhqwvbkmhtABEKMHOPCTXIJSoaopvikтuxABEHIKMNOPTYXZBgil".replace("т", "t"),
)
_QUOTES = frozenset("‘’‚‛“”„‟«»′″＇＂")


def is_placeholder(node: ast.AST) -> bool:
    """`pass`, `...` as a statement, or `raise NotImplementedError`."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and node.value.value is ...
    if isinstance(node, ast.Raise):
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    return isinstance(node, ast.Pass)


def is_open(text: str) -> bool:
    """Whether the text of a blank is still no answer."""
    tree, _ = parse(text.strip())
    return text.strip() in ("", "...", "pass") or (tree is not None and any(map(is_blank, ast.walk(tree))))


def bound_by_expression(node: ast.AST) -> Iterator[str]:
    """Names that an expression binds for itself: comprehension variables, lambda parameters, `:=` targets."""
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id


def bound_locally(node: ast.AST) -> Iterator[str]:
    """Names that a function binds: what it assigns, its parameters, imports and inner definitions."""
    yield from bound_by_expression(node)
    if isinstance(node, ast.alias):
        yield node.asname or node.name.split(".")[0]
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name


def comprehension_targets(function: ast.AST) -> set[str]:
    """The loop variables of the comprehensions that hold a blank."""
    holders = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    return {
        name
        for node in nodes(function)
        if isinstance(node, holders) and any(map(is_blank, nodes(node)))
        for generator in node.generators
        for target in ast.walk(generator.target)
        for name in bound_by_expression(target)
    }


def skeleton(name: str) -> str:
    """The name in Latin letters as it looks to a reader."""
    return unicodedata.normalize("NFKC", name).translate(_LATIN)


def lookalike(name: str, wanted: str) -> Note | None:
    """A note where `name` only looks like `wanted`."""
    if name == wanted or name.isascii() or skeleton(name) != wanted:
        return None
    characters = _named(c for c in name if not c.isascii())
    return {"code": "lookalike", "name": name, "wanted": wanted, "characters": characters}


def lookalikes(used: Iterable[str], known: Iterable[str], piece: Piece, function: ast.FunctionDef) -> list[Note]:
    """Notes on names in the blanks that only look like a name that exists."""
    wanted = {name: name for name in (*known, *dir(builtins))}
    found = [lookalike(name, wanted.get(skeleton(name), "")) for name in sorted(used)]
    lines = {node.id: node.lineno for node in nodes(function) if isinstance(node, ast.Name)}
    return [note | {"place": piece.place(lines.get(note["name"], function.lineno))} for note in found if note]


def odd_characters(line: str, place: list[int]) -> list[Note]:
    """Notes on typographic quotes and on characters that look like Python's own but are not."""
    outside = re.sub(r"#.*", "", line)
    quotes = _named(c for c in outside if c in _QUOTES)
    others = _named(c for c in outside if not c.isascii() and c not in _QUOTES and not c.isalpha())
    notes: list[Note] = []
    if quotes:
        notes.append({"code": "smart_quotes", "characters": quotes, "place": place})
    if others:
        notes.append({"code": "odd_character", "characters": others, "place": place})
    return notes


def _named(characters: Iterable[str]) -> list[str]:
    return [f"U+{ord(one):04X} {unicodedata.name(one, '')}".strip() for one in dict.fromkeys(characters)][:5]
