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
from grader.finding import Found, find
from grader.flags import flags
from grader.proxy import Proxy, StudentFailure, stand_ins
from grader.reading.files import Cell, Submission
from grader.sandbox import Limits, Pool, SandboxUnavailable, Tier, Worker, detect
from grader.session import Session
from grader.turns import Turns
from grader.verdicts import CheckResult, Report, Verdict
from grader.wording import both

TORCH = "torch"
INSTALLED = frozenset({"numpy", TORCH})  # what an isolated process may import besides the standard library
# Starting a process with torch takes 0.95 s of processor time (0.1 s with NumPy) and 145 MiB. So one is kept ready, the
# next starts while it works, and an answer is parsed elsewhere first: one that is missing costs none. 20 answers, one
# after another on two shared cores, took 41 s (NumPy: 2.3 s); when more else ran, 62 s with one kept and 48 s with two.
# A fork of a process that has torch would take 35 ms, but shares its memory layout and random state with all others and
# needs a parent with the rights to make namespaces: not worth it before large classes hand in torch exercises.
WARM_WITH_TORCH = 1
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
        self._lock = threading.Lock()

    def judge(self, exercise: Exercise, submission: Submission, *, hidden: bool, seed: int) -> Report:
        """Judge one answer. `hidden` adds the hidden checks, `seed` fixes the random ones. Bad code never raises."""
        return self._report(exercise, submission, hidden, seed, located=True)

    def judge_blanks(self, exercise: Exercise, blanks: dict[str, str], *, hidden: bool, seed: int) -> Report:
        """Judge an answer given as the text of each blank, by blank id."""
        return self._report(exercise, _filled(exercise, blanks), hidden, seed, located=False)

    def replay(self, exercise: Exercise, program: str, check: Check, seed: int) -> CheckResult:
        """One check of a program as it was judged, in a new process. Raises JudgeFault and SandboxUnavailable."""
        with self._turns, self._session(exercise, program, None) as session:
            try:
                session.load()
            except StudentFailure as failure:
                return failed(check, failure, exercise.limits)
            return run_check(check, stand_ins(exercise.functions, session.call), exercise.limits, seed)

    @contextlib.contextmanager
    def function(self, exercise: Exercise, blanks: dict[str, str]) -> Iterator[Callable[..., Any]]:
        """The student's main function, run in isolation. Raises StudentFailure where it can't be loaded or called."""
        with self._turns, self._taken(exercise) as worker:
            found = find(worker, exercise, _filled(exercise, blanks))
            if found.verdict is not None:
                raise found.failure or StudentFailure(found.verdict, message=found.notes[-1].en)
            with self._session(exercise, found.program, _runs(exercise, worker)) as session:
                session.load()
                yield stand_ins(exercise.functions, session.call)[exercise.id]

    def close(self) -> None:
        """End every warm process."""
        with self._lock:
            pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            pool.close()

    def _report(self, exercise: Exercise, submission: Submission, hidden: bool, seed: int, located: bool) -> Report:
        try:
            with self._turns:
                report = self._judge(exercise, submission, hidden, seed, located)
        except SandboxUnavailable as unavailable:
            report = Report(exercise.id, Verdict.ERROR, judge_fault=f"no isolated process: {unavailable}")
        return replace(report, tier=str(self.tier), seed=seed)

    def _judge(self, exercise: Exercise, submission: Submission, hidden: bool, seed: int, located: bool) -> Report:
        checks = exercise.checks if hidden else exercise.visible
        with self._taken(exercise) as worker:
            found = find(worker, exercise, submission, located)
            verdict = found.verdict or Verdict.PASS
            report = Report(exercise.id, verdict, notes=found.notes, blanks=found.blanks, program=found.program)
            if found.failure is not None:
                return _all_failed(exercise, checks, found.failure, report)
            if found.verdict is not None:
                return report
            with self._session(exercise, found.program, _runs(exercise, worker)) as session:
                judged = _run(exercise, checks, session, report, seed)
        judged = replace(judged, flags=flags((*found.seen, *session.seen)))
        return self._or_as_written(exercise, checks, found, judged, seed)

    def _or_as_written(
        self, exercise: Exercise, checks: tuple[Check, ...], found: Found, judged: Report, seed: int
    ) -> Report:
        """Where locked lines were changed and the blanks alone don't pass, the whole function may still be right."""
        if judged.passed or judged.judge_fault or not found.alternative:
            return judged
        with self._session(exercise, found.alternative, None) as session:
            whole = _run(exercise, checks, session, replace(judged, notes=found.notes), seed)
        noticed = tuple(dict.fromkeys((*judged.flags, *flags(session.seen))))
        if not whole.passed:
            return replace(judged, flags=noticed)
        notes = (*whole.notes, both("note.as_written"))
        return replace(whole, notes=notes, program=found.alternative, flags=noticed)

    def _session(self, exercise: Exercise, program: str, worker: Worker | None) -> Session:
        return Session(self._pool(exercise).take, program, exercise.limits, worker, self._turns.alone)

    @contextlib.contextmanager
    def _taken(self, exercise: Exercise) -> Iterator[Worker]:
        """A process to parse the answer in."""
        pool = self._pool_of(Limits(), ("numpy",)) if TORCH in exercise.preload else self._pool(exercise)
        worker = pool.take()
        try:
            yield worker
        finally:
            worker.close()

    def _pool(self, exercise: Exercise) -> Pool:
        return self._pool_of(exercise.limits, exercise.preload)

    def _pool_of(self, limits: Limits, preload: tuple[str, ...]) -> Pool:
        with self._lock:
            if (limits, preload) not in self._pools:
                warm = WARM_WITH_TORCH if TORCH in preload else self._warm
                packages = tuple(sorted({"numpy", *preload} & INSTALLED))
                pool = Pool(self.tier, warm, limits=limits, distributions=packages, preload=preload)
                self._pools[limits, preload] = pool
            return self._pools[limits, preload]


def _runs(exercise: Exercise, worker: Worker) -> Worker | None:
    """The process that parsed the answer, where it also runs it."""
    return None if TORCH in exercise.preload else worker


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
    proxies = stand_ins(exercise.functions, session.call)
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
