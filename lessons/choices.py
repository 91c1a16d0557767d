"""Questions with options to choose from, each option with what a reader who chose it needs to hear.

A lesson's quiz is a file lessons/<language>/<name>.quiz.toml, placed by the line `::quiz{name}`:

    [[questions]]
    id = "rows"
    ask = "Markdown"
    right = "five"
    options.four = { text = "Markdown", why = "Markdown" }
    options.five = { text = "Markdown", why = "Markdown" }
"""
from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lessons.claims import unmarked
from lessons.lesson_file import ROOT, LessonError

KEYS = {"id", "ask", "right", "options"}


@dataclass(frozen=True)
class Option:
    text: str
    why: str  # why it is right, or what is wrong with it


@dataclass(frozen=True)
class Choice:
    """One question. `options` by name, in the order shown; `right` is the name of one of them."""

    id: str
    ask: str
    options: Mapping[str, Option]
    right: str


def quiz_path(name: str, language: str, root: Path = ROOT) -> Path:
    return root / language / f"{name}.quiz.toml"


@functools.cache
def quiz(name: str, language: str, root: Path = ROOT) -> tuple[Choice, ...]:
    """The questions of one quiz. Raises LessonError with the file, the question and the rule."""
    path = quiz_path(name, language, root)
    read = read_toml(path, "a quiz")
    questions = read.get("questions", [])
    if set(read) != {"questions"} or not questions:
        raise LessonError(f"{path} has the keys {sorted(read)}; a quiz is one or more [[questions]] and nothing else")
    return tuple(_choice(path, number, question) for number, question in enumerate(questions, start=1))


def _choice(path: Path, number: int, question: dict[str, Any]) -> Choice:
    if set(question) != KEYS:
        raise LessonError(f"{path}: question {number} has the keys {sorted(question)}; it needs {sorted(KEYS)}")
    options = {
        name: option(f"{path}: option {name} of question {number}", entry)
        for name, entry in question["options"].items()
    }
    if len(options) < 2 or question["right"] not in options:
        raise LessonError(f"{path}: question {number} needs two options or more, and `right` names one of them")
    return Choice(question["id"], question["ask"], options, question["right"])


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """A file that belongs to a lesson, without its marks of claims. Raises LessonError; `what` it should be."""
    try:
        return tomllib.loads(unmarked(path.read_text("utf-8")))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise LessonError(f"{path} can't be read as {what}: {error}") from None


def option(place: str, entry: dict[str, Any]) -> Option:
    """What stands at `place`, which names the file and the option in the LessonError that is raised."""
    if set(entry) != {"text", "why"}:
        raise LessonError(f"{place} has the keys {sorted(entry)}; it needs a text and a why, and nothing else")
    return Option(entry["text"], entry["why"])
