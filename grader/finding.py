"""Which exercises a submission answers, and the program to judge. Student text is parsed in isolation only."""
from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from exercises.expect import Text
from grader.catalogue import Exercise
from grader.proxy import StudentFailure
from grader.reading.files import Submission
from grader.reading.inside import FIND_ANSWER, modules
from grader.reading.notes import note
from grader.sandbox import CodecError, Worker
from grader.session import starved
from grader.verdicts import Verdict
from grader.wording import both


@dataclass(frozen=True)
class Found:
    """The program to load, or the verdict that leaves nothing to run (missing, unreadable, error).

    notes: how the answer was found; where there is a verdict, its reason comes last.
    alternative: the function as the student wrote it, where locked lines were changed, else "".
    seen: what the program reaches for, for grader.flags.
    failure: for the verdict error, why the answer's text doesn't parse.
    seconds: what finding it took. starved: it ran out of time, and the process had hardly computed.
    """

    program: str = ""
    alternative: str = ""
    verdict: Verdict | None = None
    failure: StudentFailure | None = None
    blanks: dict[str, str] = field(default_factory=dict)
    notes: tuple[Text, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    starved: bool = False


def find(worker: Worker, exercise: Exercise, submission: Submission, located: bool = True) -> Found:
    """Align the submission with the stub inside the worker, before any of its code runs there.

    located: note where the answer was found; pointless where the cell is one that we made.
    """
    began, cells = time.monotonic(), submission.plain()
    try:
        outcome = worker.trusted(modules(), FIND_ANSWER, *_arguments(exercise, cells))
    except CodecError:  # thousands of cells
        return Found(verdict=Verdict.UNREADABLE, notes=(*submission.notes, both("note.too_large", cells=len(cells))))
    if outcome.status != "ok" or not isinstance(outcome.value, Mapping):
        stopped = both("note.judge_stopped", status=outcome.detail or outcome.error_class or outcome.status)
        hungry, notes = starved(outcome, time.monotonic() - began), (*submission.notes, stopped)
        return Found(verdict=Verdict.UNREADABLE, notes=notes, seen=outcome.seen, starved=hungry)
    return replace(_found(outcome.value, submission, located), seconds=time.monotonic() - began)


def rehearsal(exercise: Exercise) -> tuple[str, list[Any]]:
    """A call of `find_answer` on an answer of ours, so that processes forked later have the stub read, and all warm."""
    answer = "import math  # told\n\n" + exercise.fill(dict.fromkeys(exercise.blank_ids, "(math.floor(0.5) / 2)"))
    cell = {"source": answer, "kind": "code", "marker": exercise.id, "id": None, "index": 0}
    return FIND_ANSWER, _arguments(exercise, [cell])


def _arguments(exercise: Exercise, cells: list[dict[str, Any]]) -> list[Any]:
    return [exercise.stub, exercise.id, cells, list(exercise.blank_ids), list(exercise.starts.values())]


def _told_once(codes: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Of several functions that one cell holds only the first is told how it was found: it's the same for all."""
    told: set[tuple[str, int]] = set()
    for code in codes:
        where = (code["code"], code["place"][0]) if code["code"].startswith("found_") else None
        if where is None or where not in told:
            yield code
        if where is not None:
            told.add(where)


def _found(answer: Mapping[str, Any], submission: Submission, located: bool) -> Found:
    whole_file = len(submission.cells) == 1
    codes = [code for code in _told_once(answer["notes"]) if located or not code["code"].startswith("found_")]
    notes = tuple(dict.fromkeys((*submission.notes, *(note(code, whole_file) for code in codes))))
    seen = tuple((code, name) for code, name in answer["seen"])
    if answer["status"] == "ok":
        return Found(answer["source"], answer["alternative"], blanks=answer["blanks"], notes=notes, seen=seen)
    verdict, error = Verdict(answer["status"]), answer["error"]
    failure = StudentFailure(verdict, error["class"], error["message"], error["text"].strip()) if error else None
    reason = note(answer["reason"], whole_file)
    notes = (*(one for one in notes if one != reason), reason)
    return Found(verdict=verdict, failure=failure, notes=notes, seen=seen)


def claimed(submission: Submission, exercise_ids: tuple[str, ...]) -> tuple[str, ...]:
    """The exercises that a submission visibly answers: by marker, by metadata or by the function's name."""
    return tuple(exercise_id for exercise_id in exercise_ids if _claims(submission, exercise_id))


def _claims(submission: Submission, exercise_id: str) -> bool:
    name = re.escape(exercise_id)
    signs = re.compile(rf"^[ \t]*(?:#\s*exercise:\s*{name}\s*$|def\s+{name}\s*\()", re.MULTILINE)
    return any(cell.marker == exercise_id or signs.search(cell.source) for cell in submission.cells)

