"""The known wrong answers: every set of faults that may still be in, and wrong repairs."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from solutions.bug_hunt import handed_out, read_faults, remaining, repaired, wrong_repairs

FILE = Path(__file__).with_suffix(".toml")
FAULTS = read_faults(FILE)
HANDED_OUT = handed_out("bug_hunt_batch")

MISTAKES: list[dict[str, Any]] = [
    *remaining(HANDED_OUT, FAULTS, "body", ("drawn", "picked")),
    *wrong_repairs(FILE, repaired(HANDED_OUT, FAULTS), "body"),
]
