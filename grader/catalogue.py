"""The exercises, read from their two halves: exercises/<id> (handed out) and solutions/<id> (kept here)."""
from __future__ import annotations

import ast
import functools
import importlib
import inspect
import random
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from exercises.expect import LENIENCIES, Text, accepting
from grader.language import LANGUAGES, flowing
from grader.reading import suites
from grader.reading.pairing import BLANK as BLANK
from grader.sandbox import Limits, limits_for
from solutions.cases import Probe

Functions = Mapping[str, Callable[..., Any]]  # by name, the exercise's main function first

RNG = "rng"
ROOT = Path(__file__).resolve().parent.parent


class ContentError(Exception):
    """An exercise's files contradict each other; the message names the file and the rule."""


@dataclass(frozen=True)
class Check:
    """One check: a plain function of the exercise's main function.

    What else it takes it asks for by name: `rng`, a seeded random.Random, or another function of the exercise.
    """

    id: str
    title: Text
    idea: Text  # what a hidden failure may tell the student
    group: str
    points: float
    visible: bool
    function: Callable[..., None]
    lenient: tuple[str, ...] = LENIENCIES

    @property
    def asks_for(self) -> tuple[str, ...]:
        """The names of its parameters after the first."""
        return tuple(inspect.signature(self.function).parameters)[1:]

    @property
    def takes_randomness(self) -> bool:
        return RNG in self.asks_for

    def run(self, functions: Functions, rng: random.Random) -> None:
        """Call it. Whatever a function or an assertion raises goes through."""
        known = {**functions, RNG: rng}
        with accepting(self.lenient):
            self.function(next(iter(functions.values())), *(known[name] for name in self.asks_for))


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer: the blanks it fills wrongly, and what the student who wrote it needs to hear."""

    id: str
    name: Text
    message: Text
    blanks: dict[str, str]
    preamble: str = ""
    mutants: tuple[str, ...] = ()  # which rows of the course's table of mutants it is


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
    solution: Callable[..., Any]  # the main function, right
    mistakes: tuple[Mistake, ...]
    probes: tuple[Probe | tuple[Any, ...], ...]  # calls that tell known mistakes apart; a tuple: the main function's
    variants: ModuleType  # solutions/<id>/variants.py: make(seed) -> Variant
    others: Functions = field(default_factory=dict)  # the other functions that checks may call, right
    lenient: tuple[str, ...] = LENIENCIES  # what may stand for what: exercises.expect.accepting
    start_texts: tuple[tuple[str, str], ...] = ()  # (blank id, what it holds when handed out), where it isn't empty

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks)

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that checks may call; the main one, which has the exercise's id, first."""
        return (self.id, *self.others)

    @property
    def solutions(self) -> dict[str, Callable[..., Any]]:
        """Every function that checks may call, right; the main one first."""
        return {self.id: self.solution, **self.others}

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


def points(exercise_id: str) -> float:
    """What an exercise gives, from its settings alone: to `load` it imports its checks and all that they need."""
    settings = _settings(exercise_id)
    each: list[float] = [entry["points"] for entry in (*settings["visible"], *settings["hidden"])]
    return sum(each)


@functools.cache
def load(exercise_id: str) -> Exercise:
    """Read one exercise. Raises ContentError where its files contradict each other."""
    settings = _settings(exercise_id)
    folder, kept = ROOT / "exercises" / exercise_id, ROOT / "solutions" / exercise_id
    hidden = importlib.import_module(f"solutions.{exercise_id}.hidden")
    stub = (folder / "stub.py").read_text("utf-8")
    blanks = settings["blanks"]
    names, preload = _functions(exercise_id, settings), tuple(settings.get("preload", ("numpy",)))
    if not stub.count(BLANK) == len(suites.columns(stub)) == len(blanks):
        raise ContentError(f"{folder / 'stub.py'} has {stub.count(BLANK)} blanks, exercise.toml names {len(blanks)}")
    mistakes = importlib.import_module(f"solutions.{exercise_id}.mistakes").MISTAKES
    lenient = _lenient(exercise_id, settings)
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
        limits=limits_for(preload, **settings.get("limits", {})),
        preload=preload,
        checks=_checks(
            settings, {RNG, *names[1:]}, importlib.import_module(f"exercises.{exercise_id}.checks"), hidden, lenient
        ),
        lenient=lenient,
        stub=stub,
        prompt=_paired(folder, "prompt"),
        answer=_paired(kept, "answer"),
        solution_source=(kept / "solution.py").read_text("utf-8"),
        solution=_deferred(exercise_id, exercise_id, stub),
        mistakes=tuple(Mistake(**mistake | {"mutants": tuple(mistake.get("mutants", ()))}) for mistake in mistakes),
        probes=hidden.PROBES,
        variants=importlib.import_module(f"solutions.{exercise_id}.variants"),
        others={name: _deferred(exercise_id, name, stub) for name in names[1:]},
    )


def _functions(exercise_id: str, settings: dict[str, Any]) -> tuple[str, ...]:
    names = tuple(settings.get("functions", (exercise_id,)))
    if names[:1] != (exercise_id,) or len(set(names)) < len(names):
        raise ContentError(f"{exercise_id}/exercise.toml: functions must begin with {exercise_id}, each named once")
    return names


def _lenient(exercise_id: str, settings: dict[str, Any]) -> tuple[str, ...]:
    named = settings.get("lenient", LENIENCIES)
    if not set(named) <= set(LENIENCIES):
        raise ContentError(f"{exercise_id}/exercise.toml: lenient may name {', '.join(LENIENCIES)}")
    return tuple(name for name in LENIENCIES if name in named)


def _deferred(exercise_id: str, name: str, stub: str) -> Callable[..., Any]:
    """A function of the solution, which is imported at the first call: one that needs torch takes a second."""
    found = (node for node in ast.walk(ast.parse(stub)) if isinstance(node, ast.FunctionDef) and node.name == name)

    def right(*arguments: Any, **named: Any) -> Any:
        return getattr(importlib.import_module(f"solutions.{exercise_id}.solution"), name)(*arguments, **named)

    right.__name__ = name
    right.parameters = tuple(one.arg for node in found for one in node.args.args)  # type: ignore[attr-defined]
    return right


@functools.cache  # every page asks for the order of all exercises, and reading ten files takes 9 ms
def _settings(exercise_id: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "exercises" / exercise_id / "exercise.toml").read_text("utf-8"))


def _text(pair: dict[str, str]) -> Text:
    return Text(en=pair["en"], zh=pair["zh"])


def _paired(folder: Path, name: str) -> Text:
    return Text(*(flowing((folder / f"{name}.{language}.md").read_text("utf-8")) for language in LANGUAGES))


def _checks(
    settings: dict[str, Any],
    askable: set[str],
    visible: ModuleType,
    hidden: ModuleType,
    lenient: tuple[str, ...] = LENIENCIES,
) -> tuple[Check, ...]:
    checks = tuple(
        Check(
            id=entry["id"],
            title=_text(entry["title"]),
            idea=_text(entry.get("idea", entry["title"])),
            group=entry["group"],
            points=entry["points"],
            visible=module is visible,
            function=getattr(module, entry["id"]),
            lenient=lenient,
        )
        for key, module in (("visible", visible), ("hidden", hidden))
        for entry in settings[key]
    )
    for check in checks:
        if not askable.issuperset(check.asks_for):
            raise ContentError(f"check {check.id} asks for {check.asks_for}; a check may ask for {sorted(askable)}")
    return checks
