"""Blanks that stand for statements: their text moved to another indentation, and put into the stub.

A suite blank is a `______` alone on its line. Its text is kept dedented, and gets the blank's indentation where it goes
into the stub. Lines are moved by what the tokenizer says of them, so that the inside of a string of several lines stays
as it is. Runs inside the isolated process too. Standard library only.
"""
from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeGuard

from grader.reading.pairing import BLANK, is_blank

_QUOTES = ("'", '"')
_TAB = 8  # columns, as Python counts an indentation
_STRINGS = {getattr(tokenize, f"{kind}_START", None): getattr(tokenize, f"{kind}_END", None)
            for kind in ("FSTRING", "TSTRING")}  # fmt: skip
_STRINGS.pop(None, None)


@lru_cache(maxsize=64)
def columns(stub: str) -> tuple[int | None, ...]:
    """For each blank of a stub in order: the column of a suite blank, None for an expression blank."""
    tree = ast.parse(stub)
    suites = {(node.value.lineno, node.value.col_offset) for node in ast.walk(tree) if is_suite_blank(node)}
    blanks = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == BLANK]
    places = sorted((node.lineno, node.col_offset) for node in blanks)
    return tuple(place[1] if place in suites else None for place in places)


def is_suite_blank(node: ast.AST | None) -> TypeGuard[ast.Expr]:
    """Whether the node is a blank that is a whole statement."""
    return isinstance(node, ast.Expr) and is_blank(node.value)


def splice(stub: str, texts: Sequence[str]) -> str:
    """The stub with its blanks replaced, in order. The text of a suite blank is given dedented."""
    parts, kinds = stub.split(BLANK), columns(stub)
    placed_texts = [text if column is None else placed(text, column)
                    for text, column in zip(texts, kinds, strict=True)]  # fmt: skip
    return parts[0] + "".join(text + after for text, after in zip(placed_texts, parts[1:], strict=True))


def placed(text: str, column: int) -> str:
    """Dedented statements as they stand in the stub: the stub has indented the first line already."""
    return moved(text, 0, column).lstrip(" ")


def lifted(text: str, column: int) -> str:
    """What stands in the stub, dedented: the reverse of `placed`, for text whose first line lost its indentation."""
    return trimmed(moved(" " * column + text.lstrip(" \t"), column, 0))


def dedented(text: str) -> str:
    """Statements typed at any indentation, dedented. Where that is in doubt, they are moved by their first line."""
    text = trimmed(text)
    straight = moved(text, width(text), 0)
    if _well_indented(straight):
        return straight
    bare = text.lstrip(" \t")  # the first line may have stood beside an indentation that was not copied
    others = [width(line) for line in bare.split("\n")[1:] if line.strip()]
    hung = lifted(bare, min(others, default=0))
    return hung if _well_indented(hung) else straight


def _well_indented(text: str) -> bool:
    """Whether a line is indented further only below a colon, and back only to where one was."""
    colon = False
    try:
        for token in _tokens(text):
            if token.type == tokenize.INDENT and not colon:
                return False
            if token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE):
                colon = token.string == ":"
    except IndentationError:
        return False
    except (tokenize.TokenError, SyntaxError):
        return True  # another fault, and it has the say
    return True


def trimmed(text: str) -> str:
    """Without empty lines at both ends; the first line keeps its indentation."""
    lines = text.rstrip().split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    return "\n".join(lines[first:])


def is_empty(text: str) -> bool:
    """Whether there is no statement in it: nothing, or only comments."""
    return all(not line.strip() or line.lstrip().startswith("#") for line in text.split("\n"))


def essence(text: str) -> tuple[str, ...]:
    """What of a text counts where two are compared: not its comments, nor its white space, but where a block ends."""
    layout = {tokenize.NL: "", tokenize.COMMENT: "", tokenize.NEWLINE: "\n", tokenize.INDENT: "\t"}
    kept = (layout.get(token.type, token.string or str(token.type)) for token in _readable(dedented(text)))
    return tuple(filter(None, kept))


def moved(text: str, base: int, column: int) -> str:
    """The lines moved from column `base` to `column`. Tabs become columns; the inside of a string is left alone."""
    kept = inside_strings(text)
    return "\n".join(
        line if number in kept else _moved(line, column - base) for number, line in enumerate(text.split("\n"), 1)
    )


def _moved(line: str, by: int) -> str:
    bare = line.lstrip(" \t\f")
    return " " * max(0, width(line) + by) + bare if bare else ""


def width(line: str) -> int:
    """The columns of a line's indentation."""
    bare = line.lstrip(" \t\f")
    return len(line[: len(line) - len(bare)].rpartition("\f")[2].expandtabs(_TAB))


def inside_strings(text: str) -> set[int]:
    """The numbers of the lines that begin inside a string. Where the text doesn't parse: as far as it could be read."""
    found: set[int] = set()
    opened: list[int] = []
    for token in _readable(text):
        if token.type in _STRINGS:
            opened.append(token.start[0])
        elif token.type in _STRINGS.values():
            found.update(range(opened.pop() + 1, token.end[0] + 1))
        elif token.type == tokenize.STRING:
            found.update(range(token.start[0] + 1, token.end[0] + 1))
    return found


def _readable(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from _tokens(text)
    except (tokenize.TokenError, SyntaxError):
        return


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Up to a quote that nothing closes: Python 3.11 would go on behind it, and read the whole line again at each."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        yield token
        if token.type == tokenize.ERRORTOKEN and token.string in _QUOTES:
            return
