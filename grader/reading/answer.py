"""Finds a student's answer among the cells of a submission, and makes the program that is judged.

Runs inside the isolated process (`inside.py` has the sources that are sent there), because parsing hostile text is
hostile work; it never runs the text. Standard library only. In and out go plain dicts, lists, strings and numbers.
"""
from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from grader.reading.audit import audit
from grader.reading.broken import from_broken
from grader.reading.filling import Part, as_written, judged
from grader.reading.frame import Edit, Frame, Stub, edited, filled_in, read_stub, replaced, stopped
from grader.reading.locked import changed_around
from grader.reading.needed import Binding, Bindings, bindings, bound_names, closure
from grader.reading.parsing import Note, Piece, parse, pieces
from grader.reading.search import Candidate, choose, describe_missing, find_broken

Result = dict[str, Any]


def find_answer(
    stub: str,
    function_name: str,
    cells: Sequence[Mapping[str, Any]],
    blank_ids: Sequence[str] = (),
    starts: Sequence[str] = (),
) -> Result:
    """Find the answer to one exercise.

    cells: {"source", "kind", "marker", "id", "index"} each, in order (files.Submission.plain()).
    blank_ids: names for the blanks in the order of the stub; without them "1", "2", ...
    starts: what each blank holds when it is handed out, "" for nothing; () where all are empty.
    Returns a dict:
    status: "ok"; "missing" (no answer, or a blank left open); "error" (the answer doesn't parse); "unreadable". Of a
        stub with blanks in several functions: "ok" as soon as one of them is answered; the others raise when called.
    reason: for the other three a note that says why, which is not in `notes`.
    error: {"class", "message", "line", "text", "cell"} where the answer doesn't parse, else None.
    source: the program to load, which defines `function_name`. mode: "blanks" (the stub with the student's blanks)
        or "as written". alternative: the function as written where locked lines were changed, else "": no right
        answer should be lost because its locked lines differ, so a judge may try it when `source` doesn't pass.
    blanks: text by blank id, as far as found; of statements dedented. unfilled: ids of open blanks.
    changed_lines: notes on locked lines.
    found_by: "marker", "metadata", "id", "name", "position". place: [cell index, line] of the function.
    notes: codes with slots, for grader.reading.notes.note.
    seen: what the program reaches for beyond plain values, for grader.flags.
    """
    try:
        parts = pieces(cells)
        result = _find(read_stub(stub, function_name, tuple(blank_ids), tuple(starts)), parts, cells)
        text = f"{result['source']}\n\n{result['alternative']}" if result["source"] else _broken(parts, function_name)
        return result | {"seen": audit(text, stub)}
    except (RecursionError, MemoryError):
        error = {"class": "RecursionError", "message": "the code nests too deep", "line": 1, "text": "", "cell": 0}
        return _result("error", reason={"code": "too_deep"}, error=error)


def _broken(parts: Sequence[Piece], function_name: str) -> str:
    """The text with the function that doesn't parse."""
    return "\n".join(part.source for part in parts if part.tree is None and function_name in part.source)


def _find(stub: Stub, parts: list[Piece], cells: Sequence[Mapping[str, Any]]) -> Result:
    found = [_part(stub, frame, parts, cells) for frame in stub.frames]
    about = [note for part, others in found for note in _about(part.candidate, others)]
    answered = [part for part, _ in found]
    result = _answer(stub, answered, parts) if any(part.status == "ok" for part in answered) else _none(stub, answered)
    result["notes"] = about + result["notes"] + _general_notes(parts, answered)
    return result


def _part(
    stub: Stub, frame: Frame, parts: list[Piece], cells: Sequence[Mapping[str, Any]]
) -> tuple[Part, list[Candidate]]:
    """What became of one function, and the definitions of it that were passed over."""
    candidate, others = choose(parts, frame.name, stub.defined - {frame.name}, frame.handed_out)
    broken = find_broken(parts, frame.name)
    if broken is not None and (candidate is None or not candidate.filled):
        return from_broken(stub, frame, broken), []
    if candidate is None:
        numbers = tuple(range(frame.first, frame.first + len(frame.slots)))
        return Part("missing", frame, reason=describe_missing(cells, frame.name), open=numbers), []
    place = candidate.piece.place(candidate.line)
    return judged(stub, frame, candidate)._replace(place=place), others


def _result(status: str, **given: Any) -> Result:
    empty: Result = {
        "status": status, "reason": None, "error": None, "source": "", "mode": "", "alternative": "", "blanks": {},
        "unfilled": [], "changed_lines": [], "found_by": "", "place": None, "notes": [],
        "seen": [],
    }  # fmt: skip
    return empty | given


def _none(stub: Stub, answered: Sequence[Part]) -> Result:
    """No function can be judged: the worst reason there is, or every blank that is open."""
    worst = min(answered, key=lambda part: ("unreadable", "error", "missing").index(part.status))
    if worst.status != "missing":
        return _result(worst.status, reason=worst.reason, error=worst.error, place=worst.place, notes=[*worst.notes])
    seen = next((part for part in answered if part.candidate is not None or part.broken is not None), None)
    if seen is None or seen.reason is None:
        return _result("missing", reason=worst.reason)
    left = sorted(number for part in answered for number in part.open)
    reason = seen.reason | {"blank": [number + 1 for number in left]}
    found_by = seen.candidate.rule if seen.candidate is not None else ""
    unfilled = [stub.blank_ids[number] for number in left]
    return _result("missing", reason=reason, unfilled=unfilled, found_by=found_by, place=seen.place)


def _answer(stub: Stub, answered: Sequence[Part], parts: list[Piece]) -> Result:
    """The program of what was answered, and notes on what was not."""
    good = [part for part in answered if part.status == "ok"]
    known = bindings(parts, [part.candidate.node for part in good if part.candidate is not None])
    source, helpers = _program(stub, answered, known)
    changed = [note for part in good for note in part.changed]
    around = changed_around(stub, known)
    notes = around + [note for part in good for note in part.notes] + _helper_notes(helpers)
    texts = {part.frame.first + at: text for part in good for at, text in enumerate(part.texts)}
    return _result(
        "ok",
        source=source,
        mode="as written" if any(part.own for part in good) else "blanks",
        alternative=_program(stub, list(map(_whole, answered)), known)[0] if changed else "",
        blanks={stub.blank_ids[number]: texts[number] for number in sorted(texts)},
        unfilled=[stub.blank_ids[number] for part in answered for number in part.open],
        changed_lines=around + changed,
        found_by=good[0].candidate.rule if good[0].candidate is not None else "name",
        place=good[0].place,
        notes=notes + [part.reason for part in answered if part.reason is not None],
    )


def _whole(part: Part) -> Part:
    """Judged as written where locked lines were changed."""
    return as_written(part.frame, part.candidate) if part.changed and part.candidate is not None else part


def _program(stub: Stub, answered: Sequence[Part], known: Bindings) -> tuple[str, list[Binding]]:
    """The stub with every part in its place, and the student's helpers before it."""
    source = edited(stub.source, [edit for part in answered for edit in _edits(stub, part)])
    given = {name: found for name, found in bindings([stub.piece], []).items() if name not in stub.defined}
    names = {part.candidate.name for part in answered if part.candidate is not None}
    needed = {name for part in answered for name in part.needed}
    helpers = closure(needed, known | given, stub.defined | names)
    return program(source, helpers), [one for one in helpers if one.piece.tree is not stub.tree]


def _edits(stub: Stub, part: Part) -> list[Edit]:
    if part.own:
        return [replaced(stub, part.frame, part.own)]
    if part.status == "ok":
        return [filled_in(stub, slot, text) for slot, text in zip(part.frame.slots, part.texts, strict=True)]
    if part.error is not None:
        told = f"{part.error['message']}: {part.error['text'].strip()}"
        return [stopped(stub, part.frame, part.error["class"], told)]
    return [stopped(stub, part.frame, "NotImplementedError", f"{part.frame.name} is not filled in")]


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


# Notes


def _about(candidate: Candidate | None, others: Sequence[Candidate]) -> list[Note]:
    if candidate is None:
        return []
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


def _general_notes(parts: Sequence[Piece], answered: Sequence[Part]) -> list[Note]:
    """On cells that are no part of the answer, or stand in an odd order."""
    notes = [note for part in parts for note in part.notes]
    read = [part.broken for part in answered]
    for part in parts:
        if part.problem is not None and not any(part is one for one in read):
            place = part.place(part.problem.line)
            notes.append({"code": "broken_cell", "message": part.problem.message, "place": place})
    for candidate in (part.candidate for part in answered):
        if candidate is not None and candidate.used_above(parts):
            notes.append({"code": "below_checks", "place": candidate.piece.place(candidate.line)})
    return notes


def _helper_notes(helpers: Sequence[Binding]) -> list[Note]:
    places = [one.piece.place(one.statement.lineno) for one in helpers]
    bound = [list(dict.fromkeys(bound_names(one.statement))) for one in helpers]
    return [{"code": "helper", "name": some, "place": at} for some, at in zip(bound, places, strict=True)]
