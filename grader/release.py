"""Content hashes: which release of an exercise a notebook belongs to, and what a stored result was judged with."""
from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import platform
from collections.abc import Iterable
from pathlib import Path

from grader.catalogue import ROOT

LETTERS = 16  # 64 bits: enough to tell releases apart, short enough to read out


@functools.cache
def release(exercise_id: str) -> str:
    """The hash of all that students are given of an exercise."""
    return _hash([*_files(ROOT / "exercises" / exercise_id), ROOT / "exercises" / "expect.py"])


@functools.cache
def judged_with(exercise_id: str) -> str:
    """The hash of all that decides a mark: the exercise, every solution, the judge itself, Python and NumPy.

    Every solution, because hidden checks may ask another exercise's function for the right values.
    """
    return _hash(_files(ROOT / "exercises" / exercise_id), _shared())


@functools.cache  # reading and hashing it takes 15 ms, and every exercise asks
def _shared() -> str:
    """The hash of what decides the marks of all exercises."""
    return _hash(
        [ROOT / "exercises" / "expect.py", *_files(ROOT / "solutions"), *_files(ROOT / "grader")],
        platform.python_version(),
        importlib.metadata.version("numpy"),
    )


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def _hash(files: Iterable[Path], *words: str) -> str:
    digest = hashlib.sha256()
    for part in (*words, *(part for path in files for part in (path.relative_to(ROOT).as_posix(), path.read_bytes()))):
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:LETTERS]
