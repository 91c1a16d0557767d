"""What a submission costs, beside nbgrader and a bare Jupyter kernel: `python -m tests.benchmarks.grading`.

All three grade the same notebooks with the same asserts, visible and hidden, in turns within one run: of every ten
answers six are right, three are known mistakes and one is unfilled. Counted is the processor time of each command with
all its processes, by the kernel's cgroup accounting: isolated processes are not waited for by whoever started them, so
getrusage misses them. Needs Linux and a cgroup that may be divided (root, or `systemd-run --user --scope -p
Delegate=yes`), and PyPI at the first run: nbgrader goes into an environment of its own, build/nbgrader-venv.

The points that nbgrader gives must be those of this grader, or the run ends with an error.
"""
from __future__ import annotations

import argparse
import compileall
import csv
import itertools
import os
import platform
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from grader.catalogue import RNG, Check, Exercise, load
from grader.known_mistakes import solution_blanks
from grader.sandbox import detect

ROOT = Path(__file__).resolve().parent.parent.parent
NBGRADER = "nbgrader==0.9.6"
ENVIRONMENT, WORK = ROOT / "build" / "nbgrader-venv", ROOT / "build" / "benchmark"
EXERCISE, ASSIGNMENT = "rejection_rule", "ps1"
HIDDEN = ("### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS")
RIGHT, WRONG, UNFILLED = "right", "wrong", "unfilled"
TEN = (RIGHT, WRONG, RIGHT, RIGHT, WRONG, RIGHT, UNFILLED, RIGHT, WRONG, RIGHT)
KERNEL = """
import sys, nbformat, nbclient
for path in sys.argv[1:]:
    nbclient.NotebookClient(nbformat.read(path, 4), allow_errors=True, kernel_name="python3").execute()
"""


@dataclass
class Spent:
    """Seconds of one tool over all its turns."""

    cpu: float = 0.0
    wall: float = 0.0
    turns: list[float] = field(default_factory=list)  # processor seconds a submission of each turn


class Meter:
    """Runs commands in a cgroup of their own and reads what it used."""

    def __init__(self) -> None:
        first = Path("/sys/fs/cgroup/cpuacct")
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        own = next((line[3:] for line in lines if line.startswith("0::")), "/")  # cgroup v2
        parent = first if first.is_dir() else Path("/sys/fs/cgroup" + own)
        self._folder = parent / f"course-benchmark-{os.getpid()}"
        try:
            self._folder.mkdir()
        except OSError as error:
            sys.exit(f"{parent} can't be divided ({error}): run as root, or with systemd-run -p Delegate=yes.")

    def run(self, spent: Spent, count: int, command: Sequence[str | Path], **environment: str) -> None:
        """Run one command that grades `count` submissions."""
        before, started = self._cpu(), time.monotonic()
        ended = subprocess.run(
            command, cwd=ROOT, env=os.environ | environment, preexec_fn=self._enter, capture_output=True, text=True
        )
        spent.wall += time.monotonic() - started
        time.sleep(0.2)  # the last isolated processes are being taken down
        used = self._cpu() - before
        spent.cpu += used
        spent.turns.append(used / count)
        if ended.returncode not in (0, 1):  # 1: some need a person, or some cell raised
            sys.exit(f"{command[0]} ended with {ended.returncode}:\n{ended.stdout}\n{ended.stderr}")

    def close(self) -> None:
        self._folder.rmdir()

    def _enter(self) -> None:
        (self._folder / "cgroup.procs").write_text(str(os.getpid()))

    def _cpu(self) -> float:
        if (self._folder / "cpuacct.usage").exists():
            return int((self._folder / "cpuacct.usage").read_text()) / 1e9
        return int((self._folder / "cpu.stat").read_text().split()[1]) / 1e6


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100, help="submissions")
    options.add_argument("--turns", type=int, default=2, help="each tool grades a part of them in each turn")
    given = options.parse_args()
    install()
    shutil.rmtree(WORK, ignore_errors=True)
    exercise = load(EXERCISE)
    learners = write_submissions(exercise, given.count)
    prepare_nbgrader(exercise)
    spent = {name: Spent() for name in ("this grader", "nbgrader", "bare kernel")}
    meter = Meter()
    for turn in range(given.turns):
        part = learners[turn :: given.turns]
        grade(meter, spent["this grader"], turn, part)
        autograde(meter, spent["nbgrader"], part)
        execute(meter, spent["bare kernel"], part)
    meter.close()
    report(spent, given.count)
    compare_points(given.turns, sum(check.points for check in exercise.checks if check.takes_randomness))


def install() -> None:
    if not (ENVIRONMENT / "bin" / "nbgrader").exists():
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run([ENVIRONMENT / "bin" / "pip", "install", "-q", NBGRADER], check=True)
    for name in ("grader", "exercises", "solutions"):  # pip has compiled nbgrader: no tool pays for that
        compileall.compile_dir(ROOT / name, quiet=1)


# The submissions


def write_submissions(exercise: Exercise, count: int) -> list[str]:
    """One notebook a learner, without the hidden tests for the graders, with them for the bare kernel."""
    learners = []
    for number, source in zip(range(count), answers(exercise), strict=False):
        learner = f"learner{number:03}"
        _write(WORK / "submitted" / learner / ASSIGNMENT / f"{EXERCISE}.ipynb", exercise, source, hidden=False)
        _write(WORK / "kernel" / f"{learner}.ipynb", exercise, source, hidden=True)
        learners.append(learner)
    return learners


def answers(exercise: Exercise) -> Iterator[str]:
    right, mistakes = solution_blanks(exercise), itertools.cycle(exercise.mistakes)
    for number, kind in enumerate(itertools.cycle(TEN)):
        mistake = next(mistakes) if kind is WRONG else None
        blanks = {} if kind is UNFILLED else right | (mistake.blanks if mistake else {})
        yield f"# {number}\n" + exercise.fill(blanks, mistake.preamble if mistake else "")


def _write(path: Path, exercise: Exercise, answer: str, hidden: bool) -> None:
    cells = [
        _cell("answer", answer, solution=True),
        _cell("helper", f"import random, sys\nsys.path.insert(0, {str(ROOT)!r})", locked=True),
        *(_check_cell(exercise, check, hidden) for check in exercise.checks),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=metadata), path)  # type: ignore[no-untyped-call]


def _check_cell(exercise: Exercise, check: Check, hidden: bool) -> Any:
    module = f"exercises.{exercise.id}.checks" if check.visible else f"solutions.{exercise.id}.hidden"
    arguments = [exercise.id, *("random.Random(0)" if name == RNG else name for name in check.asks_for)]
    source = f"from {module} import {check.id}\n{check.id}({', '.join(arguments)})"
    if not check.visible:
        source = "\n".join([HIDDEN[0], source, HIDDEN[1]]) if hidden else ""
    return _cell(check.id, source, grade=True, locked=True, points=check.points)


def _cell(name: str, source: str, **settings: Any) -> Any:
    usual = {"grade": False, "grade_id": name, "locked": False, "schema_version": 3, "solution": False, "task": False}
    return new_code_cell(source, metadata={"nbgrader": usual | settings})  # type: ignore[no-untyped-call]


# The three tools


def prepare_nbgrader(exercise: Exercise) -> None:
    _write(WORK / "source" / ASSIGNMENT / f"{EXERCISE}.ipynb", exercise, exercise.solution_source, hidden=True)
    _nbgrader("generate_assignment", ASSIGNMENT, "--force")


def grade(meter: Meter, spent: Spent, turn: int, learners: Sequence[str]) -> None:
    folder = WORK / f"turn{turn}"
    for learner in learners:
        (folder / learner).mkdir(parents=True)
        shutil.copy(WORK / "submitted" / learner / ASSIGNMENT / f"{EXERCISE}.ipynb", folder / learner)
    meter.run(spent, len(learners), [sys.executable, "-m", "grader", "grade", folder, "--out", WORK / f"graded{turn}"])


def autograde(meter: Meter, spent: Spent, learners: Sequence[str]) -> None:
    wanted = WORK / "submitted"
    waiting = WORK / "waiting"
    wanted.rename(waiting)  # nbgrader takes all that is there
    for learner in learners:
        shutil.copytree(waiting / learner, wanted / learner)
    command = [ENVIRONMENT / "bin" / "nbgrader", "autograde", ASSIGNMENT, "--create", f"--CourseDirectory.root={WORK}"]
    meter.run(spent, len(learners), command, **_environment())
    shutil.rmtree(wanted)
    waiting.rename(wanted)


def execute(meter: Meter, spent: Spent, learners: Sequence[str]) -> None:
    notebooks = [WORK / "kernel" / f"{learner}.ipynb" for learner in learners]
    meter.run(spent, len(learners), [ENVIRONMENT / "bin" / "python", "-c", KERNEL, *notebooks], **_environment())


def _nbgrader(*arguments: str) -> None:
    command = [ENVIRONMENT / "bin" / "nbgrader", *arguments, f"--CourseDirectory.root={WORK}"]
    subprocess.run(command, cwd=WORK, env=os.environ | _environment(), check=True, capture_output=True)


def _environment() -> dict[str, str]:
    """nbgrader calls alembic by its name; nothing of the user's own Jupyter settings."""
    return {
        "PATH": f"{ENVIRONMENT / 'bin'}:{os.environ['PATH']}",
        "HOME": str(WORK),
        "JUPYTER_CONFIG_DIR": str(WORK / "jupyter"),
    }


# The result


def compare_points(turns: int, by_chance: float) -> None:
    """Equal points, but for `by_chance`: on a wrong answer the random checks of the two see other numbers."""
    _nbgrader("export", "--to", str(WORK / "grades.csv"))
    theirs = {row["student_id"]: float(row["raw_score"] or 0) for row in _rows(WORK / "grades.csv")}
    ours = {
        row["learner"]: float(row["total"] or 0)
        for turn in range(turns)
        for row in _rows(WORK / f"graded{turn}" / "gradebook.csv")
    }
    assert ours.keys() == theirs.keys()
    for number, learner in enumerate(sorted(ours)):
        allowed = by_chance if TEN[number % len(TEN)] is WRONG else 0.0
        if abs(ours[learner] - theirs[learner]) > allowed:
            sys.exit(f"{learner} has {ours[learner]} points here and {theirs[learner]} in nbgrader")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def report(spent: dict[str, Spent], count: int) -> None:
    against = spent["nbgrader"]
    python = platform.python_version()
    print(f"{count} submissions, {os.cpu_count()} cores, Python {python}, {NBGRADER}, tier {detect()}")
    print(f"{'':14}{'CPU s':>10}{'wall s':>10}{'CPU ratio':>12}   CPU s of each turn   (seconds a submission)")
    for name, one in spent.items():
        turns = ", ".join(f"{turn:.3f}" for turn in one.turns)
        print(f"{name:14}{one.cpu / count:10.3f}{one.wall / count:10.3f}{one.cpu / against.cpu:12.3f}   {turns}")


if __name__ == "__main__":
    main()
