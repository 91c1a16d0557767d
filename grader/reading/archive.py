"""Zip archives of submissions, unpacked in memory and never to disk: regular files only, with caps while inflating."""
from __future__ import annotations

import io
import re
import stat
import threading
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import PurePosixPath

from grader.reading.decode import MAX_BYTES, Unreadable, unreadable
from grader.reading.disk import MAX_DEPTH, Found, refused

MAX_FILES = 20_000
MAX_LIST = 300 * MAX_FILES  # bytes of an archive's list of files; without names an entry takes 46
MAX_TOTAL = 4 << 30  # bytes that one archive may inflate to, its inner archives included
MAX_RATIO = 200  # beyond the first MIN_RATIO_BYTES
MIN_RATIO_BYTES = 8 << 20
_CHUNK = 1 << 16
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others can't be inflated a little at a time
_UTF8_FLAG, _ENCRYPTED_FLAG = 0x800, 0x1
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError)


class Budget:
    """How much an archive may still inflate; a file that is read twice counts once."""

    def __init__(self, limit: int = MAX_TOTAL) -> None:
        self.limit, self._used = limit, 0
        self._sizes: dict[object, int] = {}
        self._lock = threading.Lock()

    def take(self, key: object, size: int) -> bool:
        """Count `size` bytes in all for `key`; False where that is too much."""
        with self._lock:
            more = size - self._sizes.get(key, 0)
            if more > 0:
                self._sizes[key] = size
                self._used += more
            return self._used <= self.limit


class _LongList(Exception):
    """The archive's list of files alone would take minutes to read."""


class _Source(io.BytesIO):
    """An archive's bytes. zipfile takes in the whole list of files by one read, which is refused if it is too long."""

    opened = False

    def read(self, size: int | None = -1, /) -> bytes:
        if not self.opened and size is not None and size > MAX_LIST:
            raise _LongList
        return super().read(size)


def members(data: bytes, name: str, budget: Budget | None = None, nested: bool = False) -> list[Found]:
    """The files and folders of a zip archive; a zip inside it is opened once, as a folder.

    Raises Unreadable where the archive itself can't be read or has too many files. A member that can't be taken
    stays in the list and says why when it's read.
    """
    budget = budget or Budget()
    source = _Source(data)
    try:
        archive = zipfile.ZipFile(source)
        infos = archive.infolist()
    except _LongList:
        raise unreadable("archive_too_many", name=name, limit=MAX_FILES) from None
    except _BROKEN as error:
        raise unreadable("archive_broken", name=name, rule=str(error)) from None
    if len(infos) > MAX_FILES:
        raise unreadable("archive_too_many", name=name, limit=MAX_FILES)
    source.opened = True
    found: list[Found] = []
    for info in infos:
        member = _member(archive, info, budget)
        inner = member.read is not None and member.path[-1].lower().endswith(".zip") and not nested
        found += _opened(member, budget) if inner else [member]
    return found


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Found:
    name = _name(info)
    path = _safe_path(name)
    if path is None:
        return refused((re.split(r"[/\\]", name)[-1] or "?",), unreadable("unsafe_path", name=name))
    kind = stat.S_IFMT(info.external_attr >> 16)
    if info.is_dir() or stat.S_ISDIR(kind):
        return Found(path, None)
    if stat.S_ISLNK(kind):
        return refused(path, unreadable("link", name=name))
    if kind and not stat.S_ISREG(kind):
        return refused(path, unreadable("special", name=name))
    if len(path) > MAX_DEPTH:
        return refused(path, unreadable("folder_too_deep", name=name, limit=MAX_DEPTH))
    if info.flag_bits & _ENCRYPTED_FLAG:
        return refused(path, unreadable("archive_encrypted", name=name))
    return Found(path, _reader(archive, info, name, budget), _modified(info))


def _reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            return _inflate(archive, info, name, budget)
        except _BROKEN as error:
            raise unreadable("archive_broken", name=name, rule=str(error) or type(error).__name__) from None

    return read


def _inflate(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget) -> bytes:
    """The member's bytes; what it declares about its size is not believed."""
    if info.compress_type not in _METHODS:
        raise NotImplementedError(f"compression method {info.compress_type}")
    parts, size = [], 0
    with archive.open(info) as file:
        while chunk := file.read(_CHUNK):
            parts.append(chunk)
            size += len(chunk)
            if size > MAX_BYTES:
                raise unreadable("archive_too_large", name=name, limit=MAX_BYTES >> 20)
            if not budget.take((id(archive), info.header_offset), size):
                raise unreadable("archive_spent", name=name, limit=budget.limit >> 20)
            if size > MIN_RATIO_BYTES and size > MAX_RATIO * max(info.compress_size, 1):
                raise unreadable("archive_ratio", name=name, limit=MAX_RATIO)
    return b"".join(parts)


def _opened(member: Found, budget: Budget) -> list[Found]:
    """A zip inside the archive as the folder of its name; where it can't be opened, as a file that says why."""
    assert member.read is not None
    folder = (*member.path[:-1], PurePosixPath(member.path[-1]).stem)
    try:
        inside = members(member.read(), member.path[-1], budget, nested=True)
    except Unreadable as reason:
        return [refused(member.path, reason)]
    moved = [Found((*folder, *one.path), one.read, one.modified or member.modified) for one in inside]
    return [Found(folder, None), *moved]


def _safe_path(name: str) -> tuple[str, ...] | None:
    """The parts of a member's path; None where it's absolute, climbs out, or is no path at all."""
    plain = name.replace("\\", "/")
    parts = tuple(part for part in plain.split("/") if part not in ("", "."))
    climbs = plain.startswith("/") or re.match(r"[A-Za-z]:", plain) or ".." in parts or "\0" in plain
    return None if climbs or not parts else parts


def _name(info: zipfile.ZipInfo) -> str:
    """The member's name; macOS and Chinese Windows store names in UTF-8 and GBK without saying so."""
    if info.flag_bits & _UTF8_FLAG or info.orig_filename.isascii():
        return info.orig_filename
    raw = info.orig_filename.encode("cp437", "replace")
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.orig_filename


def _modified(info: zipfile.ZipInfo) -> float:
    try:
        return time.mktime((*info.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0
