"""SIGKILL at random moments: what is there is whole, and the next run ends with the same bytes as an undisturbed one.

COURSE_LONG_TESTS=1 kills 50 times, in rounds of 10, and lets a run finish after each; else 6 times, and a run finishes
at the end.
"""
from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.catalogue import ROOT, load
from grader.known_mistakes import solution_blanks
from grader.reports.writing import PARTIAL

LONG = bool(os.environ.get("COURSE_LONG_TESTS"))
ROUNDS, KILLS = (5, 10) if LONG else (1, 6)
LEARNERS = 40
ROSTER = "Student,ID,SIS Login ID,Section,HW (1)\n"


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fast ones of every kind: most are decided before an answer runs."""
    folder = tmp_path_factory.mktemp("killed") / "submissions"
    folder.mkdir()
    exercise = load("rejection_rule")
    right = solution_blanks(exercise)
    kinds = [
        exercise.fill(right).encode(),
        b"%PDF-1.7 no notebook",
        b"",
        exercise.fill(right | {"residual": "p"}).encode(),
        b"<!doctype html>",
        exercise.stub.encode(),
        b"PK\x03\x04",
        b"<html>",
    ]
    roster = ROSTER
    for number in range(LEARNERS):
        (folder / f"learner{number:02}.py").write_bytes(kinds[number % len(kinds)])
        roster += f"Learner,{number},learner{number:02},C,\n"
    (folder.parent / "roster.csv").write_text(roster, "utf-8")
    return folder


def grade(submissions: Path, out: Path) -> subprocess.Popen[bytes]:
    roster = submissions.parent / "roster.csv"
    command = [sys.executable, "-m", "grader", "grade", submissions, "--out", out, "--jobs", "2"]
    command += ["--format", "canvas", "--roster", roster]
    return subprocess.Popen(
        [str(part) for part in command], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def finish(submissions: Path, out: Path) -> dict[str, bytes]:
    """The files after a run that nobody disturbs. Exit code 1: some need a person."""
    assert grade(submissions, out).wait(120) == 1
    return files(out)


def files(out: Path) -> dict[str, bytes]:
    found = (path for path in out.rglob("*") if path.is_file())
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in found}


def emptied(out: Path) -> None:
    for path in sorted(out.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


@pytest.fixture(scope="module")
def undisturbed(submissions: Path) -> tuple[dict[str, bytes], float]:
    """The files of a run that nobody killed, and how long it took."""
    start = time.monotonic()
    whole = finish(submissions, submissions.parent / "whole")
    assert len(whole) == 2 * LEARNERS + 3
    return whole, time.monotonic() - start


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_run_killed_at_random_moments_is_finished_by_the_next_with_the_same_bytes(
    submissions: Path, undisturbed: tuple[dict[str, bytes], float], tmp_path: Path, seed: int
) -> None:
    (whole, seconds), chance, out, killed = undisturbed, random.Random(seed), tmp_path / "out", 0
    while killed < KILLS:
        run = grade(submissions, out)
        try:
            run.wait(chance.uniform(0.1, 0.95) * seconds)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            killed += run.wait() == -signal.SIGKILL
            left = {name: data for name, data in files(out).items() if PARTIAL not in name}
            assert {name: data for name, data in left.items() if whole.get(name) != data} == {}
            if LONG:
                assert finish(submissions, out) == whole
                emptied(out)
        else:  # it was done before
            assert files(out) == whole
            emptied(out)
    assert finish(submissions, out) == whole
