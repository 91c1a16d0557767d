"""The judge's own texts (grader/texts), in one language or as a pair."""
from __future__ import annotations

from pathlib import Path

from exercises.expect import Text
from grader.language import LANGUAGES, Words, words

TEXTS = Path(__file__).resolve().parent / "texts"


def wording(language: str) -> Words:
    """The judge's texts in `language` (en or zh)."""
    return words(TEXTS, language)


def both(key: str, /, **slots: object) -> Text:
    """One of the judge's texts in both languages, with its slots filled."""
    return Text(*(wording(language)(key, **slots) for language in LANGUAGES))
