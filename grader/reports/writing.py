"""Files that are whole or absent, and names that any file system takes."""
from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grader.plain import cut

PARTIAL = ".partial-"  # the beginning of the name of a file that is being written
LONGEST = 180  # bytes of a file's stem; most file systems take 255 for the whole name
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # names that Windows keeps for itself


def write(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step: a reader, or a run after a power cut, sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{PARTIAL}{os.getpid()}-{hashlib.sha256(path.name.encode()).hexdigest()[:12]}")
    with partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Makes the rename itself last; only POSIX systems let a folder be opened for it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sweep(folder: Path) -> None:
    """Remove what an interrupted run left half written."""
    for path in folder.glob(f"{PARTIAL}*"):
        path.unlink(missing_ok=True)


def stems(learners: Iterable[str]) -> dict[str, str]:
    """A file name's stem for each learner: the id itself where that is safe and unique, else cleaned, with a hash.

    Two ids that differ only in case or in Unicode form would be one file on some systems; both get the hash.
    """
    ids = list(learners)
    cleaned = {learner: _cleaned(learner) for learner in ids}
    alike = Counter(stem.casefold() for stem in cleaned.values())
    return {
        learner: stem if stem == learner and alike[stem.casefold()] == 1 else f"{stem}-{_short_hash(learner)}"
        for learner, stem in cleaned.items()
    }


def _cleaned(learner: str) -> str:
    plain = unicodedata.normalize("NFC", learner)
    stem = cut(re.sub(r"[^\w.@+-]+", "_", plain), LONGEST).lstrip(".-").rstrip(".")
    return f"_{stem}" if not stem or _DEVICES.fullmatch(stem) else stem


def _short_hash(learner: str) -> str:
    return hashlib.sha256(learner.encode("utf-8", "surrogatepass")).hexdigest()[:8]
