"""One check of a graded answer, run again by itself from what `grade` stored in results/<learner>.json.

`extra_data.course` keeps, by exercise id, the `programs` as they were judged (the stub with the blanks, and helpers of
the student's own, or the whole function as written) and `judged_with`, the content hash of exercise and judge. The
seed and the stored end are in the `extra_data` of the check's entry.
"""
from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exercises.expect import Text
from grader.catalogue import Check, Exercise, exercise_ids, load
from grader.judge import Judge
from grader.release import judged_with
from grader.reports.results_json import OURS
from grader.verdicts import CheckResult, Verdict
from grader.wording import both


class NotReplayable(Exception):
    """The result file or the check's name doesn't do; `reason` says why."""

    def __init__(self, key: str, **slots: object) -> None:
        self.reason: Text = both(f"replay.{key}", **slots)
        super().__init__(self.reason.en)


@dataclass(frozen=True)
class Stored:
    """What `grade` stored of one check."""

    learner: str
    exercise: Exercise
    check: Check
    program: str
    seed: int
    verdict: Verdict
    facts: Mapping[str, str]  # called, returned, expected, line
    judged_with: str

    @property
    def is_current(self) -> bool:
        """Whether the exercise and the judge are those of then."""
        return self.judged_with == judged_with(self.exercise.id)


def stored(data: bytes, name: str) -> Stored:
    """What the result file keeps of the check `name`: its id, or EXERCISE/ID. Raises NotReplayable."""
    try:
        result = json.loads(data)
        course = result["extra_data"][OURS]
        entries = [test["extra_data"] for test in result["tests"]]
        programs, hashes, learner = course["programs"], course["judged_with"], course["learner"]
        known = [(entry["exercise"], entry["check"]) for entry in entries]
    except (ValueError, KeyError, TypeError):
        raise NotReplayable("not_a_result") from None
    place = known.index(_chosen(name, known))
    try:
        return _stored(entries[place], learner, programs, hashes)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise NotReplayable("not_a_result") from None


def replay(wanted: Stored, judge: Judge) -> CheckResult:
    """The check, run again in isolation. Raises JudgeFault and SandboxUnavailable."""
    return judge.replay(wanted.exercise, wanted.program, wanted.check, wanted.seed)


def full_name(exercise_id: str, check_id: str) -> str:
    """A check's name that is clear in a result with several exercises."""
    return f"{exercise_id}/{check_id}"


def _chosen(name: str, known: list[tuple[str, str]]) -> tuple[str, str]:
    if not known:
        raise NotReplayable("nothing_judged")
    fitting = [pair for pair in known if name in (pair[1], full_name(*pair))]
    every = ", ".join(full_name(*pair) for pair in known)
    if not fitting:
        raise NotReplayable("unknown_check", name=name, known=every)
    if len(fitting) > 1:
        raise NotReplayable("ambiguous", name=name, known=", ".join(full_name(*pair) for pair in fitting))
    return fitting[0]


def _stored(entry: Mapping[str, Any], learner: str, programs: Mapping[str, str], hashes: Mapping[str, str]) -> Stored:
    exercise_id, check_id = entry["exercise"], entry["check"]
    if exercise_id not in exercise_ids():
        raise NotReplayable("gone", name=exercise_id)
    exercise = load(exercise_id)
    check = next((one for one in exercise.checks if one.id == check_id), None)
    if check is None:
        raise NotReplayable("gone", name=full_name(exercise_id, check_id))
    program = str(programs[exercise_id])
    if not program:
        raise NotReplayable("no_program", error=str(entry["returned"]))
    return Stored(
        learner=str(learner),
        exercise=exercise,
        check=check,
        program=program,
        seed=int(entry["seed"]),
        verdict=Verdict(entry["verdict"]),
        facts={key: str(entry[key]) for key in ("called", "returned", "expected", "line")},
        judged_with=str(hashes[exercise_id]),
    )
