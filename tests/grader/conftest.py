"""What the grader's tests share. The judge is a real one, at the best tier of this machine: no isolation, no pass."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.batch import BatchResult, grade_folder
from grader.catalogue import Exercise, load
from grader.judge import Judge
from grader.verdicts import CheckResult, Report, Verdict

RIGHT = {"accept": "min(1.0, target_probs[draft_token] / qx)", "residual": "max(p - q, 0.0)"}


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    judge = Judge(warm=2)
    yield judge
    judge.close()


@pytest.fixture
def exercise() -> Exercise:
    return load("rejection_rule")


@pytest.fixture
def right() -> dict[str, str]:
    return dict(RIGHT)


@pytest.fixture
def report(exercise: Exercise) -> Callable[..., Report]:
    """A report made by hand: every check passes, but for the verdicts given by check id."""

    def make(verdicts: dict[str, CheckResult] | None = None, **fields: object) -> Report:
        results = tuple((verdicts or {}).get(check.id, passed(exercise, check.id)) for check in exercise.checks)
        verdict = next((result.verdict for result in results if result.verdict is not Verdict.PASS), Verdict.PASS)
        given = {"exercise_id": exercise.id, "verdict": verdict, "checks": results, "tier": "full", "seed": 5}
        return Report(**(given | fields))  # type: ignore[arg-type]

    return make


def passed(exercise: Exercise, check_id: str) -> CheckResult:
    check = next(check for check in exercise.checks if check.id == check_id)
    return CheckResult(check.id, check.title, check.idea, check.visible, check.group, check.points, Verdict.PASS)


@dataclass
class Class:
    """A folder of submissions and where its results go."""

    submissions: Path
    out: Path
    judge: Judge
    outcome: BatchResult | None = None

    def hand_in(self, name: str, text: str | bytes) -> None:
        path = self.submissions / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)

    def grade(self, language: str = "en", jobs: int = 2) -> BatchResult:
        return grade_folder(self.submissions, self.out, jobs, language, self.judge)

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.out.rglob("*") if path.is_file())
        return {path.relative_to(self.out).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="session")
def new_class(judge: Judge) -> Callable[[Path], Class]:
    def make(folder: Path) -> Class:
        (folder / "submissions").mkdir()
        return Class(folder / "submissions", folder / "out", judge)

    return make


@pytest.fixture
def a_class(tmp_path: Path, new_class: Callable[[Path], Class]) -> Class:
    return new_class(tmp_path)
