"""Which Python, which standard library and which installed packages an isolated process gets: never the app's own."""
from __future__ import annotations

import functools
import importlib.metadata
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox.model import SandboxUnavailable

INSIDE = Path(__file__).resolve().parent / "inside"


@dataclass(frozen=True)
class Runtime:
    """A Python to run and what it may import: `entries` maps each importable name to its file or folder."""

    python: Path
    prefix: Path  # sys.base_prefix
    stdlib: Path
    entries: dict[str, Path]


@functools.cache
def current(distributions: tuple[str, ...]) -> Runtime:
    """The Python below this one's virtual environment, with the named distributions and all they require.

    Raises SandboxUnavailable if a named distribution isn't installed here with pip.
    """
    python = Path(getattr(sys, "_base_executable", "") or sys.executable).resolve()
    return Runtime(python, Path(sys.base_prefix).resolve(), Path(os.__file__).resolve().parent, _entries(distributions))


def _entries(distributions: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    waiting, seen = [(name, True) for name in distributions], set[str]()
    while waiting:
        requirement, asked_for = waiting.pop()
        name = re.sub(r"[-_.]+", "-", re.split(r"[\s;<>=!\[(~]", requirement)[0]).lower()
        if name in seen:
            continue
        seen.add(name)
        entries = _top_level(name)
        if asked_for and not entries:
            raise SandboxUnavailable(
                f"The package {name} is not installed by pip for {sys.executable}.", f"Run `pip install {name}`."
            )
        found |= entries
        waiting += [(line, False) for line in _requirements(name)]
    return found


def _top_level(name: str) -> dict[str, Path]:
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return {}
    tops = {path.parts[0] for path in distribution.files or ()} - {"..", "__pycache__"}
    return {top: Path(str(distribution.locate_file(top))).resolve() for top in sorted(tops)}


def _requirements(name: str) -> list[str]:
    try:
        lines = importlib.metadata.requires(name) or []
    except importlib.metadata.PackageNotFoundError:  # required on another system only
        return []
    return [line for line in lines if "extra ==" not in line]


def foreign_packages(runtime: Runtime) -> list[Path]:
    """Folders below the runtime's prefix and /usr whose content is no business of student code."""
    folders = [Path("/usr") / name for name in ("local", "share", "src")]
    folders += [runtime.prefix / name for name in ("envs", "pkgs")]  # pyenv-virtualenv, conda
    for prefix in {runtime.prefix, Path("/usr")}:
        for name in ("site-packages", "dist-packages"):
            folders += prefix.glob(f"lib*/python*/{name}")
    if Path(sys.prefix).resolve() != runtime.prefix:
        folders.append(Path(sys.prefix).resolve())
    needed = (runtime.python, runtime.stdlib)
    return [path for path in folders if path.is_dir() and not any(keep.is_relative_to(path) for keep in needed)]
