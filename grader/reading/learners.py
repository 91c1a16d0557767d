"""Whose file is it: the learner's id from the names that learning platforms and browsers give to files."""
from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

SUFFIXES = (".ipynb", ".py", ".json", ".txt", ".html", ".htm", ".pdf", ".zip", ".docx", ".md")
_TAKEN = re.compile(r"\.(?:ipynb|py|json)(?:\.(?:txt|json))?$", re.I)  # .ipynb.txt: what some browsers make of .ipynb

_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)(?:_(?P<file>.*))?$", re.I)
_CANVAS = re.compile(
    r"(?P<name>[^_]+)(?:_late)?_(?P<number>\d{2,})(?:_late)?_(?P<attempt>\d{2,})_(?P<file>.+)$", re.I
)
_COPY_BEFORE = re.compile(r"(?:copy of |kopie von |copie de |copia de |副本 ?)", re.I)
_COPY_AFTER = re.compile(r" ?(?:\((\d+)\)| ?- ?copy| copy(?: (\d+))?|[-_ ]*(?:的)?副本(?: ?(\d+))?)$", re.I)

_JUNK_FOLDERS = frozenset({"__macosx", ".ipynb_checkpoints", "__pycache__", ".git", ".vscode", ".idea", "$recycle.bin"})
_JUNK_FILES = frozenset({"desktop.ini", "thumbs.db", ".ds_store", "ehthumbs.db"})
_NOT_SUBMITTED = re.compile(r"(?:expected\.toml|readme(?:\.(?:md|txt|rst))?)$", re.I)  # beside the submissions


class Owner(NamedTuple):
    """`attempt` orders several hand-ins of the same `file`, the newest last."""

    learner: str
    file: str
    attempt: tuple[int, int]


def is_junk(path: tuple[str, ...]) -> bool:
    """Whether the path is something that systems and editors leave lying about."""
    *folders, name = (part.lower() for part in path)
    if _JUNK_FOLDERS & {*folders, name} or name in _JUNK_FILES or name.startswith(("._", "~$")):
        return True
    hidden = name.startswith(".") and not takes(name)
    return hidden or (not folders and _NOT_SUBMITTED.match(name) is not None)


def takes(name: str) -> bool:
    """Whether the name is that of a notebook or a Python file."""
    return _TAKEN.search(name) is not None


def is_platform_name(name: str) -> bool:
    """Whether a learning platform's export made this file or folder name."""
    return _MOODLE.match(name) is not None or _CANVAS.match(name) is not None


def owner(path: tuple[str, ...]) -> Owner:
    """The learner of a file: from the platform's pattern, else the folder, else the file's name without copy marks."""
    first, name = path[0], path[-1]
    moodle = _MOODLE.match(first)
    if moodle:
        file, copy = without_copy_marks(moodle["file"] or name if len(path) == 1 else name)
        return _owner(f"{moodle['name']}_{moodle['number']}", (*path[1:-1], file), (0, copy))
    canvas = _CANVAS.match(first)
    if canvas:
        file, copy = without_copy_marks(canvas["file"] if len(path) == 1 else name)
        attempt = int(canvas["attempt"][:18]), copy
        return _owner(f"{canvas['name']}_{canvas['number']}", (*path[1:-1], file), attempt)
    file, copy = without_copy_marks(name)
    return _owner(first if len(path) > 1 else _stem(file)[0], (*path[1:-1], file), (0, copy))


def without_copy_marks(name: str) -> tuple[str, int]:
    """The name without ` (1)`, `Copy of ` and the like, and how often it was copied."""
    stem, suffix = _stem(name)
    copies, before = 0, ""
    while stem != before:
        before = stem
        stem, count = _COPY_BEFORE.subn("", stem, count=1) if _COPY_BEFORE.match(stem) else (stem, 0)
        copies += count
        after = _COPY_AFTER.search(stem)
        if after and after.start() > 0:
            copies += int(next((digits for digits in after.groups() if digits), "1")[:9])
            stem = stem[: after.start()]
        stem = stem.strip(" “”\"") or before
    return stem + suffix, copies


def _stem(name: str) -> tuple[str, str]:
    """Name and suffix; of `hw.ipynb.txt` both suffixes."""
    suffix = ""
    while True:
        found = next((one for one in SUFFIXES if name.lower().endswith(one) and len(name) > len(one)), None)
        if found is None:
            return name, suffix
        name, suffix = name[: -len(found)], name[-len(found) :] + suffix


def _owner(learner: str, file: tuple[str, ...], attempt: tuple[int, int]) -> Owner:
    return Owner(unicodedata.normalize("NFC", learner.strip()) or "?", "/".join(file).lower(), attempt)
