"""A lesson is a Markdown file, lessons/<language>/<id>.md, with a few lines that place figures and exercises.

The file starts with its front matter between two `---` lines: `title`, `order`, `exercise` (may be empty) and
`summary`, one `key: value` a line; `order` is the chapter's number, 0 for the start page. The body is Markdown. A line
that starts with `::` is a directive:

    ::figure{name}        the figure `name` of lessons/figures
    ::exercise{id}        a card that leads to the exercise `id`
    ::quiz{name}          the quiz of lessons/<language>/<name>.quiz.toml (see lessons.choices)
    ::match{name}         the pairs to match of lessons/<language>/<name>.match.toml (see lessons.matching)
    ::note{Title}         opens a folded note (a common wrong idea, an aside); Markdown until
    ::end                 closes it

Nothing else is a directive, and a note holds Markdown only. Markers of claims are left out (see lessons.claims).
"""
from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.language import flowing
from lessons.claims import unmarked

ROOT = Path(__file__).resolve().parent
FRONT_MATTER = ("title", "order", "exercise", "summary")
_DIRECTIVE = re.compile(r"::(?P<kind>figure|exercise|quiz|match|note)\{(?P<value>[^{}]+)\}|::(?P<end>end)")


class LessonError(Exception):
    """A lesson file that can't be read; the message names the file, the line and the rule."""


@dataclass(frozen=True)
class Part:
    """One piece of a lesson: `kind` is "text" or the name of a directive; a note's `value` is its title."""

    kind: str
    value: str
    text: str
    line: int


@dataclass(frozen=True)
class Lesson:
    id: str
    language: str
    title: str
    order: int
    exercise: str  # the exercise that belongs to it, or ""
    summary: str
    parts: tuple[Part, ...]

    @property
    def figures(self) -> tuple[str, ...]:
        return tuple(part.value for part in self.parts if part.kind == "figure")

    @property
    def directives(self) -> tuple[tuple[str, str], ...]:
        """What must be the same in both languages: kinds in order, with the names that are not translated."""
        placed = (part for part in self.parts if part.kind != "text")
        return tuple((part.kind, "" if part.kind == "note" else part.value) for part in placed)


@functools.cache
def lessons(language: str, root: Path = ROOT) -> tuple[Lesson, ...]:
    """Every chapter of lessons/<language>, in course order. The start page's text, with order 0, isn't one."""
    found = (read(path) for path in (root / language).glob("*.md"))
    return tuple(sorted((one for one in found if one.order), key=lambda lesson: (lesson.order, lesson.id)))


@functools.cache
def start_page(language: str, root: Path = ROOT) -> Lesson:
    """What the start page says: lessons/<language>/start.md."""
    return read(root / language / "start.md")


def read(path: Path) -> Lesson:
    """Read one lesson file. Raises LessonError with file and line."""
    lines = unmarked(path.read_text("utf-8")).splitlines()
    front, body_starts = _front_matter(path, lines)
    return Lesson(
        id=path.stem,
        language=path.parent.name,
        title=front["title"],
        order=_whole_number(path, front["order"]),
        exercise=front["exercise"],
        summary=front["summary"],
        parts=tuple(_parts(path, lines, body_starts)),
    )


def _front_matter(path: Path, lines: list[str]) -> tuple[dict[str, str], int]:
    if not lines or lines[0].strip() != "---" or "---" not in (line.strip() for line in lines[1:]):
        raise LessonError(f"{path}:1 has no front matter; {', '.join(FRONT_MATTER)} stand between two --- lines")
    end = next(number for number, line in enumerate(lines[1:], 1) if line.strip() == "---")
    front: dict[str, str] = {}
    for number, line in enumerate(lines[1:end], 2):
        key, colon, value = line.partition(":")
        if not colon or key.strip() not in FRONT_MATTER:
            keys = ", ".join(FRONT_MATTER)
            raise LessonError(f"{path}:{number} reads {line!r}; the keys are {keys}, one `key: value` a line")
        front[key.strip()] = value.strip()
    missing = [key for key in FRONT_MATTER if key not in front]
    if missing:
        raise LessonError(f"{path}:{end + 1} closes the front matter without {', '.join(missing)}")
    return front, end + 1


def _whole_number(path: Path, text: str) -> int:
    if not text.isdecimal():
        raise LessonError(f"{path} has order {text!r}; order is a whole number")
    return int(text)


def _parts(path: Path, lines: list[str], start: int) -> Iterator[Part]:
    text: list[str] = []
    text_line = start + 1
    note: Part | None = None
    for number, line in enumerate(lines[start:], start + 1):
        if not line.startswith("::"):
            text.append(line)
            continue
        kind, value = _directive(path, number, line)
        if (kind == "end") != (note is not None):
            trouble = "inside a note; close it with ::end" if note else "without a ::note"
            raise LessonError(f"{path}:{number} has {line!r} {trouble}")
        written = _written(text)
        if note is not None:
            yield Part("note", note.value, written, note.line)
        elif written:
            yield Part("text", "", written, text_line)
        note = Part(kind, value, "", number) if kind == "note" else None
        if kind in ("figure", "exercise", "quiz", "match"):
            yield Part(kind, value, "", number)
        text, text_line = [], number + 1
    if note is not None:
        raise LessonError(f"{path}:{note.line} opens a note that is never closed; add a line ::end")
    if _written(text):
        yield Part("text", "", _written(text), text_line)


def _written(lines: list[str]) -> str:
    return flowing("\n".join(lines).strip())


def _directive(path: Path, number: int, line: str) -> tuple[str, str]:
    found = _DIRECTIVE.fullmatch(line.rstrip())
    if found is None:
        known = "::figure{name}, ::exercise{id}, ::quiz{name}, ::match{name}, ::note{Title} or ::end"
        raise LessonError(f"{path}:{number} reads {line!r}; a line that starts with :: is {known}")
    return found["kind"] or "end", (found["value"] or "").strip()
