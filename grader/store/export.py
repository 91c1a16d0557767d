"""A learner's data as a file that a reader can take along: its shape, and the strict reading of it."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from exercises.expect import show
from grader.plain import writable
from grader.verdicts import Verdict
from grader.wording import both

VERSION = 1
ENTRIES = 5000  # of each kind
LETTERS = 20_000  # in one text
SHORT = 60  # characters of a value that a message shows
MOST_POINTS = 1_000_000
YEARS = range(1970, 2200)  # what a page can show in any time zone
VERDICTS = frozenset(map(str, Verdict))
OUTCOME: dict[str, type | tuple[type, ...]] = {
    "verdict": str,
    "earned": (int, float),
    "possible": (int, float),
    "mistakes": list,
}


class NotAnExport(ValueError):
    """What is wrong with a file, and where: `text` in both languages, from [export] of the judge's texts."""

    def __init__(self, key: str, **slots: object) -> None:
        self.text = both(f"export.{key}", **slots)
        super().__init__(self.text.en)


@dataclass(frozen=True)
class Portable:
    attempts: tuple[dict[str, Any], ...]
    drafts: tuple[dict[str, Any], ...]
    progress: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        return {
            "course": "verify-speculative-decoding",
            "version": VERSION,
            "attempts": list(self.attempts),
            "drafts": list(self.drafts),
            "progress": self.progress,
        }


def read_portable(data: object, states: Iterable[str]) -> Portable:
    """Raises NotAnExport."""
    if not isinstance(data, dict) or data.get("course") != "verify-speculative-decoding":
        raise NotAnExport("other_file")
    if data.get("version") != VERSION:
        raise NotAnExport("version", got=show(data.get("version"), SHORT), known=VERSION)
    attempts = tuple(_attempt(entry, f"attempts[{index}]") for index, entry in _entries(data, "attempts"))
    drafts = tuple(_draft(entry, f"drafts[{index}]") for index, entry in _entries(data, "drafts"))
    return Portable(attempts, drafts, _progress(data.get("progress"), tuple(states)))


def as_time(text: str) -> datetime:
    """An ISO 8601 time with its zone, as UTC. Raises ValueError."""
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(f"time {text!r} has no zone")
    return time.astimezone(UTC)


def _entries(data: dict[str, Any], key: str) -> Iterable[tuple[int, dict[str, Any]]]:
    entries = data.get(key)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise NotAnExport("list", place=key)
    if len(entries) > ENTRIES:
        raise NotAnExport("too_many", place=key, got=len(entries), most=ENTRIES)
    return enumerate(entries)


def _attempt(entry: dict[str, Any], place: str) -> dict[str, Any]:
    outcome = entry.get("outcome")
    if not isinstance(outcome, dict):
        raise NotAnExport("object", place=f"{place}.outcome")
    for key, kind in OUTCOME.items():
        if not isinstance(outcome.get(key), kind):
            raise NotAnExport("type", place=f"{place}.outcome.{key}")
    if outcome["verdict"] not in VERDICTS:
        raise NotAnExport("choice", place=f"{place}.outcome.verdict", known=", ".join(sorted(VERDICTS)))
    if not all(0 <= outcome[key] <= MOST_POINTS for key in ("earned", "possible")):  # NaN is refused too
        raise NotAnExport("points", place=f"{place}.outcome", most=MOST_POINTS)
    if len(str(outcome)) > LETTERS:
        raise NotAnExport("long", place=f"{place}.outcome", most=LETTERS)
    for mistake in outcome["mistakes"]:
        _text(mistake, f"{place}.outcome.mistakes")
    return _draft(entry, place) | {"outcome": outcome}


def _draft(entry: dict[str, Any], place: str) -> dict[str, Any]:
    blanks = entry.get("blanks")
    if not isinstance(blanks, dict):
        raise NotAnExport("object", place=f"{place}.blanks")
    return {
        "exercise": _text(entry.get("exercise"), f"{place}.exercise", 100),
        "at": _time(entry.get("at"), f"{place}.at"),
        "blanks": {_text(name, place, 100): _text(text, f"{place}.blanks") for name, text in blanks.items()},
    }


def _progress(progress: object, states: tuple[str, ...]) -> dict[str, str]:
    if not isinstance(progress, dict):
        raise NotAnExport("object", place="progress")
    if len(progress) > ENTRIES:
        raise NotAnExport("too_many", place="progress", got=len(progress), most=ENTRIES)
    for item, state in progress.items():
        if state not in states:
            raise NotAnExport("choice", place=f"progress[{show(item, SHORT)}]", known=", ".join(states))
    return {_text(item, "progress", 300): state for item, state in progress.items()}


def _text(value: object, place: str, letters: int = LETTERS) -> str:
    if not isinstance(value, str) or len(value) > letters:
        raise NotAnExport("long", place=place, most=letters)
    return writable(value)


def _time(value: object, place: str) -> str:
    try:
        time = as_time(str(value))
        if time.year not in YEARS:
            raise ValueError(f"year {time.year}")
    except (ValueError, OverflowError):
        raise NotAnExport("time", place=place, got=show(value, SHORT)) from None
    return time.isoformat(timespec="microseconds")
