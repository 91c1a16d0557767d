"""The language files: one TOML file a language, the same keys in each; a text may have {slots}."""
from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path
from typing import Any

NAMES = {"en": "English", "zh": "中文"}  # each in its own language
LANGUAGES = tuple(NAMES)
_CHINESE = "[\u2014\u2018-\u201d\u2026\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
_ENDS_CHINESE, _STARTS_CHINESE = re.compile(_CHINESE + "$"), re.compile(r"\s*" + _CHINESE)


class Words:
    """The texts of one folder in one language: `words("start.map")`, `words("grade.done", count=3)`."""

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


def flowing(markdown: str) -> str:
    """The Markdown without line breaks inside Chinese sentences, where a browser would show each as a space."""
    lines: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        if lines and not fenced and _goes_on(lines[-1], line):
            lines[-1] += line.lstrip()
        else:
            lines.append(line)
    return "\n".join(lines)


def _goes_on(line: str, following: str) -> bool:
    """Whether a sentence in Chinese runs from one line to the next; a heading or a table row ends with its line.

    Not across ** or _: after a full stop Markdown closes them only before a space.
    """
    is_paragraph = not line.startswith(("#", "|"))
    return is_paragraph and bool(_ENDS_CHINESE.search(line)) and bool(_STARTS_CHINESE.match(following))
