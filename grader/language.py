"""The language files: one TOML file a language, the same keys in each; a text may have {slots}."""
from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "zh")


class Words:
    """The texts of one folder in one language: `words("start.title")`, `words("grade.done", count=3)`."""

    def __init__(self, folder: Path, language: str) -> None:
        self.language = language
        self._texts = _flatten(tomllib.loads((folder / f"{language}.toml").read_text("utf-8")))

    def __call__(self, key: str, /, **slots: object) -> str:
        try:
            text = self._texts[key]
        except KeyError:
            raise KeyError(f"text {key!r} is not in the {self.language} language file") from None
        return text.format(**slots) if slots else text

    def keys(self) -> frozenset[str]:
        return frozenset(self._texts)


@functools.cache
def words(folder: Path, language: str) -> Words:
    """The texts of `folder` in `language` (en or zh)."""
    return Words(folder, language)


def _flatten(tree: dict[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        flat |= _flatten(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return flat
