"""One learner's submission: its files read together, each exercise in it judged."""
from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from exercises.expect import Text
from grader.catalogue import Exercise, load
from grader.finding import claimed
from grader.judge import Judge, seed_for
from grader.reading.files import Submission, Unreadable, combine, read_submission
from grader.reading.notes import shorten
from grader.release import release
from grader.verdicts import Report, Verdict
from grader.wording import both

Files = Sequence[tuple[str, bytes]]  # (name, content)


@dataclass(frozen=True)
class Judged:
    """What was handed in, judged.

    problem: set, with its verdict (unreadable or missing), where no exercise could be judged at all.
    """

    reports: tuple[tuple[Exercise, Report], ...] = ()
    notes: tuple[Text, ...] = ()
    problem: Text | None = None
    verdict: Verdict | None = None


def fingerprint(files: Files) -> str:
    """The hash of the files' names and bytes."""
    digest = hashlib.sha256()
    for name, data in files:
        for part in (name.encode("utf-8", "surrogatepass"), data):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def judge_files(
    files: Files, exercise_ids: tuple[str, ...], judge: Judge, hidden: bool, unread: Sequence[tuple[str, Text]] = ()
) -> Judged:
    """Read all files as one submission and judge each exercise it answers.

    Where the text names no exercise the answer may still be found (renamed function, marker gone): every exercise is
    tried, and those with an answer count.
    """
    submission, problems = _read(files, unread)
    if submission is None:
        if problems:
            return Judged(problem=_joined(problems), verdict=Verdict.UNREADABLE)
        return Judged(problem=both("note.no_files"), verdict=Verdict.MISSING)
    named = claimed(submission, exercise_ids)
    seed_bytes = b"\0".join(data for _, data in files)
    judged = [_judged(key, submission, seed_bytes, judge, hidden) for key in named or exercise_ids]
    if not named and len(judged) > 1:
        judged = [pair for pair in judged if pair[1].verdict is not Verdict.MISSING]
    if not judged:
        return Judged(notes=tuple(problems), problem=both("note.nothing_found"), verdict=Verdict.MISSING)
    return Judged(reports=tuple(judged), notes=tuple(problems))


def why_a_person(report: Report) -> Text | None:
    """Why this report gives no points; None where it does."""
    if report.judge_fault:
        return both("note.judge_fault", fault=report.judge_fault)
    if not report.needs_a_person:
        return None
    verdict = both(f"verdict.{report.verdict}")
    if not report.notes:
        return verdict
    return Text(f"{verdict.en}: {report.notes[-1].en}", f"{verdict.zh}：{report.notes[-1].zh}")


def _judged(
    exercise_id: str, submission: Submission, seed_bytes: bytes, judge: Judge, hidden: bool
) -> tuple[Exercise, Report]:
    exercise = load(exercise_id)
    report = judge.judge(exercise, submission, hidden=hidden, seed=seed_for(seed_bytes, exercise_id))
    return exercise, replace(report, notes=(*_other_releases(submission, exercise_id), *report.notes))


def _other_releases(submission: Submission, exercise_id: str) -> list[Text]:
    """A note for each other release of the exercise that the notebook says it's made from. It costs nothing."""
    ours = release(exercise_id)
    said = dict.fromkeys(cell.release for cell in submission.cells if cell.marker == exercise_id and cell.release)
    others = [one for one in said if one != ours][:3]
    return [both("note.other_release", theirs=shorten(one or ""), ours=ours) for one in others]


def _read(files: Files, unread: Sequence[tuple[str, Text]]) -> tuple[Submission | None, list[Text]]:
    """The readable files as one submission, and what is wrong with the others."""
    readable, problems = [], [_also_unreadable(name, reason) for name, reason in unread]
    for name, data in files:
        try:
            readable.append(read_submission(data, name))
        except Unreadable as unreadable:
            problems.append(_also_unreadable(name, unreadable.reason))
    return (combine(readable) if readable else None), problems


def _also_unreadable(name: str, reason: Text) -> Text:
    english, chinese = (both("note.also_unreadable", name=shorten(name), reason=one) for one in reason)
    return Text(english.en, chinese.zh)


def _joined(texts: Sequence[Text]) -> Text:
    return Text("; ".join(text.en for text in texts), "；".join(text.zh for text in texts))
