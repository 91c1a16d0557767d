"""Pairs to match: what belongs to what, each choice with what a reader who made it needs to hear.

A lesson's pairs are a file lessons/<language>/<name>.match.toml, placed by the line `::match{name}`:

    ask = "Markdown"

    [answers.count]                  every answer, in the order shown; an answer may belong to no item
    text = "plain text"
    why = "Markdown: whose it is"

    [[items]]
    id = "scheduler"
    text = "plain text"
    right = "count"                  an answer's name, each used once at most
"""
from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lessons.choices import Option, option, read_toml
from lessons.lesson_file import ROOT, LessonError

KEYS = {"ask", "answers", "items"}


@dataclass(frozen=True)
class Item:
    """`right` is the name of the answer that belongs to it."""

    id: str
    text: str
    right: str


@dataclass(frozen=True)
class Pairs:
    ask: str
    answers: Mapping[str, Option]
    items: tuple[Item, ...]


def pairs_path(name: str, language: str, root: Path = ROOT) -> Path:
    return root / language / f"{name}.match.toml"


@functools.cache
def pairs(name: str, language: str, root: Path = ROOT) -> Pairs:
    """The pairs of one file. Raises LessonError with the file, the place and the rule."""
    path = pairs_path(name, language, root)
    read = read_toml(path, "pairs to match")
    if set(read) != KEYS:
        raise LessonError(f"{path} has the keys {sorted(read)}; pairs to match have {sorted(KEYS)}")
    answers = {key: option(f"{path}: answer {key}", answer) for key, answer in read["answers"].items()}
    items = tuple(_item(path, number, item, answers) for number, item in enumerate(read["items"], start=1))
    used = [item.right for item in items]
    twice = sorted({right for right in used if used.count(right) > 1})
    if len(items) < 2 or twice:
        raise LessonError(f"{path} has {len(items)} items, answers used twice: {twice}; two items or more, none twice")
    return Pairs(read["ask"], answers, items)


def _item(path: Path, number: int, item: dict[str, Any], answers: Mapping[str, Option]) -> Item:
    if set(item) != {"id", "text", "right"}:
        raise LessonError(f"{path}: item {number} has the keys {sorted(item)}; it needs an id, a text and a right")
    if item["right"] not in answers:
        raise LessonError(f"{path}: item {item['id']} belongs to {item['right']!r}, which is none of the answers")
    return Item(item["id"], item["text"], item["right"])
