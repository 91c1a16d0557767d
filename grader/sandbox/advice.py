"""Why a tier does not work here, and what to do about it: in words, from what a failed start left behind."""
from __future__ import annotations

import sys
from typing import Any

from grader.sandbox.model import SandboxUnavailable, Tier

PROBES = frozenset(("socket", "fork", "exec", "namespace", "kill", "read", "proc", "write"))
NO_NAMESPACES = "Allow user namespaces for bwrap (Ubuntu: an AppArmor profile for bwrap), or use the tier kernel."
NO_LANDLOCK = "the kernel has no Landlock"
SWITCH_ON_LANDLOCK = (
    "Use Linux 5.13 or newer with Landlock switched on: Debian 12, Ubuntu 22.04, Fedora, RHEL 9.6 and WSL 2 have it, "
    "RHEL 8 and Raspberry Pi OS don't. Where it is built in but off, add it to the kernel's `lsm=` list."
)
FIXES = (  # (what bwrap or the worker printed, or what the report lacks; what to do)
    (NO_LANDLOCK, SWITCH_ON_LANDLOCK),
    ("No permissions to create", NO_NAMESPACES),
    ("new namespace", NO_NAMESPACES),
    ("uid map", NO_NAMESPACES),
    ("Operation not permitted", NO_NAMESPACES),
    ("Unknown option", "Install bubblewrap 0.8 or newer."),
    ("as root", "Run the course as an ordinary user."),
    ("ModuleNotFoundError", "Reinstall the course's requirements: `pip install -r requirements.txt`."),
)


def problem(tier: Tier, report: Any) -> str:
    """What is wrong with a worker's report of its lock-down; "" if everything that must be refused was refused."""
    if type(report) is not dict or type(report.get("refused")) is not dict:
        return "the isolated process did not start"
    if tier is Tier.BASIC:
        return ""
    refused = report["refused"]
    allowed = sorted(name for name in PROBES if refused.get(name) is not True)
    if allowed:
        return f"the self-test was not refused: {', '.join(allowed)}"
    return "" if report.get("landlock") else NO_LANDLOCK


def unavailable(tier: Tier, problem: str, printed: str) -> SandboxUnavailable:
    """The failure as an exception; `printed` are the process's last words."""
    said = f"{problem}\n{printed}"
    fix = next((fix for words, fix in FIXES if words in said), "Run `python -m grader doctor` for the details.")
    last = printed.strip().splitlines()[-1:] if printed.strip() else []
    words = f": {last[0][:300]}" if last else ""
    where = f"The isolation tier {tier} does not work on this {sys.platform} machine"
    return SandboxUnavailable(f"{where}: {problem}{words}.", fix)
