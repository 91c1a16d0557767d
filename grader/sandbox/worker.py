"""One isolated process for one answer: locked down and proved before it sees code, ended by the first foul reply."""
from __future__ import annotations

import importlib
import secrets
import time
import weakref
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from grader.plain import writable
from grader.sandbox import advice, cgroups, outcomes, proof, runtime, tiers, trusted, usage
from grader.sandbox.channel import Channel, Reply
from grader.sandbox.inside import codec
from grader.sandbox.model import Limits, Outcome, SandboxUnavailable, Tier
from grader.sandbox.nursery import Forked, Nursery
from grader.sandbox.process import Process

START_SECONDS = 30.0
LOOK_SECONDS = 2.0
FLOOD = 16  # times the kept output: more than that printed in one request ends the process
KIB = 1 << 10


class Worker:
    """An isolated Python process for one answer. A context manager; for one thread at a time.

    nursery: forks the process instead of starting it; it has the same tier, distributions and preload.

    Starting it raises SandboxUnavailable if any part of the tier's isolation is missing; it never settles for less.
    Once the process has ended (time limit, flood, foul reply, crash), every further request repeats that outcome.
    """

    def __init__(
        self,
        tier: Tier,
        limits: Limits = Limits(),  # noqa: B008 (frozen)
        distributions: Sequence[str] = ("numpy",),
        preload: Sequence[str] = ("numpy",),
        nursery: Nursery | None = None,
    ) -> None:
        self.tier, self.limits = Tier(tier), limits
        self._setup = outcomes.Setup(self.tier, limits, tuple(distributions))
        self._spent, self._asked = 0.0, 0.0  # wall seconds in all, and of the last request
        self._allowed = limits.answer_seconds
        self._loaded, self._answered = False, False
        self._ended: Outcome | None = None
        python = runtime.current(self._setup.packages)
        launch = tiers.launch(self.tier, limits, python, tuple(preload), nursery is not None)
        self._nursery = nursery
        self._process: Process | Forked = Process(launch) if nursery is None else nursery.fork(launch.cleanup)
        self._group: cgroups.Group | None = None
        self._finish = weakref.finalize(self, self._process.close)  # also at exit, and if the worker is forgotten
        if self._setup.tensors:
            importlib.import_module("torch")  # here too, for the tensors that come back, while the process starts
        kept = limits.output_kib * KIB
        self._channel = Channel(self._process.pipes, limits.reply_kib * KIB, kept, FLOOD * kept)
        self.report = self._start(launch.configuration)

    def trusted(self, modules: dict[str, str], function: str, *arguments: object) -> Outcome:
        """Call `function` ("module.name") of our own `modules` (name -> source, executed in order) in the process.

        For work on hostile text, such as parsing it. Only before `load`: RuntimeError afterwards.
        """
        if self._loaded:
            raise RuntimeError("trusted() must come before load(): student code could change what our modules do")
        prepared = self._nursery is not None and self._nursery.modules == modules
        sent = None if prepared else trusted.compiled(modules)
        request = {"do": "trusted", "modules": sent, "function": function}
        return self._ask(request, arguments)

    def load(self, source: str) -> Outcome:
        """Run a program's top level."""
        self._loaded = True
        return self._ask({"do": "load", "source": source})

    def call(self, name: str, *arguments: object) -> Outcome:
        """Call a function of the loaded program. CodecError (a ValueError) for arguments that can't travel."""
        return self._ask({"do": "call", "name": name}, arguments)

    def allow(self, seconds: float) -> None:
        """No further request takes longer than that, whatever the limits leave."""
        self._allowed = seconds

    @property
    def replied(self) -> int:
        """Bytes of all replies so far."""
        return self._channel.replied

    def last_seen(self) -> tuple[tuple[str, str], ...]:
        """What is odd about a process that has no more calls to do: a reply that nobody asked for, what it changed."""
        if self._ended is not None:
            return ()
        if self._channel.pending():
            return (("foul_reply", "after the last call"),)
        self.allow(LOOK_SECONDS)
        return self._ask({"do": "look"}).seen if self._loaded else ()

    @property
    def alive(self) -> bool:
        """Whether the process is still there to be asked."""
        return self._ended is None and self._process.alive

    def close(self) -> None:
        """End the process and all it started; leave no file behind. May be called again."""
        self._ended = self._ended or Outcome("killed", detail="closed by the judge")
        self._channel.close()
        self._finish()
        if self._group is not None:
            self._group.remove()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _start(self, configuration: dict[str, Any]) -> dict[str, Any]:
        """Hand over the configuration, and take the report of the lock-down: the last words that are believed."""
        try:
            reply = self._channel.exchange(configuration, START_SECONDS)
            report = reply.message.get("ready") if reply.kind == "frame" and type(reply.message) is dict else None
            problem = advice.problem(self.tier, report) or self._denied(configuration["uid"])
            if problem:
                raise advice.unavailable(self.tier, problem, self._printed())
        except BaseException:
            self.close()
            raise
        assert isinstance(report, dict)
        self._limit_as_group()
        return report

    def _limit_as_group(self) -> None:
        """Put the process into a control group of its own, where this machine has them: before it gets any code."""
        parent = cgroups.divided()
        if parent is None:
            return
        try:
            self._group = cgroups.Group(parent, self.limits)
            weakref.finalize(self, self._group.remove)
            self._group.add(usage.tree(self._process.pid))
        except OSError as error:
            self.close()
            raise SandboxUnavailable(f"The control group of an answer can't be made: {error}.", cgroups.FIX) from error

    def _denied(self, uid: int | None) -> str:
        """What the kernel says against a forked process; a started one had no relative before it."""
        if not isinstance(self._process, Forked):
            return ""
        return proof.problem(self._process.pid, uid, 3 if self.tier is Tier.FULL else 1)

    def _ask(self, request: dict[str, Any], arguments: Sequence[object] = ()) -> Outcome:
        encoded = [codec.encode(argument, strict=True) for argument in arguments]
        if self._ended is not None:
            return self._ended
        sequence, seconds = secrets.randbits(53), self._seconds_left()
        if seconds <= 0:
            return self._end(self._timeout())
        started = time.monotonic()
        reply = self._channel.exchange({**request, "seq": sequence, "arguments": encoded}, seconds)
        self._asked = time.monotonic() - started
        self._spent += self._asked
        return self._outcome(reply, sequence, arguments)

    def _outcome(self, reply: Reply, sequence: int, arguments: Sequence[object]) -> Outcome:
        printed = self._printed()
        if reply.kind == "frame":
            try:
                outcome = outcomes.from_reply(reply.message, sequence, arguments, self._setup)
            except outcomes.Malformed as error:
                return self._end(outcomes.foul(str(error)), printed)
            self._answered = self._loaded
            return outcomes.with_output(outcome, printed)
        if reply.kind == "ended":
            killed = self._group is not None and self._group.ran_out_of_memory()
            ended = outcomes.from_exit(self._process.exit(), self.limits, printed, killed)
            return self._end(outcomes.after_answer(ended) if reply.early and self._answered else ended, printed)
        return self._end(self._broken(reply.kind), printed)

    def _broken(self, kind: str) -> Outcome:
        """The outcome of an exchange that ended without a frame while the process was still there."""
        limits = self.limits
        if kind == "timeout":
            return self._timeout()._replace(cpu_seconds=self._computed())
        if kind == "reply-limit":
            return Outcome("output-limit", detail=f"reply limit {limits.reply_kib} KiB")
        if kind == "output-limit":
            return Outcome("output-limit", detail=f"printed more than {FLOOD * limits.output_kib} KiB")
        return outcomes.foul("bytes on the reply pipe that are no reply to a request")

    def _end(self, outcome: Outcome, printed: str = "") -> Outcome:
        self._ended = outcome
        self.close()
        return outcomes.with_output(outcome, printed)

    def _seconds_left(self) -> float:
        return min(self.limits.call_seconds, self.limits.answer_seconds - self._spent, self._allowed)

    def _timeout(self) -> Outcome:
        if self._spent >= self.limits.answer_seconds or self._allowed < self.limits.call_seconds:
            return Outcome("timeout", detail=f"answer limit {self.limits.answer_seconds:g} s")
        return Outcome("timeout", detail=f"call limit {self.limits.call_seconds:g} s")

    def _computed(self) -> float | None:
        """The processor time of the request that runs, at least: no earlier one took more than its wall time."""
        total = self._process.computed()
        return None if total is None else max(0.0, total - (self._spent - self._asked))

    def _printed(self) -> str:
        return writable(self._channel.output().decode("utf-8", "replace"))
