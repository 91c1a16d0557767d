"""The sentences of this package in both languages: a code and its slots in, a Text out."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from exercises.expect import Text
from grader.language import LANGUAGES, words
from grader.plain import printable

TEXTS = Path(__file__).parent / "texts"
SHOWN = 120  # characters of a name or a line that a sentence shows


def text(key: str, /, **slots: object) -> Text:
    """The sentence `key` of texts/en.toml and texts/zh.toml, its slots filled."""
    shown = {name: shorten(value) if isinstance(value, str) else value for name, value in slots.items()}
    return Text(*(words(TEXTS, language)(key, **shown) for language in LANGUAGES))


def note(code: Mapping[str, object], whole_file: bool = False) -> Text:
    """A code of `answer.find_answer`, such as {"code": "helper", "name": "clip", "place": [3, 7]}, as a sentence.

    whole_file: the submission is one cell, as a .py file is, so the line alone says where.
    """
    slots = {name: value for name, value in code.items() if name not in ("code", "place")}
    sentence = text(f"answer.{code['code']}", **{name: _joined(value) for name, value in slots.items()})
    place = code.get("place")
    if not isinstance(place, (list, tuple)):
        return sentence
    line = int(place[1])
    where = text("place_in_file", line=line) if whole_file else text("place", cell=int(place[0]) + 1, line=line)
    return Text(sentence.en + where.en, sentence.zh + where.zh)


def shorten(value: str) -> str:
    """One printable line, cut."""
    line = printable(value)
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


def _joined(value: object) -> object:
    return ", ".join(str(one) for one in value) if isinstance(value, (list, tuple)) else value
