"""The known wrong answers of mistakes.toml. As callables: `grader.known_mistakes.wrong_function`."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from solutions.mistake_file import read_mistakes

MISTAKES: list[dict[str, Any]] = read_mistakes(Path(__file__).with_suffix(".toml"))
