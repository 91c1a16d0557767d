"""A learner's data as a file that a reader can take along: its shape, and the strict reading of it."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from grader.plain import writable
from grader.verdicts import Verdict

VERSION = 1
ENTRIES = 5000  # of each kind
LETTERS = 20_000  # in one text
MOST_POINTS = 1_000_000
YEARS = range(1970, 2200)  # what a page can show in any time zone
VERDICTS = frozenset(map(str, Verdict))
OUTCOME: dict[str, type | tuple[type, ...]] = {
    "verdict": str,
    "earned": (int, float),
    "possible": (int, float),
    "mistakes": list,
}


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
    """Raises ValueError that names what is wrong and where."""
    if not isinstance(data, dict) or data.get("course") != "verify-speculative-decoding":
        raise ValueError("this is not an export of this course: the file must be one that Export has written")
    if data.get("version") != VERSION:
        raise ValueError(f"the export has version {data.get('version')!r}; this course reads version {VERSION}")
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
        raise ValueError(f"{key} must be a list of objects")
    if len(entries) > ENTRIES:
        raise ValueError(f"{key} has {len(entries)} entries; at most {ENTRIES} can be imported")
    return enumerate(entries)


def _attempt(entry: dict[str, Any], place: str) -> dict[str, Any]:
    outcome = entry.get("outcome")
    if not isinstance(outcome, dict):
        raise ValueError(f"{place}.outcome must be an object")
    for key, kind in OUTCOME.items():
        if not isinstance(outcome.get(key), kind):
            raise ValueError(f"{place}.outcome.{key} is missing or of the wrong type")
    if outcome["verdict"] not in VERDICTS:
        raise ValueError(f"{place}.outcome.verdict must be one of {', '.join(sorted(VERDICTS))}")
    if not all(0 <= outcome[key] <= MOST_POINTS for key in ("earned", "possible")):  # NaN is refused too
        raise ValueError(f"{place}.outcome.earned and .possible must be numbers from 0 to {MOST_POINTS}")
    if len(str(outcome)) > LETTERS:
        raise ValueError(f"{place}.outcome is longer than {LETTERS} characters")
    for mistake in outcome["mistakes"]:
        _text(mistake, f"{place}.outcome.mistakes")
    return _draft(entry, place) | {"outcome": outcome}


def _draft(entry: dict[str, Any], place: str) -> dict[str, Any]:
    blanks = entry.get("blanks")
    if not isinstance(blanks, dict):
        raise ValueError(f"{place}.blanks must be an object of texts")
    return {
        "exercise": _text(entry.get("exercise"), f"{place}.exercise", 100),
        "at": _time(entry.get("at"), f"{place}.at"),
        "blanks": {_text(name, place, 100): _text(text, f"{place}.blanks") for name, text in blanks.items()},
    }


def _progress(progress: object, states: tuple[str, ...]) -> dict[str, str]:
    if not isinstance(progress, dict) or len(progress) > ENTRIES:
        raise ValueError(f"progress must be an object of at most {ENTRIES} items")
    for item, state in progress.items():
        if state not in states:
            raise ValueError(f"progress of {item!r} is {state!r}; it must be one of {', '.join(states)}")
    return {_text(item, "progress", 300): state for item, state in progress.items()}


def _text(value: object, place: str, letters: int = LETTERS) -> str:
    if not isinstance(value, str) or len(value) > letters:
        raise ValueError(f"{place} must be a text of at most {letters} characters")
    return writable(value)


def _time(value: object, place: str) -> str:
    try:
        time = as_time(str(value))
        if time.year not in YEARS:
            raise ValueError(f"year {time.year}")
    except (ValueError, OverflowError):
        raise ValueError(f"{place} is {value!r}; it must be a time such as 2026-01-31T12:00:00+00:00") from None
    return time.isoformat(timespec="microseconds")
