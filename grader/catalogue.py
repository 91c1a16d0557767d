"""The exercises, read from their two halves: exercises/<id> (handed out) and solutions/<id> (kept here)."""
from __future__ import annotations

import functools
import importlib
import inspect
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from exercises.expect import Text
from grader.language import LANGUAGES, flowing
from grader.reading import suites
from grader.reading.pairing import BLANK as BLANK
from grader.sandbox import Limits

ROOT = Path(__file__).resolve().parent.parent


class ContentError(Exception):
    """An exercise's files contradict each other; the message names the file and the rule."""


@dataclass(frozen=True)
class Check:
    """One check: a plain function of the student's function and, where it takes two, a seeded random.Random."""

    id: str
    title: Text
    idea: Text  # what a hidden failure may tell the student
    group: str
    points: float
    visible: bool
    function: Callable[..., None]

    @property
    def takes_randomness(self) -> bool:
        return len(inspect.signature(self.function).parameters) == 2


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer: the blanks it fills wrongly, and what the student who wrote it needs to hear."""

    id: str
    name: Text
    message: Text
    blanks: dict[str, str]
    preamble: str = ""


@dataclass(frozen=True)
class Exercise:
    id: str
    title: Text
    order: int
    lesson: str
    figure: str  # the figure that the student's own function can drive; "" where there is none
    difficulty: int
    minutes: int
    blank_ids: tuple[str, ...]  # in the order of the stub
    blank_labels: tuple[Text, ...]
    hints: tuple[Text, ...]
    limits: Limits
    preload: tuple[str, ...]  # modules that a process imports before it takes an answer; others are imported on demand
    checks: tuple[Check, ...]
    stub: str
    prompt: Text
    answer: Text
    solution_source: str
    solution: Callable[..., Any]
    mistakes: tuple[Mistake, ...]
    probes: tuple[tuple[Any, ...], ...]  # arguments on which known mistakes are told apart
    variants: ModuleType  # solutions/<id>/variants.py: make(seed) -> Variant
    start_texts: tuple[tuple[str, str], ...] = ()  # (blank id, what it holds when handed out), where it isn't empty

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks)

    @property
    def visible(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.visible)

    @property
    def columns(self) -> tuple[int | None, ...]:
        """For each blank the column where its statements stand, None where it is an expression."""
        return suites.columns(self.stub)

    @property
    def starts(self) -> dict[str, str]:
        """The text that each blank holds when it is handed out, by id; "" where it is empty."""
        return dict.fromkeys(self.blank_ids, "") | dict(self.start_texts)

    @property
    def handed_out(self) -> str:
        """The stub as students get it: with the start texts in their blanks."""
        return self.fill(dict(self.start_texts))

    def fill(self, blanks: dict[str, str], preamble: str = "") -> str:
        """The pristine stub with its blanks replaced, in order. A blank that is not given stays open.

        White space around a blank's text goes, and a comment at its end does not swallow the stub's next words.
        Statements may be given at any indentation.
        """
        pieces = zip(self.blank_ids, self.columns, self.stub.split(BLANK)[1:], strict=True)
        texts = [_fitted(blanks.get(name, ""), column, after) for name, column, after in pieces]
        text = suites.splice(self.stub, texts)
        return f"{preamble}\n\n{text}" if preamble else text


def _fitted(text: str, column: int | None, after: str) -> str:
    """The text as it goes into its blank. Comments alone leave the blank open; those that end an expression end its
    line where the stub goes on beside it."""
    if column is not None:
        statements = suites.dedented(text)
        return "\n".join([*filter(None, [statements]), BLANK]) if suites.is_empty(statements) else statements
    text = text.strip() or BLANK
    return f"{text}\n" if "#" in text.rpartition("\n")[2] and not after.startswith("\n") else text


def exercise_ids() -> tuple[str, ...]:
    """Every folder of exercises/ with an exercise.toml, in course order."""
    found = [path.parent.name for path in (ROOT / "exercises").glob("*/exercise.toml")]
    return tuple(sorted(found, key=lambda name: (_settings(name).get("order", 0), name)))


@functools.cache
def load(exercise_id: str) -> Exercise:
    """Read one exercise. Raises ContentError where its files contradict each other."""
    settings = _settings(exercise_id)
    folder, kept = ROOT / "exercises" / exercise_id, ROOT / "solutions" / exercise_id
    hidden = importlib.import_module(f"solutions.{exercise_id}.hidden")
    solution = importlib.import_module(f"solutions.{exercise_id}.solution")
    stub = (folder / "stub.py").read_text("utf-8")
    blanks = settings["blanks"]
    if not stub.count(BLANK) == len(suites.columns(stub)) == len(blanks):
        raise ContentError(f"{folder / 'stub.py'} has {stub.count(BLANK)} blanks, exercise.toml names {len(blanks)}")
    mistakes = importlib.import_module(f"solutions.{exercise_id}.mistakes").MISTAKES
    return Exercise(
        id=exercise_id,
        title=_text(settings["title"]),
        order=settings["order"],
        lesson=settings["lesson"],
        figure=settings.get("figure", ""),
        difficulty=settings["difficulty"],
        minutes=settings["minutes"],
        blank_ids=tuple(blank["id"] for blank in blanks),
        blank_labels=tuple(_text(blank["label"]) for blank in blanks),
        start_texts=tuple((blank["id"], blank["start"].strip("\n")) for blank in blanks if "start" in blank),
        hints=tuple(_text(hint) for hint in settings["hints"]),
        limits=Limits(**settings.get("limits", {})),
        preload=tuple(settings.get("preload", ("numpy",))),
        checks=_checks(settings, importlib.import_module(f"exercises.{exercise_id}.checks"), hidden),
        stub=stub,
        prompt=_paired(folder, "prompt"),
        answer=_paired(kept, "answer"),
        solution_source=(kept / "solution.py").read_text("utf-8"),
        solution=getattr(solution, exercise_id),
        mistakes=tuple(Mistake(**mistake) for mistake in mistakes),
        probes=hidden.PROBES,
        variants=importlib.import_module(f"solutions.{exercise_id}.variants"),
    )


def _settings(exercise_id: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "exercises" / exercise_id / "exercise.toml").read_text("utf-8"))


def _text(pair: dict[str, str]) -> Text:
    return Text(en=pair["en"], zh=pair["zh"])


def _paired(folder: Path, name: str) -> Text:
    return Text(*(flowing((folder / f"{name}.{language}.md").read_text("utf-8")) for language in LANGUAGES))


def _checks(settings: dict[str, Any], visible: ModuleType, hidden: ModuleType) -> tuple[Check, ...]:
    return tuple(
        Check(
            id=entry["id"],
            title=_text(entry["title"]),
            idea=_text(entry.get("idea", entry["title"])),
            group=entry["group"],
            points=entry["points"],
            visible=module is visible,
            function=getattr(module, entry["id"]),
        )
        for key, module in (("visible", visible), ("hidden", hidden))
        for entry in settings[key]
    )
