"""From what came out of the pipes to an Outcome. What the process sent is checked for form, and none of it believed."""
from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.plain import writable
from grader.sandbox.inside import codec
from grader.sandbox.model import Limits, Outcome, Tier
from grader.sandbox.process import Exit

ERROR_CLASSES = frozenset(
    name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
)
ERROR_FORM: dict[str, tuple[type, ...]] = {
    "class": (str,), "message": (str,), "line": (int, type(None)),
    "refused": (str,), "own_class": (str,), "note": (str,),
}  # fmt: skip
NO_NETWORK = ("ENETUNREACH", "ENETDOWN", "EHOSTUNREACH", "name resolution")
MAX_MESSAGE = 2_000
TOLD = frozenset({"replaced", "shadowed", "thread", "tracing", "own_comparison", "subclass"})  # by the process itself
MAX_TOLD, MAX_NAME = 10, 100
SECRET_PATH = re.compile(r"'(/(?:proc|etc|sys|dev|root|run|var)\b[^']*|[^']*(?:\.\./|\bsolutions/)[^']*)'")
TICKS = 0.7  # of its limit: the kernel limits by ticks and tells the exact time, which is less on a busy machine
FAULT = 1  # the exit code of a Python process that failed; every other is chosen
OUT_OF_MEMORY = ("std::bad_alloc", "MemoryError", "Memory allocation still failed", "Cannot allocate memory")
REFUSALS = {
    "": "", "thread": "", "EPERM": "EPERM: not permitted here", "EACCES": "EACCES: not accessible here",
    "EROFS": "EROFS: nothing can be written here",
    **{name: f"{name}: there is no network here" for name in NO_NETWORK},
}  # fmt: skip


class Malformed(Exception):
    """A reply that no honest worker makes."""


@dataclass(frozen=True)
class Setup:
    """What the worker was started with, as far as outcomes mention it."""

    tier: Tier
    limits: Limits
    packages: tuple[str, ...]

    @property
    def tensors(self) -> bool:
        """Whether an honest worker can send a tensor."""
        return "torch" in self.packages


def from_reply(message: Any, sequence: int, sent: Sequence[object], setup: Setup) -> Outcome:
    """The outcome of a well-formed reply to request `sequence`. Raises Malformed for any other."""
    if type(message) is not dict or type(message.get("seq")) is not int or message["seq"] != sequence:
        raise Malformed("a reply to another request")
    body = {name: part for name, part in message.items() if name not in ("seq", "seen")}
    seen = _told(message.get("seen", []))
    try:
        if body.keys() == {"value", "changed"}:
            value = codec.decode(body["value"], setup.tensors)
            return Outcome("ok", value, _arguments(body["changed"], sent, setup), seen=seen)
        if body.keys() == {"error", "changed"}:
            outcome = _error(body["error"], _arguments(body["changed"], sent, setup), setup)
            return outcome._replace(seen=(*seen, *outcome.seen))
    except codec.CodecError as error:
        raise Malformed(str(error)) from None
    raise Malformed("a reply of another form")


def _arguments(changed: Any, sent: Sequence[object], setup: Setup) -> tuple[object, ...]:
    if changed is None:
        return tuple(sent)
    if type(changed) is not list or len(changed) > len(sent):
        raise Malformed("arguments of another number")
    return tuple(codec.decode(argument, setup.tensors) for argument in changed)


def _error(error: Any, arguments: tuple[object, ...], setup: Setup) -> Outcome:
    if type(error) is not dict or error.keys() != ERROR_FORM.keys():
        raise Malformed("an error of another form")
    if not all(type(error[name]) in kinds for name, kinds in ERROR_FORM.items()):
        raise Malformed("an error of another form")
    if error["class"] not in ERROR_CLASSES or error["refused"] not in REFUSALS or error["note"] not in ("", "nesting"):
        raise Malformed("an error of an unknown kind")
    status, detail = _judge_error(error, setup)
    line = error["line"] if error["line"] is not None and 0 < error["line"] < 1 << 31 else None
    message = writable(error["message"])[:MAX_MESSAGE]
    return Outcome(status, None, arguments, error["class"], message, line, detail, seen=_refused(error, message))


def _told(seen: Any) -> tuple[tuple[str, str], ...]:
    """What the process says of itself, checked for its form like all else."""
    if type(seen) is not list or len(seen) > MAX_TOLD:
        raise Malformed("observations of another form")
    for one in seen:
        if type(one) is not list or len(one) != 2 or not all(type(part) is str for part in one):
            raise Malformed("an observation of another form")
        if one[0] not in TOLD or len(one[1]) > MAX_NAME:
            raise Malformed("an observation of an unknown kind")
    return tuple((code, writable(name)) for code, name in seen)


def _refused(error: dict[str, Any], message: str) -> tuple[tuple[str, str], ...]:
    """The path that the call could not have, where it is one that an answer has no business with."""
    kind = getattr(builtins, error["class"])
    found = SECRET_PATH.search(message) if issubclass(kind, OSError) else None
    return (("refused_path", found[1]),) if found else ()


def _judge_error(error: dict[str, Any], setup: Setup) -> tuple[str, str]:
    """Status and detail. In the basic tier nothing is isolated, so a refusal there is the system's own."""
    isolated = setup.tier is not Tier.BASIC
    if error["note"] == "nesting":
        return "error", "the program is nested too deeply for Python's parser"
    if error["class"] == "MemoryError":
        return "memory", f"memory limit {setup.limits.memory_mib} MiB"
    if error["refused"] == "thread":
        return "blocked", f"thread limit {setup.limits.threads}"
    if error["refused"] and isolated:
        return "blocked", REFUSALS[error["refused"]]
    if error["class"] == "FileNotFoundError" and isolated:
        return "error", "files of this computer are hidden from the program"
    if error["class"] == "ModuleNotFoundError":
        return "error", f"only {' and '.join(['the standard library', *setup.packages])} can be imported"
    return "error", writable(error["own_class"])[:200]


def from_exit(ending: Exit | None, limits: Limits, output: str, out_of_memory: bool = False) -> Outcome:
    """The outcome when the reply pipe closed without a reply. `output`: the last words, a hint and no more.

    out_of_memory: the kernel says that it killed for want of memory.
    """
    if out_of_memory:
        return Outcome("memory", detail=f"memory limit {limits.memory_mib} MiB (all of the program's memory)")
    if ending is None:
        return Outcome("killed", detail="closed its reply pipe", seen=(("closed_pipe", ""),))
    if ending.signal == "SIGXCPU" or (ending.signal == "SIGKILL" and ending.cpu_seconds > TICKS * limits.cpu_seconds):
        return Outcome("timeout", detail=f"CPU limit {limits.cpu_seconds} s")
    reason = ending.signal or f"exit {ending.code}"
    if any(words in output for words in OUT_OF_MEMORY):
        return Outcome("memory", detail=f"memory limit {limits.memory_mib} MiB ({reason})")
    if ending.signal == "SIGSYS":
        detail = "SIGSYS: a system call of another kind of processor"
        return Outcome("blocked", detail=detail, seen=(("other_processor", ""),))
    ended_itself = ending.code not in (None, FAULT)
    return Outcome("killed", detail=reason, seen=(("exited", str(ending.code)),) if ended_itself else ())


def foul(detail: str) -> Outcome:
    """A reply that no honest worker makes came."""
    return Outcome("tampered", detail=detail, seen=(("foul_reply", detail),))


def after_answer(ended: Outcome) -> Outcome:
    """The process had answered, and was gone before it was asked again."""
    return ended._replace(seen=(*ended.seen, ("ended_after_reply", ""))) if ended.status == "killed" else ended


def with_output(outcome: Outcome, printed: str) -> Outcome:
    return outcome._replace(output=printed) if printed else outcome
