"""From what came out of the pipes to an Outcome. What the process sent is checked for form, and none of it believed."""
from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass, replace
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


def from_reply(message: Any, sequence: int, sent: Sequence[object], setup: Setup) -> Outcome:
    """The outcome of a well-formed reply to request `sequence`. Raises Malformed for any other."""
    if type(message) is not dict or type(message.get("seq")) is not int or message["seq"] != sequence:
        raise Malformed("a reply to another request")
    body = {name: part for name, part in message.items() if name != "seq"}
    try:
        if body.keys() == {"value", "changed"}:
            return Outcome("ok", codec.decode(body["value"]), _arguments(body["changed"], sent))
        if body.keys() == {"error", "changed"}:
            return _error(body["error"], _arguments(body["changed"], sent), setup)
    except codec.CodecError as error:
        raise Malformed(str(error)) from None
    raise Malformed("a reply of another form")


def _arguments(changed: Any, sent: Sequence[object]) -> tuple[object, ...]:
    if changed is None:
        return tuple(sent)
    if type(changed) is not list or len(changed) > len(sent):
        raise Malformed("arguments of another number")
    return tuple(codec.decode(argument) for argument in changed)


def _error(error: Any, arguments: tuple[object, ...], setup: Setup) -> Outcome:
    if type(error) is not dict or error.keys() != ERROR_FORM.keys():
        raise Malformed("an error of another form")
    if not all(type(error[name]) in kinds for name, kinds in ERROR_FORM.items()):
        raise Malformed("an error of another form")
    if error["class"] not in ERROR_CLASSES or error["refused"] not in REFUSALS or error["note"] not in ("", "nesting"):
        raise Malformed("an error of an unknown kind")
    status, detail = _judge_error(error, setup)
    line = error["line"] if error["line"] is not None and 0 < error["line"] < 1 << 31 else None
    return Outcome(status, None, arguments, error["class"], writable(error["message"])[:MAX_MESSAGE], line, detail)


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


def from_exit(ending: Exit | None, limits: Limits, output: str) -> Outcome:
    """The outcome when the reply pipe closed without a reply. `output`: the last words, a hint and no more."""
    if ending is None:
        return Outcome("killed", detail="closed its reply pipe")
    if ending.signal == "SIGXCPU" or (ending.signal == "SIGKILL" and ending.cpu_seconds >= limits.cpu_seconds):
        return Outcome("timeout", detail=f"CPU limit {limits.cpu_seconds} s")
    reason = ending.signal or f"exit {ending.code}"
    if any(words in output for words in OUT_OF_MEMORY):
        return Outcome("memory", detail=f"memory limit {limits.memory_mib} MiB ({reason})")
    if ending.signal == "SIGSYS":
        return Outcome("blocked", detail="SIGSYS: a system call of another kind of processor")
    return Outcome("killed", detail=reason)


def with_output(outcome: Outcome, printed: str) -> Outcome:
    return replace(outcome, output=printed) if printed else outcome
