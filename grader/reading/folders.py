"""A folder or zip of submissions as one entry a learner. Nothing goes missing: what can't be taken says why."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from exercises.expect import Text
from grader.reading.archive import members
from grader.reading.decode import Unreadable, unreadable
from grader.reading.disk import Found, read_file, refused, walk
from grader.reading.learners import Owner, is_junk, is_platform_name, owner, takes
from grader.reading.notes import text

_WRAPPER = re.compile(r"submissions?|submitted|downloads?|作业|提交", re.I)


@dataclass(frozen=True)
class Entry:
    """What one learner handed in: each file's name and its reader, which raises Unreadable where it can't be read."""

    learner: str
    files: tuple[tuple[str, Callable[[], bytes]], ...]
    notes: tuple[Text, ...] = ()

    def load(self) -> tuple[list[tuple[str, bytes]], list[tuple[str, Text]]]:
        """(name, bytes) of every file that can be read, and (name, reason) of every other."""
        loaded: list[tuple[str, bytes]] = []
        failed: list[tuple[str, Text]] = []
        for name, read in self.files:
            try:
                loaded.append((name, read()))
            except Unreadable as problem:
                failed.append((name, problem.reason))
        return loaded, failed


def entries(path: Path) -> list[Entry]:
    """The learners' entries, by id, of a folder, a zip archive or a single file.

    A learner's id is what the file-name pattern of Canvas or Moodle gives (name and number), else the name of the
    submission's folder, else the file's name without ` (1)`, `Copy of ` and the like. Of several attempts at one file
    the newest counts. Raises Unreadable where `path` itself can't be read.
    """
    found = [one for one in _unwrapped(_all(path), path) if not is_junk(one.path)]
    owned: dict[str, list[tuple[Owner, Found]]] = {}
    for one in found:
        if one.read is not None:
            whose = owner(one.path)
            owned.setdefault(whose.learner, []).append((whose, one))
    made = [_entry(learner, files) for learner, files in owned.items()]
    empty = {owner((*one.path, "?")).learner for one in found if one.read is None and len(one.path) == 1}
    made += [Entry(learner, (), (text("unreadable.no_file"),)) for learner in empty - owned.keys()]
    return sorted(made, key=lambda entry: entry.learner)


def _all(path: Path) -> list[Found]:
    if path.is_dir():
        return [one for found in walk(path) for one in _zip_opened(found)]
    if path.suffix.lower() == ".zip":
        return members(read_file(path.resolve()), path.name)
    if not path.exists():
        raise unreadable("not_opened", name=str(path), rule="no such file or folder")
    return [Found((path.name,), lambda: read_file(path))]


def _zip_opened(found: Found) -> list[Found]:
    """A zip in the folder as the folder of its name, as a learner or a platform packed it."""
    if found.read is None or not found.path[-1].lower().endswith(".zip") or is_junk(found.path):
        return [found]
    folder = (*found.path[:-1], found.path[-1][: -len(".zip")])
    try:
        inside = members(found.read(), found.path[-1], nested=True)
    except Unreadable as reason:
        return [refused(found.path, reason)]
    moved = [Found((*folder, *one.path), one.read, one.modified) for one in inside if not is_junk(one.path)]
    return [Found(folder, None), *moved]


def _unwrapped(found: list[Found], path: Path) -> list[Found]:
    """Without the one folder around all learners, which zip programs and platforms add."""
    while True:
        kept = [one for one in found if not is_junk(one.path)]
        tops = {one.path[0] for one in kept}
        files = [one.path for one in kept if one.read is not None]
        if len(tops) != 1 or not files or any(len(parts) == 1 for parts in files):
            return found
        (top,) = tops
        if is_platform_name(top) or not _wraps(top, files, path):
            return found
        found = [Found(one.path[1:], one.read, one.modified) for one in kept if len(one.path) > 1]


def _wraps(top: str, files: Sequence[tuple[str, ...]], path: Path) -> bool:
    """Whether the only folder holds all learners rather than being one learner's own."""
    inner = {parts[1] for parts in files}
    if top == path.stem or _WRAPPER.search(top) or any(map(is_platform_name, inner)):
        return True
    depths = {len(parts) for parts in files}
    flat_class = path.is_file() and depths == {2}  # a class in a zip of one folder is usual, one learner alone is not
    return len(inner) > 1 and (flat_class or min(depths) > 2)


def _entry(learner: str, files: Sequence[tuple[Owner, Found]]) -> Entry:
    newest: dict[str, tuple[Owner, Found]] = {}
    notes: list[Text] = []
    for whose, one in sorted(files, key=_by_attempt):
        if whose.file in newest:
            notes.append(text("folder.older_attempt", name="/".join(newest[whose.file][1].path)))
            newest.pop(whose.file)
        newest[whose.file] = (whose, one)
    kept = [one for _, one in newest.values()]
    wanted = [one for one in kept if takes(one.path[-1])] or kept
    notes += [text("folder.not_taken", name="/".join(one.path)) for one in kept if one not in wanted]
    wanted.sort(key=lambda one: _natural("/".join(one.path)))
    return Entry(learner, tuple(("/".join(one.path), one.read) for one in wanted if one.read), tuple(notes))


def _by_attempt(pair: tuple[Owner, Found]) -> tuple[object, ...]:
    whose, one = pair
    return whose.attempt, one.modified, _natural("/".join(one.path))


def _natural(name: str) -> list[tuple[int, str]]:
    """Numbers in a name by their value: hw-2 before hw-10, so that the last file is the latest."""
    parts = re.split(r"([0-9]+)", name)
    return [(int(part[:18]), "") if part.isdigit() and part.isascii() else (-1, part) for part in parts]
