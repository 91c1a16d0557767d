"""`python -m grader`: check, grade, replay, notebooks, doctor.

Instructors script it: commands, files and exit codes are a contract.
"""
from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from grader.catalogue import exercise_ids
from grader.console.check_report import as_json, as_text
from grader.console.doctor_report import as_text as as_text_of_machine
from grader.console.progress_line import ProgressLine
from grader.judge import Judge
from grader.language import LANGUAGES
from grader.plain import printable
from grader.rosters import FORMATS, BadRoster, Filled, Roster, read_roster
from grader.sandbox import SandboxUnavailable, Tier, doctor
from grader.submitting import judge_files
from grader.verdicts import Verdict
from grader.wording import wording

OK, SOME_FAILED, UNUSABLE = 0, 1, 2

LANGUAGE = click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the texts."
)


class Unusable(click.ClickException):
    """Bad usage or an unreadable file: a plain sentence and exit code 2."""

    exit_code = UNUSABLE


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def main() -> None:
    """Check and grade answers, replay single checks, write the student notebooks, look at this machine's isolation."""


@main.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--exercise", "exercise_id", metavar="ID", help="The exercise; else every one that the file answers.")
@click.option("--json", "as_data", is_flag=True, help="Print one JSON object instead of text (see below).")
@click.option("--own-code", is_flag=True, help="Without a sandbox here: run it anyway, as you, with a time limit only.")
@LANGUAGE
def check_command(file: Path, exercise_id: str | None, as_data: bool, own_code: bool, language: str) -> None:
    """Run the visible checks of one .py or .ipynb FILE.

    Exit code: 0 all passed, 1 something failed, 2 the file can't be read.

    \b
    --json prints an object with
      file, passed (true where every check of every exercise passed), tier,
      problem ("" or why nothing could be judged), notes (list of texts),
      exercises: a list of objects with
        exercise, verdict, earned, possible, seed, judge_fault,
        blanks (text by blank id), notes (list of texts),
        mistakes (list of {id, message}),
        checks (list of {id, title, verdict, earned, points,
                called, returned, expected, why, line}).
    Verdicts: pass fail error timeout memory output-limit killed blocked
    missing unreadable tampered.
    """
    chosen = _exercises(exercise_id, language)
    data = _read(file, language)
    with _judge_for_check(own_code, language) as judge:
        judged = judge_files([(file.name, data)], chosen, judge, hidden=False)
    print_ = as_json if as_data else as_text
    click.echo(print_(file, judged, judge.tier, language))
    verdicts = [report.verdict for _, report in judged.reports]
    if judged.problem is not None or Verdict.UNREADABLE in verdicts:
        raise SystemExit(UNUSABLE)
    raise SystemExit(OK if all(verdict is Verdict.PASS for verdict in verdicts) else SOME_FAILED)


@main.command("grade")
@click.argument("submissions", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where the results go.")
@click.option("--jobs", type=int, default=None, metavar="N", help="Submissions judged at a time.  [default: the cores]")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="Also write DIR/canvas.csv or DIR/moodle.csv.")
@click.option("--roster", type=click.Path(path_type=Path), metavar="FILE", help="The CSV exported from that platform.")
@click.option("--column", metavar="NAME", help="The roster's column for the points of all exercises together.")
@LANGUAGE
def grade_command(
    submissions: Path,
    out: Path,
    jobs: int | None,
    format_: str | None,
    roster: Path | None,
    column: str | None,
    language: str,
) -> None:
    """Run the visible and hidden checks of every submission in a folder or zip.

    Writes DIR/gradebook.csv, DIR/summary.json, DIR/results/LEARNER.json (Gradescope's format) and
    DIR/feedback/LEARNER.html. A second run on the same DIR redoes only what changed.

    With --format and --roster also writes the roster with the points filled in, to be imported: the gradebook that
    Canvas exports, or Moodle's grading worksheet. Its rows and columns stay as they are. Learners are matched by the
    platform's number in the file name, an id, login or address, or the name; who fits no row, or several, is listed
    and left out. Whoever has no points here keeps the cell as it was. In Canvas's file the columns are those that have
    an exercise's id or title, or the only one, or --column.

    Exit code: 0 all judged (whatever the marks), 1 some could not be judged, 2 bad usage.
    """
    from grader.batch import grade_folder
    from grader.reading.files import Unreadable

    words = wording(language)
    jobs = os.cpu_count() or 1 if jobs is None else jobs
    if jobs < 1:
        raise Unusable(words("cli.bad_jobs", jobs=jobs))
    _refuse_inside(submissions, out, language)
    wanted = _roster(format_, roster, column, language)
    with _isolated_judge(jobs, language) as judge, ProgressLine(sys.stderr, language) as progress:
        try:
            result = grade_folder(submissions, out, jobs, language, judge, progress, wanted)
        except Unreadable as unreadable:
            raise Unusable(unreadable.reason.within(language)) from None
        except OSError as error:
            raise _cannot_write(error, out, language) from None
    person = sum(row.needs_a_person for row in result.rows)
    click.echo(words("cli.graded", count=len(result.rows), kept=result.kept, person=person))
    click.echo(words("cli.written", path=out / "gradebook.csv"))
    if wanted is not None and result.filled is not None:
        _say_filled(wanted, result.filled, out, language)
    if not result.rows:
        click.echo(words("cli.none_found", path=submissions), err=True)
    raise SystemExit(SOME_FAILED if result.any_unjudged else OK)


@main.command("replay")
@click.argument("result", type=click.Path(path_type=Path))
@click.argument("check")
@LANGUAGE
def replay_command(result: Path, check: str, language: str) -> None:
    """Run one CHECK of a graded answer again, alone, and print the call, the seed and both values.

    RESULT is DIR/results/LEARNER.json of a `grade` run, CHECK a check's id in it, or EXERCISE/ID where several
    exercises have that id. What runs is the program as it was judged, with the seed of then. For instructors: the
    numbers of hidden checks are shown.

    Exit code: 0 the check ends as it did then, 1 it ends in another way, 2 nothing can be replayed.
    """
    from grader.checking import JudgeFault
    from grader.console.replay_report import as_text as as_text_of_replay
    from grader.replaying import NotReplayable, replay, stored

    try:
        wanted = stored(_read(result, language), check)
        with _isolated_judge(1, language) as judge:
            now = replay(wanted, judge)
    except NotReplayable as problem:
        raise Unusable(f"{result}: {problem.reason.within(language)}") from None
    except (JudgeFault, SandboxUnavailable) as fault:
        raise Unusable(wording(language)("replay.cannot_decide", fault=fault)) from None
    click.echo(as_text_of_replay(wanted, now, judge.tier, language))
    raise SystemExit(OK if now.verdict is wanted.verdict else SOME_FAILED)


@main.command("notebooks")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@LANGUAGE
def notebooks_command(folder: Path, language: str) -> None:
    """Write the student notebooks, DIR/EXERCISE.ipynb, in one language. Use one DIR for each language."""
    from grader.notebooks import write_notebooks

    try:
        written = write_notebooks(folder, language)
    except OSError as error:
        raise _cannot_write(error, folder, language) from None
    for path in written:
        click.echo(path)


@main.command("doctor")
@click.option("--json", "as_data", is_flag=True, help="Print one JSON object instead of text.")
@LANGUAGE
def doctor_command(as_data: bool, language: str) -> None:
    """Prove which isolation tiers work here, and say what the next one lacks.

    Exit code: 0 full isolation, 1 less.

    \b
    --json prints an object with
      tier (full, kernel or basic: the best that works here, or null),
      limits {cpu_seconds, call_seconds, answer_seconds, memory_mib,
              threads, output_kib, reply_kib},
      tiers: a list of {tier, works, reason, fix, landlock}, best first,
      system, kernel, python, bubblewrap, libseccomp ("" where missing),
      landlock (the kernel's version, 0 for none),
      no_groups (why answers get no control groups, "" where they do),
      no_forks (why each process is started anew, "" where it is forked).
    """
    report = doctor()
    click.echo(report.as_json() if as_data else as_text_of_machine(report, wording(language)))
    raise SystemExit(OK if report.tier is Tier.FULL else SOME_FAILED)


def _exercises(exercise_id: str | None, language: str) -> tuple[str, ...]:
    known = exercise_ids()
    if exercise_id is None:
        return known
    if exercise_id not in known:
        raise Unusable(wording(language)("cli.unknown_exercise", name=exercise_id, known=", ".join(known)))
    return (exercise_id,)


def _read(file: Path, language: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable(wording(language)("cli.cannot_read", name=str(file), reason=reason)) from None


def _roster(format_: str | None, file: Path | None, column: str | None, language: str) -> Roster | None:
    words = wording(language)
    if (format_ is None) != (file is None):
        raise Unusable(words("roster.pair"))
    if format_ is None or file is None:
        if column is not None:
            raise Unusable(words("roster.column_alone"))
        return None
    try:
        return read_roster(_read(file, language), str(file), format_, exercise_ids(), column)
    except BadRoster as problem:
        raise Unusable(problem.reason.within(language)) from None


def _say_filled(roster: Roster, filled: Filled, out: Path, language: str) -> None:
    words = wording(language)
    every = len(roster.parts.people)
    click.echo(words("cli.written", path=out / roster.file))
    click.echo(words("roster.filled", count=filled.count, open=every - filled.count, all=every))
    for warning in filled.warnings:
        click.echo(warning.within(language), err=True)
    for learner, reason in filled.unmatched:
        who = printable(learner)
        click.echo(words("roster.unmatched", learner=who, reason=reason.within(language)), err=True)


def _cannot_write(error: OSError, place: Path, language: str) -> Unusable:
    words = wording(language)
    return Unusable(words("cli.cannot_write", path=error.filename or place, reason=error.strerror or error))


def _refuse_inside(submissions: Path, out: Path, language: str) -> None:
    words = wording(language)
    if not submissions.exists():
        raise Unusable(words("cli.cannot_read", name=str(submissions), reason=os.strerror(2)))
    if submissions.is_dir() and out.resolve().is_relative_to(submissions.resolve()):
        raise Unusable(words("cli.inside", out=out, path=submissions))


@contextlib.contextmanager
def _isolated_judge(jobs: int, language: str) -> Iterator[Judge]:
    """A judge for other people's code: full or kernel, or nothing."""
    words = wording(language)
    try:
        judge = Judge(warm=jobs)
    except SandboxUnavailable as unavailable:
        raise Unusable(f"{words('cli.no_isolation')} {unavailable}\n{words('cli.grade_refuses')}") from None
    with contextlib.closing(judge):
        yield judge


@contextlib.contextmanager
def _judge_for_check(own_code: bool, language: str) -> Iterator[Judge]:
    """The best tier; where there is none, the tier `basic` after an explicit yes."""
    try:
        judge = Judge(warm=1)
    except SandboxUnavailable as unavailable:
        _ask_for_basic(str(unavailable), own_code, language)
        judge = Judge(tier=Tier.BASIC, warm=1, accept_basic=True)
    with contextlib.closing(judge):
        yield judge


def _ask_for_basic(reason: str, own_code: bool, language: str) -> None:
    words = wording(language)
    click.echo(words("cli.basic_warning", reason=reason), err=True)
    if own_code:
        return
    if not _is_terminal() or not click.confirm(words("cli.basic_question"), default=False, err=True):
        raise Unusable(f"{words('cli.no_isolation')} {words('cli.basic_how')}")


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()
