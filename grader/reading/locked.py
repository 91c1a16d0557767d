"""What the stub has around its answers (helpers, classes, constants) and a submission has in another form.

The program always takes the stub's own; a difference is told and costs nothing. Runs inside the isolated process.
Standard library only.
"""
from __future__ import annotations

import ast
import tokenize

from grader.reading.frame import Stub
from grader.reading.needed import Binding, Bindings, bound_names
from grader.reading.pairing import changes, logical_lines, tokens
from grader.reading.parsing import Note


def changed_around(stub: Stub, known: Bindings) -> list[Note]:
    """Notes on the lines that differ, as for the locked lines of a function."""
    answers = [frame.function for frame in stub.frames]
    found: list[Note] = []
    for given in stub.tree.body:
        name = next(bound_names(given), "")
        own = [one for one in known.get(name, []) if type(one.statement) is type(given)][-1:]
        if own and given not in answers and not isinstance(given, (ast.Import, ast.ImportFrom)):
            found += _changed(stub, given, own[0])
    return found


def _changed(stub: Stub, given: ast.stmt, own: Binding) -> list[Note]:
    if ast.dump(given) == ast.dump(own.statement):
        return []
    try:
        ours = logical_lines(stub.source, given, tokens(stub.source), ())
        found = changes(ours, logical_lines(own.piece.source, own.statement, tokens(own.piece.source), ()))
    except (tokenize.TokenError, SyntaxError):  # the tokenizer in Python is stricter than the parser
        return []
    for change in found:
        change["place"] = own.piece.place(change.pop("at", own.statement.lineno))
    return found
