"""One temporary folder for each app process: code, packages and an empty folder that isolated processes can reach.

Needed where there are no bind mounts (tiers kernel and basic), and where the app is root and its Python or packages lie
below a folder that the worker's user can't enter (a pyenv below /root): these are copied here, once. A lock is held on
the folder as long as the app lives, so that the next app can sweep what a killed one has left.
"""
from __future__ import annotations

import atexit
import compileall
import contextlib
import functools
import hashlib
import os
import shutil
import stat
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

from grader.sandbox.runtime import INSIDE, Runtime

PREFIX = "course-sandbox-"
LOCK = "lock"
UNUSED_MODULES = shutil.ignore_patterns(
    *"site-packages dist-packages test tests idlelib tkinter turtledemo ensurepip config-3* *.opt-*.pyc".split(),
    *"lib2to3 pydoc_data distutils".split(),
)


class Room:
    """The folder and what is put there on demand. Thread-safe."""

    def __init__(self) -> None:
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self.path.chmod(0o755)  # a worker of a root app has a user of its own
        self._lock_file = _lock(self.path / LOCK)
        self._owner = os.getpid()
        self._lock = threading.RLock()
        self.empty = self.path / "empty"
        self.empty.mkdir()
        self.inside = self.path / "code" / "inside"
        _copy(INSIDE, self.inside, shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(self.inside, quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
        _open(self.inside)  # workers can't write byte code, and would compile at every start

    def site(self, runtime: Runtime) -> Path:
        """A folder of links to the runtime's packages, to be put on sys.path."""
        key = hashlib.sha256(repr(sorted(runtime.entries.items())).encode()).hexdigest()[:16]
        folder = self.path / f"site-{key}"
        with self._lock:
            if not folder.exists():
                building = Path(tempfile.mkdtemp(dir=self.path))
                building.chmod(0o755)
                for name, path in runtime.entries.items():
                    (building / name).symlink_to(path)
                building.rename(folder)
        return folder

    def reachable(self, runtime: Runtime, through_folders: bool = True) -> Runtime:
        """The same runtime, with copies in here of what another user than root can't get at.

        `through_folders` False: the folders above don't matter, because each path will be bound to another place.
        """
        with self._lock:
            needed = (runtime.prefix, runtime.stdlib, runtime.python)
            if not all(open_to_all(path, through_folders) for path in needed):
                runtime = self._with_python(runtime)
            entries = {name: self.reachable_path(path, through_folders) for name, path in runtime.entries.items()}
        return replace(runtime, entries=entries)

    def reachable_path(self, path: Path, through_folders: bool = True) -> Path:
        """`path`, or its copy in here if the worker's user can't read it."""
        if open_to_all(path, through_folders):
            return path
        copy = self.path / "copies" / hashlib.sha256(str(path).encode()).hexdigest()[:16] / path.name
        with self._lock:
            if not copy.exists():
                _copy(path, copy)
        return copy

    def _with_python(self, runtime: Runtime) -> Runtime:
        prefix = self.path / "python"
        python, stdlib = prefix / "bin" / runtime.python.name, prefix / "lib" / runtime.stdlib.name
        if not prefix.exists():
            _copy(runtime.python, python)
            _copy(runtime.stdlib, stdlib, UNUSED_MODULES)
            for library in (runtime.prefix / "lib").glob("*.so*"):
                copy = prefix / "lib" / library.name
                copy.symlink_to(library.readlink().name) if library.is_symlink() else _copy(library, copy)
        return Runtime(python, prefix, stdlib, runtime.entries)

    def remove(self) -> None:
        """Delete the folder, if this is the process that made it."""
        if os.getpid() == self._owner:
            if self._lock_file is not None:  # Windows does not delete open files
                os.close(self._lock_file)
                self._lock_file = None
            shutil.rmtree(self.path, ignore_errors=True)


@functools.cache
def room() -> Room:
    """This process's room, made at the first call and removed at exit."""
    made = Room()
    atexit.register(made.remove)
    return made


if hasattr(os, "register_at_fork"):  # a forked app makes a room of its own
    os.register_at_fork(after_in_child=room.cache_clear)


def open_to_all(path: Path, through_folders: bool = True) -> bool:
    """Whether a user who is neither owner nor in the group can read `path` (and enter the folders above it)."""
    mode = path.stat().st_mode
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    if mode & wanted != wanted:
        return False
    return not through_folders or all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)


def sweep() -> None:
    """Delete the rooms of apps that are gone: nobody holds their lock any more."""
    if os.name == "nt":
        return
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{LOCK}"):
        with contextlib.suppress(OSError):  # just swept by another app
            if path.parent.lstat().st_uid != os.getuid():  # another user's, perhaps laid out for root to trip over
                continue
            lock = _lock(path)
            if lock is not None:
                shutil.rmtree(path.parent, ignore_errors=True)
                os.close(lock)


def _lock(path: Path) -> int | None:
    """Hold the lock file as long as the returned descriptor is open; None where another process holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    if os.name != "nt":
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
    return descriptor


def _copy(source: Path, target: Path, ignore: Callable[[Any, list[str]], set[str]] | None = None) -> None:
    """Copy a file or a tree so that everybody can read it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_file():
        shutil.copy(source, target)
        target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)
        return
    shutil.copytree(source, target, ignore=ignore)
    _open(target)


def _open(target: Path) -> None:
    """Let everybody read a folder and all in it."""
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() else path.stat().st_mode & 0o777 | 0o044)
