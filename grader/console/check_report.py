"""What `check` prints: plain text for people, one JSON object for scripts."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grader.catalogue import Exercise
from grader.language import Words
from grader.plain import printable
from grader.reports.gradebook import number
from grader.submitting import Judged, why_a_person
from grader.verdicts import CheckResult, Report, Verdict
from grader.wording import wording


def as_json(file: Path, judged: Judged, tier: str, language: str) -> str:
    """The object that `check --json` documents in its --help."""
    data = {
        "file": str(file),
        "passed": bool(judged.reports) and all(report.passed for _, report in judged.reports),
        "tier": str(tier),
        "problem": judged.problem.within(language) if judged.problem else "",
        "notes": [note.within(language) for note in judged.notes],
        "exercises": [_exercise(exercise, report, language) for exercise, report in judged.reports],
    }
    return json.dumps(data, ensure_ascii=True, indent=2)


def _exercise(exercise: Exercise, report: Report, language: str) -> dict[str, Any]:
    return {
        "exercise": exercise.id,
        "verdict": str(report.verdict),
        "earned": report.earned,
        "possible": sum(check.points for check in exercise.visible),
        "seed": report.seed,
        "judge_fault": report.judge_fault,
        "blanks": report.blanks,
        "notes": [note.within(language) for note in report.notes],
        "mistakes": [{"id": key, "message": message.within(language)} for key, message in report.mistakes],
        "checks": [_check(check, language) for check in report.checks],
    }


def _check(check: CheckResult, language: str) -> dict[str, Any]:
    return {
        "id": check.check_id,
        "title": check.title.within(language),
        "verdict": str(check.verdict),
        "earned": check.earned,
        "points": check.points,
        "called": check.called,
        "returned": check.returned,
        "expected": check.expected,
        "why": check.why.within(language) if check.why else "",
        "line": check.line,
    }


def as_text(file: Path, judged: Judged, tier: str, language: str) -> str:
    """The same for people; every text from the file is printable, so a terminal can't be told anything."""
    words = wording(language)
    lines = [printable(str(file))]
    if judged.problem is not None:
        lines.append(f"  ✕ {judged.problem.within(language)}")
    for exercise, report in judged.reports:
        lines += _lines(exercise, report, words)
    lines += [f"  · {note.within(language)}" for note in judged.notes]
    return "\n".join([*lines, f"  {words('cli.tier', tier=tier)}"])


def _lines(exercise: Exercise, report: Report, words: Words) -> list[str]:
    language = words.language
    person = why_a_person(report)
    earned, possible = number(report.earned), number(sum(check.points for check in exercise.visible))
    ended = words("cli.passed" if report.passed else "cli.not_passed", earned=earned, possible=possible)
    lines = [f"{exercise.title.within(language)} ({exercise.id}): {person.within(language) if person else ended}"]
    for check in report.checks:
        lines += _check_lines(check, words)
    lines += [f"  → {message.within(language)}" for _, message in report.mistakes]
    said = person is not None and not report.judge_fault  # the last note is that reason
    notes = report.notes[:-1] if said else report.notes
    return lines + [f"  · {note.within(language)}" for note in notes]


def _check_lines(check: CheckResult, words: Words) -> list[str]:
    title = check.title.within(words.language)
    if check.verdict is Verdict.PASS:
        return [f"  ✓ {title}"]
    facts = check.facts | ({"why": check.why.within(words.language)} if check.why else {})
    first = f"  {check.verdict.sign} {title}: {words(f'verdict.{check.verdict}')}"
    return [first, *(f"      {words(f'feedback.{key}')}: {value}" for key, value in facts.items())]
