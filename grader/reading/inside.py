"""The sources of the modules that are sent into the isolated process, where student text is parsed."""
from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

_ORDER = (  # each after what it imports
    "parsing", "pairing", "suites", "names", "needed", "search", "bodies", "frame", "filling", "salvage", "broken",
    "locked", "audit", "answer",
)  # fmt: skip
FIND_ANSWER = "grader.reading.answer.find_answer"


@cache
def modules() -> dict[str, str]:
    """Module name to source, in the order in which they are run: for `Worker.trusted(modules(), FIND_ANSWER, ...)`."""
    folder = Path(__file__).parent
    package = {"grader.reading": ""}  # `from grader.reading import names` looks it up
    return package | {f"grader.reading.{name}": (folder / f"{name}.py").read_text("utf-8") for name in _ORDER}


def rehearsal() -> tuple[str, list[Any]]:
    """A call of `find_answer` on an answer of ours, which does the usual things once."""
    stub = "def half(x):\n    y = ______\n    return y\n"
    answer = "import math  # told\n\ndef half(x):\n    y = (math.floor(x) / 2)\n    return y\n"
    cell = {"source": answer, "kind": "code", "marker": "half", "id": None, "index": 0}
    return FIND_ANSWER, [stub, "half", [cell], ["y"]]
