"""What the tests of the reader share: the stub, answers made from it, and cells in the shape that find_answer takes."""
from __future__ import annotations

import json
from typing import Any

from grader.catalogue import BLANK, ROOT
from grader.reading.answer import find_answer

STUB = (ROOT / "exercises" / "rejection_rule" / "stub.py").read_text("utf-8").rstrip("\n")
ACCEPT = "min(1.0, target_probs[draft_token] / qx)"
RESIDUAL = "max(p - q, 0.0)"


def stub_line(text: str) -> int:
    """The number of the stub's line that holds `text`, so that no test depends on the length of its docstring."""
    return next(number for number, line in enumerate(STUB.split("\n"), 1) if text in line)


FIRST, SECOND = stub_line("accept_probability = ______"), stub_line("residual_mass = [______")


def filled(accept: str = ACCEPT, residual: str = RESIDUAL) -> str:
    first, second, third = STUB.split(BLANK)
    return first + accept + second + residual + third


def cell(
    source: str, index: int = 0, kind: str = "code", marker: str | None = None, identity: str | None = None
) -> dict[str, Any]:
    return {"source": source, "kind": kind, "marker": marker, "id": identity, "index": index}


def find(*sources: str | dict[str, Any]) -> dict[str, Any]:
    """find_answer on cells given by their source (or as cells)."""
    cells = [one if isinstance(one, dict) else cell(one) for one in sources]
    return find_answer(STUB, "rejection_rule", [one | {"index": at} for at, one in enumerate(cells)])


def codes(result: dict[str, Any]) -> list[str]:
    return [note["code"] for note in result["notes"]]


def rule(result: dict[str, Any]) -> Any:
    """The function that the program of a result defines. Only for the right answers of these tests."""
    space: dict[str, Any] = {}
    exec(result["source"], space)
    return space["rejection_rule"]


def is_right(result: dict[str, Any]) -> bool:
    assert result["status"] == "ok", result
    accept, residual = rule(result)([0.7, 0.3], [0.4, 0.6], 1)
    return bool(abs(accept - 0.5) < 1e-12 and list(residual) == [1.0, 0.0])


def notebook(*cells: dict[str, Any], **top: Any) -> bytes:
    made = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | top
    return json.dumps(made, indent=1).encode()


def code(*lines: str, **fields: Any) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "outputs": [], "source": list(lines)} | fields
