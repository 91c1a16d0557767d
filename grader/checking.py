"""One check on one answer: run the plain function, and say how it ended."""
from __future__ import annotations

import random
from collections.abc import Iterable

from exercises.expect import Mismatch, Text, shortened, show
from grader.catalogue import Check, Functions
from grader.plain import printable
from grader.proxy import StudentFailure
from grader.sandbox import Limits
from grader.verdicts import CheckResult, Verdict
from grader.wording import both


class JudgeFault(Exception):
    """A check could not decide. That is our mistake, so no mark may come from it."""


def run_check(check: Check, functions: Functions, limits: Limits, seed: int) -> CheckResult:
    """Run one check. Raises JudgeFault where the check fails in another way than by a Mismatch."""
    try:
        check.run(functions, random.Random(f"{seed}:{check.id}"))
    except Mismatch as mismatch:
        return _result(
            check,
            Verdict.FAIL,
            called=mismatch.called,
            returned=mismatch.returned,
            expected=mismatch.expected,
            why=mismatch.why,
        )
    except StudentFailure as failure:
        return failed(check, failure, limits)
    except Exception as error:
        raise JudgeFault(f"check {check.id} raised {type(error).__name__}: {show(str(error))}") from error
    return _result(check, Verdict.PASS)


def failed(check: Check, failure: StudentFailure, limits: Limits) -> CheckResult:
    """The result of a check whose call gave no value."""
    raised = ": ".join(part for part in (failure.error_class, failure.message) if part)
    return _result(
        check,
        failure.verdict,
        called=failure.called,
        returned=raised,
        why=explain(failure, limits),
        line=failure.line,
    )


def undecided(check: Check) -> CheckResult:
    """Stands in for a check that could not decide, so that the report names it."""
    return _result(check, Verdict.ERROR, why=both("why.judge_fault"))


def explain(failure: StudentFailure, limits: Limits) -> Text | None:
    """What the verdict means, with the limit that was hit."""
    if failure.verdict is Verdict.ERROR:
        return None
    slots = {
        "call": f"{limits.call_seconds:g}",
        "cpu": limits.cpu_seconds,
        "answer": f"{limits.answer_seconds:g}",
        "memory": limits.memory_mib,
        "output": limits.output_kib,
    }
    return both(f"why.{failure.verdict}", **slots)


def overall(results: Iterable[CheckResult]) -> Verdict:
    """The answer's verdict: that of the first check that did not pass; a forged reply outweighs all others."""
    verdicts = [result.verdict for result in results if result.verdict is not Verdict.PASS]
    if Verdict.TAMPERED in verdicts:
        return Verdict.TAMPERED
    return verdicts[0] if verdicts else Verdict.PASS


def _result(
    check: Check,
    verdict: Verdict,
    called: str = "",
    returned: str = "",
    expected: str = "",
    why: Text | None = None,
    line: str = "",
) -> CheckResult:
    return CheckResult(
        check_id=check.id,
        title=check.title,
        idea=check.idea,
        visible=check.visible,
        group=check.group,
        points=check.points,
        verdict=verdict,
        called=_shown(called),
        returned=_shown(returned),
        expected=_shown(expected),
        why=why,
        line=_shown(line),
    )


def _shown(text: str) -> str:
    """Cut to what a message shows, and nothing in it that UTF-8 can't write or a terminal would obey."""
    return shortened(printable(text, keep="\n"))
