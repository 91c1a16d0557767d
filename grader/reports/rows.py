"""One learner's line of a graded batch, as it is shown and as it is kept for the next run."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from grader.verdicts import Report

NEEDS_A_PERSON = "needs a person"  # the beginning of a status that instructors' scripts look for, in every language


@dataclass(frozen=True)
class Marked:
    """One exercise of one learner. `points` is None where a person has to decide; `reason` then says why."""

    verdict: str
    points: float | None
    possible: float
    reason: str
    mistakes: tuple[str, ...]
    checks: dict[str, str]  # verdict by check id
    flags: tuple[str, ...] = ()  # the code of each kind of odd thing noticed, once


@dataclass(frozen=True)
class Row:
    """One learner: what was handed in, by exercise id.

    reason: set where no exercise could be judged at all; `verdict` (unreadable, missing) is then that of the whole.
    """

    learner: str
    stem: str
    marks: dict[str, Marked]
    reason: str = ""
    verdict: str = ""

    @property
    def needs_a_person(self) -> bool:
        return bool(self.reason) or any(mark.points is None for mark in self.marks.values())

    @property
    def total(self) -> float | None:
        """The sum of the points; None where a person has to decide on any part of it."""
        return None if self.needs_a_person else sum(mark.points or 0.0 for mark in self.marks.values())

    def status(self, expected: Iterable[str] = ()) -> str:
        """The verdict, by exercise where they differ, or why a person is needed. Names `expected` ids not handed in."""
        if self.needs_a_person:
            reasons = [self.reason] if self.reason else [mark.reason for mark in self.marks.values() if mark.reason]
            return f"{NEEDS_A_PERSON}: {'; '.join(dict.fromkeys(reasons))}"
        verdicts = {mark.verdict for mark in self.marks.values()}
        each = [f"{key}: {mark.verdict}" for key, mark in self.marks.items()]
        parts = list(verdicts) if len(verdicts) == 1 else each
        missing = [exercise_id for exercise_id in expected if exercise_id not in self.marks]
        return "; ".join(parts + ([f"not handed in: {', '.join(missing)}"] if missing else []))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def marked(report: Report, possible: float, reason: str) -> Marked:
    """The line's part for one judged exercise."""
    return Marked(
        verdict="judge fault" if report.judge_fault else str(report.verdict),
        points=None if report.needs_a_person else report.earned,
        possible=possible,
        reason=reason,
        mistakes=tuple(mistake_id for mistake_id, _ in report.mistakes),
        checks={check.check_id: str(check.verdict) for check in report.checks},
        flags=tuple(dict.fromkeys(code for code, _ in report.seen)),
    )


def row_from_json(data: Mapping[str, Any]) -> Row:
    """The row that `as_json` wrote. Raises KeyError or TypeError for anything else."""
    lists = ("mistakes", "flags")
    marks = {key: Marked(**(mark | {one: tuple(mark[one]) for one in lists})) for key, mark in data["marks"].items()}
    return Row(data["learner"], data["stem"], marks, data["reason"], data["verdict"])
