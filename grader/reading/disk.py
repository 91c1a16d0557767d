"""Files of a submissions folder, read without trusting them: no links, no pipes that block, no endless depth."""
from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.reading.decode import MAX_BYTES, Unreadable, unreadable

MAX_DEPTH = 12
MAX_FILES = 50_000
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True)
class Found:
    """A file, or a folder (`read` is None), below a submissions folder or archive.

    `read` gives the bytes, or raises Unreadable for what must not or can't be read.
    """

    path: tuple[str, ...]
    read: Callable[[], bytes] | None
    modified: float = 0.0


def refused(path: tuple[str, ...], reason: Unreadable) -> Found:
    """A file that stays in the list with the reason why it can't be taken."""

    def read() -> bytes:
        raise reason

    return Found(path, read)


def read_file(path: Path) -> bytes:
    """The content of a regular file. Raises Unreadable for a link, a pipe or device, and a file that is too large."""
    try:
        handle = os.open(path, _FLAGS)
    except OSError as error:
        if path.is_symlink():
            raise unreadable("link", name=path.name) from None
        raise unreadable("not_opened", name=path.name, rule=error.strerror or str(error)) from None
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise unreadable("special", name=path.name)
        if about.st_size > MAX_BYTES:
            raise unreadable("too_large", size=about.st_size >> 20, limit=MAX_BYTES >> 20)
        return file.read(MAX_BYTES + 1)  # one more than allowed: a file that grows meanwhile is refused by `decode`


def walk(root: Path) -> list[Found]:
    """Everything below `root`, in the order of names. Raises Unreadable where `root` can't be listed or is endless."""
    found = []
    for one in _walk(root, ()):
        found.append(one)
        if len(found) > MAX_FILES:
            raise unreadable("archive_too_many", name=root.name, limit=MAX_FILES)
    return found


def _walk(folder: Path, parts: tuple[str, ...]) -> Iterator[Found]:
    try:
        with os.scandir(folder) as listing:
            children = sorted(listing, key=lambda child: child.name)
    except OSError as error:
        rule = error.strerror or str(error)
        if not parts:
            raise unreadable("not_opened", name=folder.name, rule=rule) from None
        yield refused(parts, unreadable("not_opened", name=folder.name, rule=rule))
        return
    for child in children:
        yield from _child(child, (*parts, _printable(child.name)))


def _child(child: os.DirEntry[str], path: tuple[str, ...]) -> Iterator[Found]:
    if child.is_symlink():
        yield refused(path, unreadable("link", name=path[-1]))
    elif not child.is_dir(follow_symlinks=False):
        place = Path(child.path)
        yield Found(path, lambda: read_file(place), child.stat(follow_symlinks=False).st_mtime)
    elif len(path) >= MAX_DEPTH:
        yield refused(path, unreadable("folder_too_deep", name=path[-1], limit=MAX_DEPTH))
    else:
        yield Found(path, None)
        yield from _walk(Path(child.path), path)


def _printable(name: str) -> str:
    """File names that are not UTF-8 arrive with lone surrogates, which can't be written anywhere."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
