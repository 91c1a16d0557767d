"""What the judge says: verdicts, results of single checks, and the report of one answer. Data only."""
from __future__ import annotations

import enum
from dataclasses import dataclass, field

from exercises.expect import Text
from grader.flags import flags


class Verdict(enum.StrEnum):
    """How one check (or a whole answer) ended."""

    PASS = "pass"
    FAIL = "fail"  # a wrong value
    ERROR = "error"  # could not run: exception class, message, the student's line
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output-limit"
    KILLED = "killed"  # the isolated process ended without an answer
    BLOCKED = "blocked"  # the isolation stopped something forbidden
    MISSING = "missing"  # no answer found, or a blank left as it was
    UNREADABLE = "unreadable"  # the file can't be read
    TAMPERED = "tampered"  # a reply that no honest answer can make

    @property
    def sign(self) -> str:
        """The verdict as a shape: passed, a wrong value, no value."""
        return {Verdict.PASS: "✓", Verdict.FAIL: "✕"}.get(self, "!")


NEEDS_A_PERSON = frozenset({Verdict.MISSING, Verdict.UNREADABLE})


@dataclass(frozen=True)
class CheckResult:
    """One check on one answer. `called`, `returned`, `expected` are shortened texts, never trusted as markup."""

    check_id: str
    title: Text
    idea: Text  # what a hidden failure may tell the student
    visible: bool
    group: str
    points: float
    verdict: Verdict
    called: str = ""
    returned: str = ""
    expected: str = ""
    why: Text | None = None
    line: str = ""  # the student's own line, where an error has one

    @property
    def facts(self) -> dict[str, str]:
        """What was called, what came back (or stopped the call) and was expected, and the student's line; text keys."""
        came_back = "returned" if self.verdict is Verdict.FAIL else "error"
        every = {"called": self.called, came_back: self.returned, "expected": self.expected, "line": self.line}
        return {key: text for key, text in every.items() if text}

    @property
    def earned(self) -> float:
        return self.points if self.verdict is Verdict.PASS else 0.0


@dataclass(frozen=True)
class Report:
    """The judged answer to one exercise."""

    exercise_id: str
    verdict: Verdict
    checks: tuple[CheckResult, ...] = ()
    mistakes: tuple[tuple[str, Text], ...] = ()  # (id, message) of the known mistakes that the answer behaves like
    notes: tuple[Text, ...] = ()  # how the answer was found, locked lines changed, magics left out, ...
    tier: str = ""
    seed: int = 0
    blanks: dict[str, str] = field(default_factory=dict)
    program: str = ""  # what was loaded and judged; "" where there was nothing to run
    seen: tuple[tuple[str, str], ...] = ()  # odd things noticed: code and name, for the instructor; they decide nothing
    judge_fault: str = ""  # set when the judge itself could not decide; never exported as 0

    @property
    def flags(self) -> tuple[Text, ...]:
        """What was noticed, in sentences."""
        return flags(self.seen)

    @property
    def needs_a_person(self) -> bool:
        return bool(self.judge_fault) or self.verdict in NEEDS_A_PERSON

    @property
    def earned(self) -> float:
        return sum(check.earned for check in self.checks)

    @property
    def passed(self) -> bool:
        return self.verdict is Verdict.PASS
