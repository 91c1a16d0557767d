"""The judge: finds an answer, runs the checks on it in isolation, and reports.

The isolated process only ever parses and runs the student's text. The checks, the expected values and the verdicts
live here, in the parent. One judge serves many threads: each answer takes its own warm process from a pool.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from exercises.expect import Text
from grader import known_mistakes
from grader.catalogue import Check, Exercise
from grader.checking import JudgeFault, failed, overall, run_check, undecided
from grader.finding import Found, find, rehearsal
from grader.proxy import Proxy, StudentFailure, stand_ins
from grader.reading.files import Cell, Submission
from grader.reading.inside import modules
from grader.sandbox import Limits, Nursery, Pool, SandboxUnavailable, Tier, Worker, detect
from grader.session import Session
from grader.turns import Turns
from grader.verdicts import CheckResult, Report, Verdict
from grader.wording import both

TORCH = "torch"
INSTALLED = frozenset({"numpy", TORCH})  # what an isolated process may import besides the standard library
WARM_WITH_TORCH = 1  # a process kept ready, where it can't be forked, takes 145 MiB
MAY_BE_A_KNOWN_MISTAKE = frozenset({Verdict.FAIL, Verdict.ERROR})


def seed_for(submission: bytes, exercise_id: str) -> int:
    """The seed of an answer's random checks: the same bytes always get the same numbers."""
    return int.from_bytes(hashlib.sha256(exercise_id.encode() + b"\0" + submission).digest()[:6], "big")


class Judge:
    """Judges answers at one isolation tier.

    tier: None takes the best that this machine proves. warm: processes kept ready, for each set of limits and imports.
    accept_basic: allow the tier `basic`, which is no sandbox: for one's own code on one's own machine.
    Raises SandboxUnavailable where the machine gives no tier that is allowed.
    """

    def __init__(self, tier: Tier | None = None, warm: int = 2, accept_basic: bool = False) -> None:
        if tier is Tier.BASIC and not accept_basic:
            raise SandboxUnavailable("tier basic is no isolation; it runs only one's own code, after an explicit yes")
        self.tier = tier if tier is not None else detect(allow_basic=accept_basic)
        self._warm = warm
        self._turns = Turns(max(warm, os.cpu_count() or 1))  # more would only slow each other
        self._pools: dict[tuple[Limits, tuple[str, ...]], Pool] = {}
        self._nurseries: dict[tuple[str, ...], Nursery] = {}  # exercises of other limits share one
        self._lock = threading.Lock()

    def judge(self, exercise: Exercise, submission: Submission, *, hidden: bool, seed: int) -> Report:
        """Judge one answer. `hidden` adds the hidden checks, `seed` fixes the random ones. Bad code never raises."""
        return self._report(exercise, submission, hidden, seed, located=True)

    def judge_blanks(self, exercise: Exercise, blanks: dict[str, str], *, hidden: bool, seed: int) -> Report:
        """Judge an answer given as the text of each blank, by blank id."""
        return self._report(exercise, _filled(exercise, blanks), hidden, seed, located=False)

    def replay(self, exercise: Exercise, program: str, check: Check, seed: int) -> CheckResult:
        """One check of a program as it was judged, in a new process. Raises JudgeFault and SandboxUnavailable."""
        with self._turns, self._session(exercise, program) as session:
            try:
                session.load()
            except StudentFailure as failure:
                return failed(check, failure, exercise.limits)
            return run_check(check, stand_ins(exercise.solutions, session.call), exercise.limits, seed)

    @contextlib.contextmanager
    def function(self, exercise: Exercise, blanks: dict[str, str]) -> Iterator[Callable[..., Any]]:
        """The student's main function, run in isolation. Raises StudentFailure where it can't be loaded or called."""
        with self._turns, self._found(exercise, _filled(exercise, blanks), located=True) as (found, worker):
            if found.verdict is not None:
                raise found.failure or StudentFailure(found.verdict, message=found.notes[-1].en)
            with self._session(exercise, found.program, worker, found.seconds) as session:
                session.load()
                yield stand_ins(exercise.solutions, session.call)[exercise.id]

    def close(self) -> None:
        """End every warm process."""
        with self._lock:
            pools, self._pools = list(self._pools.values()), {}
            nurseries, self._nurseries = list(self._nurseries.values()), {}
        for pool in pools:
            pool.close()
        for nursery in nurseries:
            nursery.close()

    def _report(self, exercise: Exercise, submission: Submission, hidden: bool, seed: int, located: bool) -> Report:
        try:
            with self._turns:
                report = self._judge(exercise, submission, hidden, seed, located)
        except SandboxUnavailable as unavailable:
            report = Report(exercise.id, Verdict.ERROR, judge_fault=f"no isolated process: {unavailable}")
        return replace(report, tier=str(self.tier), seed=seed)

    def _judge(self, exercise: Exercise, submission: Submission, hidden: bool, seed: int, located: bool) -> Report:
        checks = exercise.checks if hidden else exercise.visible
        with self._found(exercise, submission, located) as (found, worker):
            verdict = found.verdict or Verdict.PASS
            report = Report(
                exercise.id, verdict, notes=found.notes, blanks=found.blanks, program=found.program, seen=found.seen
            )
            if found.failure is not None:
                return _all_failed(exercise, checks, found.failure, report)
            if found.verdict is not None:
                return report
            with self._session(exercise, found.program, worker, found.seconds) as session:
                judged = _run(exercise, checks, session, report, seed)
        judged = replace(judged, seen=(*found.seen, *session.seen))
        return self._or_as_written(exercise, checks, found, judged, seed, session.spent)

    def _or_as_written(
        self, exercise: Exercise, checks: tuple[Check, ...], found: Found, judged: Report, seed: int, spent: float
    ) -> Report:
        """Where locked lines were changed and the blanks alone don't pass, the whole function may still be right.

        It has what is left of the answer's time, one call's at least.
        """
        if judged.passed or judged.judge_fault or not found.alternative:
            return judged
        spent = min(spent, exercise.limits.answer_seconds - exercise.limits.call_seconds)
        with self._session(exercise, found.alternative, None, spent) as session:
            whole = _run(exercise, checks, session, replace(judged, notes=found.notes), seed)
        noticed = (*judged.seen, *session.seen)
        if not whole.passed:
            return replace(judged, seen=noticed)
        notes = (*whole.notes, both("note.as_written"))
        return replace(whole, notes=notes, program=found.alternative, seen=noticed)

    def _session(
        self, exercise: Exercise, program: str, worker: Worker | None = None, spent: float = 0.0
    ) -> Session:
        return Session(self._pool(exercise).take, program, exercise.limits, worker, self._turns.alone, spent)

    @contextlib.contextmanager
    def _found(self, exercise: Exercise, submission: Submission, located: bool) -> Iterator[tuple[Found, Worker]]:
        """What there is to judge, and the process that read it. One that got no processor is followed by one alone."""
        with contextlib.ExitStack() as workers:
            worker = workers.enter_context(self._taken(exercise))
            found = find(worker, exercise, submission, located)
            if found.starved:
                worker = workers.enter_context(self._taken(exercise))
                with self._turns.alone():
                    found = find(worker, exercise, submission, located)
            yield found, worker

    @contextlib.contextmanager
    def _taken(self, exercise: Exercise) -> Iterator[Worker]:
        worker = self._pool(exercise).take()
        try:
            yield worker
        finally:
            worker.close()

    def _pool(self, exercise: Exercise) -> Pool:
        limits, preload = exercise.limits, exercise.preload
        with self._lock:
            if (limits, preload) not in self._pools:
                warm = WARM_WITH_TORCH if TORCH in preload else self._warm
                packages = tuple(sorted({"numpy", *preload} & INSTALLED))
                self._pools[limits, preload] = Pool(
                    self.tier, warm, self._nursery(packages, exercise),
                    limits=limits, distributions=packages, preload=preload,
                )  # fmt: skip
            return self._pools[limits, preload]

    def _nursery(self, packages: tuple[str, ...], exercise: Exercise) -> Nursery:
        """The one for what the exercise preloads; it rehearses the exercise that needs it first."""
        preload = exercise.preload
        if preload not in self._nurseries:
            self._nurseries[preload] = Nursery(self.tier, packages, preload, modules(), rehearsal(exercise))
        return self._nurseries[preload]


def _filled(exercise: Exercise, blanks: dict[str, str]) -> Submission:
    given = {name: text for name, text in blanks.items() if text.strip()}
    cell = Cell(source=exercise.fill(given), kind="code", marker=exercise.id, id=None, index=0)
    return Submission(cells=(cell,), notes=())


def _all_failed(exercise: Exercise, checks: tuple[Check, ...], failure: StudentFailure, report: Report) -> Report:
    results = tuple(failed(check, failure, exercise.limits) for check in checks)
    return replace(report, verdict=overall(results), checks=results)


def _run(exercise: Exercise, checks: tuple[Check, ...], session: Session, report: Report, seed: int) -> Report:
    """Load the answer and run the checks; each result is kept whatever the later ones do."""
    try:
        session.load()
    except StudentFailure as failure:
        return _all_failed(exercise, checks, failure, report)
    proxies = stand_ins(exercise.solutions, session.call)
    results: list[CheckResult] = []
    faults: list[str] = []
    for check in checks:
        try:
            results.append(run_check(check, proxies, exercise.limits, seed))
        except JudgeFault as fault:
            results.append(undecided(check))
            faults.append(str(fault))
    verdict = overall(results)
    named = known_mistakes.match(exercise, proxies) if verdict in MAY_BE_A_KNOWN_MISTAKE and not faults else ()
    return replace(
        report,
        verdict=verdict,
        checks=tuple(results),
        mistakes=tuple((mistake.id, mistake.message) for mistake in named),
        notes=report.notes + _unsteady(proxies.values()),
        judge_fault="; ".join(faults),
    )


def _unsteady(proxies: Iterable[Proxy]) -> tuple[Text, ...]:
    """A note where a first call, made again after all checks, gives another answer. Never a verdict by itself."""
    return () if all(map(_steady, proxies)) else (both("note.unsteady"),)


def _steady(proxy: Proxy) -> bool:
    if proxy.first is None:
        return True
    seen = known_mistakes.behaviour(proxy, (proxy.first.arguments,))
    return seen is None or known_mistakes.same(seen[0].value, proxy.first.value)
