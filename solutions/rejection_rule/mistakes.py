"""The known wrong answers of mistakes.toml. As callables: `grader.known_mistakes.wrong_function`."""
from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from exercises.expect import Text

_TEXTS = ("name", "message")


def _read(entry: dict[str, Any]) -> dict[str, Any]:
    return entry | {key: Text(**entry[key]) for key in _TEXTS}


MISTAKES: list[dict[str, Any]] = [
    _read(entry) for entry in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["mistakes"]
]
