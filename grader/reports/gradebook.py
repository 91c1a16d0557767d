"""gradebook.csv and summary.json of a batch."""
from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grader.plain import printable
from grader.reports.rows import Row

FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # a spreadsheet runs what follows


def gradebook(rows: Sequence[Row], points: Mapping[str, float]) -> str:
    """The CSV text: learner, the points by exercise id, total, max, status.

    points: what each exercise of the course gives, in course order; each has its column. An empty cell means "not
    handed in" or, with the status `needs a person`, "not decided"; it is never a 0. `max` counts the exercises that
    anyone in the batch handed in.
    """
    handed_in = [exercise_id for exercise_id in points if any(exercise_id in row.marks for row in rows)]
    possible = sum(points[exercise_id] for exercise_id in handed_in or points)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["learner", *points, "total", "max", "status"])
    for row in sorted(rows, key=lambda row: row.learner):
        cells = [number(row.marks[key].points) if key in row.marks else "" for key in points]
        writer.writerow([safe(row.learner), *cells, number(row.total), number(possible), safe(row.status(handed_in))])
    return text.getvalue()


def safe(cell: str) -> str:
    """A text from people, so that no spreadsheet takes it for a formula. Numbers of ours don't come through here."""
    plain = printable(cell)  # line ends too: not every reader of CSV expects them inside a cell
    return f"'{plain}" if plain.startswith(FORMULA_STARTS) else plain


def number(points: float | None) -> str:
    """Points without a needless `.0`; None is an empty cell."""
    if points is None:
        return ""
    return str(int(points)) if points == int(points) else str(round(points, 6))


def summary(rows: Sequence[Row], batch: Mapping[str, Any]) -> str:
    """The JSON text: counts by verdict, by check and by known mistake, beside what the batch says of itself.

    flags: in how many answers each kind of odd thing was noticed. It's the instructor's file; students don't get it.
    """
    exercises = sorted({exercise_id for row in rows for exercise_id in row.marks})
    counts = {
        "learners": len(rows),
        "needs_a_person": sorted(row.learner for row in rows if row.needs_a_person),
        "verdicts": _sorted(Counter(mark.verdict for row in rows for mark in row.marks.values())),
        "known_mistakes": _sorted(Counter(one for row in rows for mark in row.marks.values() for one in mark.mistakes)),
        "without_an_exercise": _sorted(Counter(row.verdict or "judge fault" for row in rows if row.reason)),
        "exercises": {exercise_id: _counts(exercise_id, rows) for exercise_id in exercises},
    }
    return json.dumps({**batch, **counts}, ensure_ascii=True, indent=2) + "\n"


def _counts(exercise_id: str, rows: Iterable[Row]) -> dict[str, Any]:
    marks = [row.marks[exercise_id] for row in rows if exercise_id in row.marks]
    checks: dict[str, Counter[str]] = {}
    for mark in marks:
        for check, verdict in mark.checks.items():
            checks.setdefault(check, Counter())[verdict] += 1
    return {
        "verdicts": _sorted(Counter(mark.verdict for mark in marks)),
        "checks": {check: _sorted(counter) for check, counter in checks.items()},
        "known_mistakes": _sorted(Counter(mistake for mark in marks for mistake in mark.mistakes)),
        "flags": _sorted(Counter(code for mark in marks for code in mark.flags)),
    }


def _sorted(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items()))
