"""Reads an exercise's known wrong answers, mistakes.toml: their formulas, and their texts in both languages."""
from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from exercises.expect import Text

_TEXTS = ("name", "message")


def read_mistakes(path: Path) -> list[dict[str, Any]]:
    """The fields of each [[mistakes]] entry, by name."""
    return [_read(entry) for entry in tomllib.loads(path.read_text("utf-8"))["mistakes"]]


def _read(entry: dict[str, Any]) -> dict[str, Any]:
    return entry | {key: Text(**entry[key]) for key in _TEXTS}
