"""Finds a student's answer among the cells of a submission, and makes the program that is judged.

Runs inside the isolated process (`inside.py` has the sources that are sent there), because parsing hostile text is
hostile work; it never runs the text. Standard library only. In and out go plain dicts, lists, strings and numbers.
"""
from __future__ import annotations

import ast
import tokenize
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grader.reading import names
from grader.reading.audit import audit
from grader.reading.needed import Binding, Bindings, bindings, bound_names, closure, free_names, segment
from grader.reading.pairing import (
    Slot,
    changes,
    is_blank,
    logical_lines,
    pair,
    renamed,
    slots,
    span,
    splice,
    tokens,
)
from grader.reading.parsing import Note, Piece, nodes, parse, pieces
from grader.reading.salvage import salvage
from grader.reading.search import Candidate, choose, describe_missing, find_broken

Result = dict[str, Any]


class Stub(NamedTuple):
    """The exercise's stub, parsed."""

    source: str
    name: str
    tree: ast.Module
    function: ast.FunctionDef
    slots: tuple[Slot, ...]
    blank_ids: tuple[str, ...]
    own_names: frozenset[str]  # what the stub binds at its top and in its function


def find_answer(
    stub: str, function_name: str, cells: Sequence[Mapping[str, Any]], blank_ids: Sequence[str] = ()
) -> Result:
    """Find the answer to one exercise.

    cells: {"source", "kind", "marker", "id", "index"} each, in order (files.Submission.plain()).
    blank_ids: names for the blanks in the order of the stub; without them "1", "2", ...
    Returns a dict:
    status: "ok"; "missing" (no answer, or a blank left open); "error" (the answer doesn't parse); "unreadable".
    reason: for the other three a note that says why, which is not in `notes`.
    error: {"class", "message", "line", "text", "cell"} where the answer doesn't parse, else None.
    source: the program to load, which defines `function_name`. mode: "blanks" (the stub with the student's blanks)
        or "as written". alternative: the function as written where locked lines were changed, else "": no right
        answer should be lost because its locked lines differ, so a judge may try it when `source` doesn't pass.
    blanks: text by blank id, as far as found. unfilled: ids of open blanks. changed_lines: notes on locked lines.
    found_by: "marker", "metadata", "id", "name", "position". place: [cell index, line] of the function.
    notes: codes with slots, for grader.reading.notes.note.
    seen: what the program reaches for beyond plain values, for grader.flags.
    """
    try:
        result = _find(_stub(stub, function_name, blank_ids), pieces(cells), cells)
        return result | {"seen": audit(f"{result['source']}\n\n{result['alternative']}", stub)}
    except (RecursionError, MemoryError):
        error = _error("RecursionError", "the code nests too deep")
        return _result("error", reason={"code": "too_deep"}, error=error)


def _stub(source: str, name: str, blank_ids: Sequence[str]) -> Stub:
    tree = ast.parse(source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    found = tuple(slots(function))
    blank_ids = tuple(blank_ids) or tuple(str(n + 1) for n in range(len(found)))
    bound = {one for statement in (*tree.body, *function.body) for one in bound_names(statement)}
    parameters = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
    return Stub(source, name, tree, function, found, blank_ids, frozenset(bound | parameters))


def _find(stub: Stub, parts: list[Piece], cells: Sequence[Mapping[str, Any]]) -> Result:
    candidate, others = choose(parts, stub.name)
    broken = find_broken(parts, stub.name)
    if broken is not None and (candidate is None or not candidate.filled):
        return _from_broken(stub, broken, parts)
    if candidate is None:
        return _result("missing", reason=describe_missing(cells, stub.name), notes=_general_notes(parts, None))
    result = _judged(stub, candidate, parts)
    result["notes"] = _about(candidate, others) + result["notes"] + _general_notes(parts, candidate)
    return result | {"found_by": candidate.rule, "place": candidate.piece.place(candidate.line)}


def _result(status: str, **given: Any) -> Result:
    empty: Result = {
        "status": status, "reason": None, "error": None, "source": "", "mode": "", "alternative": "", "blanks": {},
        "unfilled": [], "changed_lines": [], "found_by": "", "place": None, "notes": [],
        "seen": [],
    }  # fmt: skip
    return empty | given


def _error(kind: str, message: str, line: int = 1, text: str = "", cell: int = 0) -> dict[str, Any]:
    return {"class": kind, "message": message, "line": line, "text": text[:500], "cell": cell}


# An answer that parses


def _judged(stub: Stub, candidate: Candidate, parts: list[Piece]) -> Result:
    known = bindings(parts, candidate.node)
    function = candidate.node
    if not isinstance(function, ast.FunctionDef):
        return _as_written(stub, candidate, known, [])
    found = [pair(slot, function) for slot in stub.slots]
    unfilled = _unfilled(stub, candidate, function, found)
    if unfilled:
        return _missing_blanks(stub, candidate, unfilled)
    if any(node is None for node in found):
        return _as_written(stub, candidate, known, [{"code": "as_written"}])
    filled = [node for node in found if node is not None]
    own = _own_names(stub, function, filled)
    if own:
        return _as_written(stub, candidate, known, [{"code": "own_names", "names": own}])
    try:
        return _with_blanks(stub, candidate, function, filled, known)
    except (tokenize.TokenError, SyntaxError):  # the tokenizer in Python is stricter than the parser
        return _as_written(stub, candidate, known, [{"code": "as_written"}])


def _unfilled(
    stub: Stub, candidate: Candidate, function: ast.FunctionDef, found: Sequence[ast.expr | None]
) -> list[tuple[int, int]]:
    """(index of the blank, line in the student's source) of each blank that was left open."""
    open_lines = sorted(node.lineno for node in nodes(function) if is_blank(node) and isinstance(node, ast.Name))
    if candidate.only_placeholders:
        return [(index, function.lineno) for index in range(len(stub.slots))]
    result = []
    for index, node in enumerate(found):
        if node is None:
            continue
        if any(is_blank(one) for one in nodes(node)) or _is_ellipsis(node):
            result.append((index, node.lineno))
    if open_lines and not result:
        result = [(min(number, len(stub.slots) - 1), line) for number, line in enumerate(open_lines)]
    return result or _replaced_by_placeholder(stub, function, found)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _replaced_by_placeholder(
    stub: Stub, function: ast.FunctionDef, found: Sequence[ast.expr | None]
) -> list[tuple[int, int]]:
    """Blanks whose whole statement became `pass`, `...` or `raise NotImplementedError`, or was deleted."""
    stored = {node.id for node in nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    statements = (node for node in nodes(function) if isinstance(node, ast.stmt))
    placeholder = next((node.lineno for node in statements if names.is_placeholder(node)), None)
    read = {node.id for node in nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    result = []
    for index, (slot, node) in enumerate(zip(stub.slots, found, strict=True)):
        targets = set(bound_names(slot.statement))
        if node is None and targets and not targets & stored and (placeholder is not None or targets & read):
            result.append((index, placeholder or function.lineno))
    return result


def _missing_blanks(stub: Stub, candidate: Candidate, unfilled: list[tuple[int, int]]) -> Result:
    place = candidate.piece.place(unfilled[0][1])
    reason = {"code": "unfilled", "blank": [index + 1 for index, _ in unfilled], "place": place}
    return _result("missing", reason=reason, unfilled=[stub.blank_ids[index] for index, _ in unfilled])


def _own_names(stub: Stub, function: ast.FunctionDef, filled: Sequence[ast.expr]) -> list[str]:
    """Names in the blanks that only the student's own function binds, such as renamed loop variables."""
    used = {node.id for one in filled for node in nodes(one) if isinstance(node, ast.Name)}
    inside = {name for one in filled for node in nodes(one) for name in names.bound_by_expression(node)}
    local = {name for node in nodes(function) for name in names.bound_locally(node)}
    return sorted((used & local) - inside - stub.own_names - names.comprehension_targets(stub.function))


def _with_blanks(
    stub: Stub, candidate: Candidate, function: ast.FunctionDef, filled: list[ast.expr], known: Bindings
) -> Result:
    source = candidate.piece.source
    student_tokens, stub_tokens = tokens(source), tokens(stub.source)
    in_stub = [span(stub.source, slot.blank, stub_tokens) for slot in stub.slots]
    spare = [one.parentheses for one in in_stub]
    in_student = [span(source, node, student_tokens, own) for node, own in zip(filled, spare, strict=True)]
    texts = [one.text(source) for one in in_student]
    changed = changes(
        logical_lines(stub.source, stub.function, stub_tokens, in_stub),
        logical_lines(source, function, renamed(student_tokens, candidate.name, stub.name), in_student),
    )
    for change in changed:
        change["place"] = candidate.piece.place(change.pop("at", function.lineno))
    needed = {name for text in texts for name in free_names(f"({text}\n)")} - stub.own_names
    helpers = closure(needed, known, frozenset(names.comprehension_targets(stub.function)))
    result = _result(
        "ok",
        mode="blanks",
        source=program(splice(stub.source, texts), helpers),
        blanks=dict(zip(stub.blank_ids, texts, strict=True)),
        changed_lines=changed,
        notes=changed + _helper_notes(helpers) + names.lookalikes(needed, stub.own_names, candidate.piece, function),
    )
    if changed:
        result["alternative"] = _as_written(stub, candidate, known, [])["source"]
    return result


def program(source: str, helpers: Sequence[Binding]) -> str:
    """The helpers and then the source, whose `from __future__` imports stay first."""
    if not helpers:
        return source
    tree, _ = parse(source)
    imports = [node for node in (tree.body if tree else []) if isinstance(node, ast.ImportFrom)]
    after = max((node.end_lineno or 0 for node in imports if node.module == "__future__"), default=0)
    lines = source.split("\n")
    preamble = "\n".join(helper.text for helper in helpers)
    return "\n".join([*lines[:after], preamble, "", "", *lines[after:]])


def _as_written(stub: Stub, candidate: Candidate, known: Bindings, notes: list[Note]) -> Result:
    """The student's own definition, with what it needs from the submission and then from the stub."""
    own = segment(candidate.piece.source, candidate.node)
    frame = Piece(stub.source, [(1, 0)], stub.tree, None, frozenset(), frozenset())
    everything = bindings([frame], stub.function) | known
    helpers = closure(free_names(own), everything, frozenset({candidate.name}))
    rename = "" if candidate.name == stub.name else f"\n\n{stub.name} = {candidate.name}\n"
    return _result("ok", mode="as written", source=program(own, helpers) + rename, notes=notes + _helper_notes(helpers))


# An answer that doesn't parse


def _from_broken(stub: Stub, piece: Piece, parts: list[Piece]) -> Result:
    assert piece.problem is not None
    problem = piece.problem
    conflict = next((n for n, line in enumerate(piece.source.split("\n"), 1) if line.startswith("<<<<<<<")), 0)
    if conflict and "\n=======" in piece.source:
        return _result("unreadable", reason={"code": "conflict", "place": piece.place(conflict)})
    message, place = problem.message, piece.place(problem.line)
    texts = salvage(stub.source, stub.slots, stub.name, piece.source)
    if texts is not None:
        empty = [at for at, text in enumerate(texts) if names.is_open(text)]
        if empty:
            reason = {"code": "unfilled", "blank": [at + 1 for at in empty], "place": place}
            return _result("missing", reason=reason, unfilled=[stub.blank_ids[at] for at in empty])
        needed = {name for text in texts for name in free_names(f"({text}\n)")} - stub.own_names
        helpers = closure(needed, bindings(parts, None), frozenset(names.comprehension_targets(stub.function)))
        note = {"code": "syntax_outside", "message": message, "place": place}
        blanks = dict(zip(stub.blank_ids, texts, strict=True))
        source = program(splice(stub.source, texts), helpers)
        return _result("ok", mode="blanks", source=source, blanks=blanks, place=place, found_by="name", notes=[note])
    line = piece.line(problem.line)
    error = _error(problem.error_class, message, place[1], line, place[0])
    reason = {"code": "syntax", "message": message, "line": line[:500], "place": place}
    return _result("error", reason=reason, error=error, place=place, notes=names.odd_characters(line, place))


# Notes


def _about(candidate: Candidate, others: Sequence[Candidate]) -> list[Note]:
    place = candidate.piece.place(candidate.line)
    notes: list[Note] = [{"code": f"found_{candidate.rule}", "place": place}]
    if candidate.lookalike:
        notes.append(candidate.lookalike | {"place": place})
    elif candidate.name != candidate.wanted:
        notes.append({"code": "renamed", "name": candidate.name, "wanted": candidate.wanted, "place": place})
    for other in others:
        code = "duplicate" if other.filled else "unfilled_copy"
        notes.append({"code": code, "place": other.piece.place(other.line)})
    return notes


def _general_notes(parts: Sequence[Piece], candidate: Candidate | None) -> list[Note]:
    notes = [note for part in parts for note in part.notes]
    for part in parts:
        if part.problem is not None:
            place = part.place(part.problem.line)
            notes.append({"code": "broken_cell", "message": part.problem.message, "place": place})
    if candidate is not None and candidate.used_above(parts):
        notes.append({"code": "below_checks", "place": candidate.piece.place(candidate.line)})
    return notes


def _helper_notes(helpers: Sequence[Binding]) -> list[Note]:
    places = [one.piece.place(one.statement.lineno) for one in helpers]
    bound = [list(dict.fromkeys(bound_names(one.statement))) for one in helpers]
    return [{"code": "helper", "name": some, "place": at} for some, at in zip(bound, places, strict=True)]
