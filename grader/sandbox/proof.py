"""What the kernel says of an isolated process, seen from outside, where the process itself can't word the answer."""
from __future__ import annotations

from pathlib import Path

PROC = Path("/proc")
CAPABILITIES = ("CapInh", "CapPrm", "CapEff", "CapAmb")


def problem(pid: int, uid: int | None, process_namespaces: int) -> str:
    """What is missing of a locked-down process, "" if nothing is.

    uid: the user it must be, None where it stays ours. process_namespaces: how many there are at least, ours included.
    """
    try:
        fields = status(pid)
        found = {
            "a user that is not root": _users(fields) == {uid} if uid is not None else 0 not in _users(fields),
            "no capabilities": not any(int(fields[name], 16) for name in CAPABILITIES),
            "no new privileges": fields["NoNewPrivs"] == "1",
            "the system-call filter": fields["Seccomp"] == "2",
            "its own process table": process_namespaces < 2 or _own_table(fields["NSpid"].split(), process_namespaces),
        }
    except (OSError, KeyError, ValueError) as error:
        return f"the kernel doesn't tell of the process ({error})"
    missing = [name for name, fits in found.items() if not fits]
    return f"the kernel denies: {', '.join(missing)}" if missing else ""


def status(pid: int) -> dict[str, str]:
    """/proc/PID/status."""
    lines = (PROC / str(pid) / "status").read_text("utf-8", "replace").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _users(fields: dict[str, str]) -> set[int]:
    return {int(word) for word in fields["Uid"].split()}


def _own_table(numbers: list[str], wanted: int) -> bool:
    return len(numbers) >= wanted and numbers[-1] == "1"
