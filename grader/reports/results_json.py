"""One learner's results in Gradescope's results.json format.

Source: gradescope-autograders.readthedocs.io, "Autograder specifications". A hidden check is one entry with visibility
`hidden`; even there `output` has only its title and idea, so that changing the visibility gives no number away. The
call and its values, for the instructor, are in the entry's `extra_data`.

An exercise that needs a person has no entries: an entry would claim a score. The file's `output` says why.
"""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from exercises.expect import Text
from grader.catalogue import Exercise
from grader.language import Words
from grader.reports.rows import NEEDS_A_PERSON, Row
from grader.verdicts import CheckResult, Report, Verdict

_NEXT = ",\n"
OURS = "course"  # our own part of `extra_data`
FORMATS = {"output_format": "text", "test_output_format": "text", "test_name_format": "text"}


def results(
    row: Row, judged: Sequence[tuple[Exercise, Report]], notes: Sequence[Text], words: Words, course: Mapping[str, Any]
) -> dict[str, Any]:
    """The whole file as JSON data; `course` is kept in `extra_data` for the next run."""
    return {
        "output": _output(row, judged, notes, words, course),
        **FORMATS,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            _test(exercise, check, f"{number}.{place}", report, words)
            for number, (exercise, report) in enumerate(judged, 1)
            if not report.needs_a_person
            for place, check in enumerate(report.checks, 1)
        ],
        "extra_data": {OURS: {**course, "row": row.as_json()}},
    }


def as_bytes(data: Mapping[str, Any]) -> bytes:
    """ASCII JSON, so that no name or value can break a reader. One line an entry and a test: indenting costs more."""
    lines = (f"{json.dumps(key)}: {_lines(value)}" for key, value in data.items())
    return f"{{\n{_NEXT.join(lines)}\n}}\n".encode("ascii")


def _lines(value: Any) -> str:
    return f"[\n{_NEXT.join(map(json.dumps, value))}\n]" if isinstance(value, list) and value else json.dumps(value)


def student_output(check: CheckResult, words: Words) -> str:
    """What a student may read of one check: of a hidden one only its idea and how it ended, never a number."""
    language = words.language
    ended = words(f"verdict.{check.verdict}")
    if not check.visible:
        return f"{ended}\n{check.idea.within(language)}"
    lines = [ended, *(f"{words(f'feedback.{key}')}: {value}" for key, value in check.facts.items())]
    return "\n".join(lines + ([f"{words('feedback.why')}: {check.why.within(language)}"] if check.why else []))


def _test(exercise: Exercise, check: CheckResult, number: str, report: Report, words: Words) -> dict[str, Any]:
    return {
        "name": check.title.within(words.language),
        "number": number,
        "score": check.earned,
        "max_score": check.points,
        "status": "passed" if check.verdict is Verdict.PASS else "failed",
        "output": student_output(check, words),
        "tags": [exercise.id, check.group],
        "visibility": "visible" if check.visible else "hidden",
        "extra_data": {
            "exercise": exercise.id,
            "check": check.check_id,
            "verdict": str(check.verdict),
            "called": check.called,
            "returned": check.returned,
            "expected": check.expected,
            "why": check.why.within(words.language) if check.why else "",
            "line": check.line,
            "seed": report.seed,
        },
    }


def _output(
    row: Row, judged: Sequence[tuple[Exercise, Report]], notes: Sequence[Text], words: Words, course: Mapping[str, Any]
) -> str:
    language = words.language
    lines = [f"{NEEDS_A_PERSON}: {row.reason}"] if row.reason else []
    for exercise, report in judged:
        mark = row.marks[exercise.id]
        state = f"{NEEDS_A_PERSON}: {mark.reason}" if mark.points is None else words(f"verdict.{report.verdict}")
        lines.append(f"{exercise.title.within(language)}: {state}")
        lines += [message.within(language) for _, message in report.mistakes]
        lines += [note.within(language) for note in report.notes]
    return "\n".join(lines + [note.within(language) for note in notes] + [str(course["isolation"])])
