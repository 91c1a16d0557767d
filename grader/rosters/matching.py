"""Whose row of a roster is a submission's: by the platform's number, an id, a login, an address or the name.

A learner here is what the reader of folders made of file names: `Ann Lee_20418` where a platform's export has the
number in it, else a folder's or a file's name. Nothing is guessed: what fits no row, or several, says so.
"""
from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exercises.expect import Text
from grader.plain import printable
from grader.wording import both

_NUMBERED = re.compile(r"(?P<name>.+)_(?P<number>\d+)$", re.DOTALL)


@dataclass(frozen=True)
class Person:
    """A roster's row. `keys`: whatever else names this person and nobody else, such as ids, logins and addresses."""

    number: str  # the platform's own, which is in the names of exported files
    name: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Match:
    """The index of the row, or why there is none."""

    row: int | None
    reason: Text | None = None


def matches(learners: Iterable[str], people: Sequence[Person]) -> dict[str, Match]:
    """The row of each learner. Two learners never share one: both are then left out."""
    index = _Index(people)
    found = {learner: index.find(learner) for learner in learners}
    takers: defaultdict[int, list[str]] = defaultdict(list)
    for learner, match in found.items():
        if match.row is not None:
            takers[match.row].append(learner)
    for row, rivals in takers.items():
        if len(rivals) > 1:
            shared = Match(None, both("roster.same_row", row=_shown(people[row])))
            found |= {learner: shared for learner in rivals}
    return found


class _Index:
    def __init__(self, people: Sequence[Person]) -> None:
        self._people = people
        self._numbers: defaultdict[str, set[int]] = defaultdict(set)
        self._keys: defaultdict[str, set[int]] = defaultdict(set)
        self._names: defaultdict[str, set[int]] = defaultdict(set)
        for row, person in enumerate(people):
            for key in filter(None, (_key(person.number), *map(_key, person.keys))):
                self._keys[key].add(row)
            if person.number.strip():
                self._numbers[person.number.strip()].add(row)
            words = _words(person.name)
            if words:
                self._names[" ".join(sorted(words))].add(row)
                self._names["".join(words)].add(row)  # as Canvas writes `Lee, Ann` into file names

    def find(self, learner: str) -> Match:
        numbered = _NUMBERED.fullmatch(learner)
        by_number = self._numbers.get(numbered["number"], set()) if numbered else set()
        if numbered and len(by_number) == 1:
            return self._agreed(min(by_number), numbered["number"], self._named(numbered["name"]))
        rows = by_number or self._keys.get(_key(learner), set()) or self._named(learner)
        if len(rows) == 1:
            return Match(min(rows))
        if not rows:
            return Match(None, both("roster.nobody"))
        several = ", ".join(_shown(self._people[row]) for row in sorted(rows)[:5])
        return Match(None, both("roster.several", rows=several))

    def _agreed(self, row: int, number: str, named: set[int]) -> Match:
        """By number, unless the name is that of others only: somebody renamed a file, or the number is another one."""
        if not named or row in named:
            return Match(row)
        one, other = _shown(self._people[row]), _shown(self._people[min(named)])
        return Match(None, both("roster.number_and_name", number=number, one=one, other=other))

    def _named(self, name: str) -> set[int]:
        """By all words in any order, or one word: `ann_abell` is not Anna Bell."""
        return self._names.get(" ".join(sorted(_words(name))), set())


def _key(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", re.sub("['’]", "", _key(name)))


def _shown(person: Person) -> str:
    return printable(f"{person.name} ({person.number})" if person.number else person.name)[:80]
