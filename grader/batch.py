"""A folder or zip of submissions to a gradebook, Gradescope results and feedback pages.

What was judged stays with its result: `results/<learner>.json` keeps, in `extra_data.course`, a key made of the
submitted bytes, the exercises' content, the judge's own code, the tier and the language. A run takes over what still
has its key and judges the rest, so an interrupted run goes on where it stopped and ends with the same bytes.
"""
from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exercises.expect import Text
from grader.catalogue import exercise_ids, points
from grader.judge import Judge
from grader.reading.folders import Entry, entries
from grader.release import judged_with
from grader.reports import feedback, results_json
from grader.reports.gradebook import gradebook, summary
from grader.reports.rows import Row, marked, row_from_json
from grader.reports.writing import stems, sweep, write
from grader.rosters import Filled, Roster, fill
from grader.sandbox import Limits
from grader.submitting import Judged, fingerprint, judge_files, why_a_person
from grader.wording import both, wording

Progress = Callable[[int, int, str], None]  # done, total, learner


@dataclass(frozen=True)
class BatchResult:
    rows: tuple[Row, ...]  # by learner
    any_unjudged: bool
    kept: int  # taken over from the last run
    filled: Filled | None = None  # where there was a roster


@dataclass(frozen=True)
class _Task:
    """What judging one learner needs."""

    entry: Entry
    row_stem: str
    out: Path
    language: str
    judge: Judge
    exercises: Mapping[str, str]  # what each is judged with, by id

    @property
    def result(self) -> Path:
        return self.out / "results" / f"{self.row_stem}.json"

    @property
    def page(self) -> Path:
        return self.out / "feedback" / f"{self.row_stem}.html"


def grade_folder(
    path: Path,
    out: Path,
    jobs: int,
    language: str,
    judge: Judge,
    progress: Progress | None = None,
    roster: Roster | None = None,
) -> BatchResult:
    """Judge every submission at `path` with `jobs` at a time, and write everything under `out`.

    One bad submission never stops the others: it gets a row whose status says why. Raises OSError where `out` can't be
    written, and Unreadable where `path` is no folder and no zip. A roster gets the points filled in, as another file.
    """
    found = entries(path)
    for folder in (out, out / "results", out / "feedback"):
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder)
    names = stems(entry.learner for entry in found)
    exercises = {exercise_id: judged_with(exercise_id) for exercise_id in exercise_ids()}
    tasks = [_Task(entry, names[entry.learner], out, language, judge, exercises) for entry in found]
    rows, kept = _run(tasks, jobs, progress)
    _forget_others(out, set(names.values()))
    possible = {exercise_id: points(exercise_id) for exercise_id in exercises}
    write(out / "gradebook.csv", gradebook(rows, possible).encode())
    filled = fill(roster, rows, possible) if roster is not None else None
    batch = about(judge, language)
    if roster is not None and filled is not None:
        write(out / roster.file, filled.text.encode())
        batch["import"] = filled.as_json(roster, language)
    write(out / "summary.json", summary(rows, batch).encode())
    return BatchResult(tuple(rows), any(row.needs_a_person for row in rows), kept, filled)


def about(judge: Judge, language: str) -> dict[str, Any]:
    """How a batch was judged: what every report states."""
    return {
        "tier": str(judge.tier),
        "isolation": isolation(judge, (), language),
        "python": platform.python_version(),
        "language": language,
    }


def isolation(judge: Judge, limits: Sequence[Limits], language: str) -> str:
    """The tier and the limits of the answers (the usual ones where there is no answer), in sentences."""
    words = wording(language)
    stated = (
        words(
            "feedback.limits",
            cpu=one.cpu_seconds,
            call=f"{one.call_seconds:g}",
            answer=f"{one.answer_seconds:g}",
            memory=one.memory_mib,
            output=one.output_kib,
        )
        for one in dict.fromkeys(limits or (Limits(),))
    )
    tier = words("feedback.isolation", tier=judge.tier, tier_says=words(f"tier.{judge.tier}"))
    return " ".join([tier, *stated])


def _run(tasks: Sequence[_Task], jobs: int, progress: Progress | None) -> tuple[list[Row], int]:
    rows, kept = [], 0
    with ThreadPoolExecutor(jobs, thread_name_prefix="grade") as threads:
        waiting = {threads.submit(_one, task): task for task in tasks}
        try:
            for done, future in enumerate(as_completed(waiting), 1):
                row, again = future.result()
                rows.append(row)
                kept += again
                if progress is not None:
                    progress(done, len(tasks), row.learner)
        except BaseException:  # Ctrl+C, a full disk: don't start the rest
            threads.shutdown(wait=False, cancel_futures=True)
            raise
    return sorted(rows, key=lambda row: row.learner), kept


def _one(task: _Task) -> tuple[Row, bool]:
    """One learner's row, and whether it is the last run's."""
    try:
        files, unread = task.entry.load()
        key = _key(task, fingerprint(files), unread)
        before = _last(task, key)
        if before is not None:
            return before, True
        judged = judge_files(files, tuple(task.exercises), task.judge, hidden=True, unread=unread)
        if any(report.judge_fault for _, report in judged.reports):
            key = ""  # worth another try in the next run
    except Exception as error:  # a fault of ours must not cost the other learners their marks
        key, judged = "", Judged(problem=both("note.judge_fault", fault=f"{type(error).__name__}: {error}"[:300]))
    return _write(task, key, judged), False


def _key(task: _Task, submitted: str, unread: Sequence[tuple[str, Text]]) -> str:
    """Whatever a result depends on, hashed."""
    parts = [submitted, task.entry.learner, task.language, str(task.judge.tier), *task.exercises.values()]
    return hashlib.sha256(json.dumps([parts, unread, task.entry.notes]).encode()).hexdigest()


def _last(task: _Task, key: str) -> Row | None:
    """The row that an earlier run wrote for exactly this; anything odd about the files means: judge again."""
    try:
        kept = json.loads(task.result.read_bytes())["extra_data"][results_json.OURS]
        if kept["key"] != key or kept["page"] != hashlib.sha256(task.page.read_bytes()).hexdigest():
            return None
        return row_from_json(kept["row"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(task: _Task, key: str, judged: Judged) -> Row:
    """Write the learner's two files, the page first: a result is only taken over when its page is there."""
    notes = (*task.entry.notes, *judged.notes)
    course: dict[str, Any] = {
        "key": key,
        "learner": task.entry.learner,
        "language": task.language,
        "tier": str(task.judge.tier),
        "isolation": isolation(task.judge, [exercise.limits for exercise, _ in judged.reports], task.language),
        "blanks": {exercise.id: report.blanks for exercise, report in judged.reports},
        "programs": {exercise.id: report.program for exercise, report in judged.reports},  # for `replay`
        "judged_with": {exercise.id: task.exercises[exercise.id] for exercise, _ in judged.reports},
        "flags": {
            exercise.id: [flag.within(task.language) for flag in report.flags]
            for exercise, report in judged.reports
            if report.flags
        },
    }
    row = _row(task, judged)
    words = wording(task.language)
    html = feedback.page(row, judged.reports, notes, words, course).encode()
    write(task.page, html)
    course["page"] = hashlib.sha256(html).hexdigest()
    write(task.result, results_json.as_bytes(results_json.results(row, judged.reports, notes, words, course)))
    return row


def _row(task: _Task, judged: Judged) -> Row:
    marks = {
        exercise.id: marked(report, exercise.points, _within(why_a_person(report), task.language))
        for exercise, report in judged.reports
    }
    reason = _within(judged.problem, task.language)
    return Row(task.entry.learner, task.row_stem, marks, reason, str(judged.verdict or ""))


def _within(text: Text | None, language: str) -> str:
    return text.within(language) if text else ""


def _forget_others(out: Path, kept: set[str]) -> None:
    """Remove results and pages of learners who are no longer among the submissions; only files that we wrote."""
    for result in (out / "results").glob("*.json"):
        if result.stem not in kept and _is_ours(result):
            result.unlink()
            (out / "feedback" / f"{result.stem}.html").unlink(missing_ok=True)


def _is_ours(result: Path) -> bool:
    try:
        data: Mapping[str, Any] = json.loads(result.read_bytes())
        return "key" in data["extra_data"][results_json.OURS]
    except (OSError, ValueError, KeyError, TypeError):
        return False
