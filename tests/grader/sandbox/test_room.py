"""The temporary folder that workers reach: readable by all, swept after a kill, gone at exit; and the runtime in it."""
from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from grader.sandbox import runtime, users
from grader.sandbox.room import LOCK, PREFIX, Room, open_to_all, sweep
from grader.sandbox.runtime import Runtime

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes and locks of files are POSIX")


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Room:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return Room()


def test_a_room_is_removed_with_all_in_it(room: Room) -> None:
    assert (room.inside / "main.py").is_file() and list(room.empty.iterdir()) == []
    room.remove()
    assert not room.path.exists()


def test_a_worker_finds_its_code_compiled(room: Room) -> None:
    """Worth a third of a worker's start; and byte code that isn't checked must be that of the source beside it."""
    compiled = sorted((room.inside / "__pycache__").glob("*.pyc"))
    assert [path.name.split(".")[0] for path in compiled] == sorted(path.stem for path in room.inside.glob("*.py"))
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in compiled)
    room.remove()


def test_the_rooms_of_dead_apps_are_swept_and_those_of_living_ones_kept(room: Room, tmp_path: Path) -> None:
    dead = tmp_path / f"{PREFIX}dead"
    dead.mkdir()
    (dead / LOCK).touch()
    (dead / "rest").write_text("x")
    other = tmp_path / "other"
    other.mkdir()
    sweep()
    assert not dead.exists() and room.path.exists() and other.exists()
    room.remove()


def test_a_room_that_another_user_laid_out_is_left_alone(room: Room, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("kept")
    linked, lent = tmp_path / f"{PREFIX}linked", tmp_path / f"{PREFIX}lent"
    for folder in (linked, lent):
        folder.mkdir()
    (linked / LOCK).symlink_to(precious)
    (lent / LOCK).touch()
    if os.getuid() == 0:
        os.chown(lent, 60_000, 60_000)
    sweep()
    assert linked.exists() and precious.read_text() == "kept"
    assert lent.exists() is (os.getuid() == 0)
    room.remove()


def test_a_closed_runtime_is_copied_so_that_all_can_read_it(room: Room, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    stdlib = ("lib/python3/os.py", "lib/python3/site-packages/secret.py")
    for name in ("bin/python", *stdlib, "lib/libpython.so.1", "pack/m.py"):
        (closed / name).parent.mkdir(parents=True, exist_ok=True)
        (closed / name).write_text(name)
        (closed / name).chmod(0o700)
    closed.chmod(0o700)
    made = room.reachable(Runtime(closed / "bin/python", closed, closed / "lib/python3", {"pack": closed / "pack"}))
    files = {path.relative_to(room.path).as_posix() for path in room.path.rglob("*") if path.is_file()}
    assert {"python/bin/python", "python/lib/python3/os.py", "python/lib/libpython.so.1"} <= files
    assert not any("secret" in name for name in files)
    copied = (made.python, made.stdlib, made.entries["pack"], made.entries["pack"] / "m.py")
    assert all(open_to_all(path, through_folders=False) and path.is_relative_to(room.path) for path in copied)
    assert os.access(made.python, os.X_OK)
    room.remove()


def test_open_to_all_looks_at_the_folders_above(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    inner.parent.chmod(0o700)
    assert open_to_all(inner, through_folders=False) and not open_to_all(inner)
    inner.chmod(0o711)
    assert not open_to_all(inner, through_folders=False)


def test_a_site_folder_links_only_the_named_packages(room: Room) -> None:
    found = runtime.current(("numpy",))
    site = room.site(found)
    names = {path.name for path in site.iterdir()}
    assert {"numpy", "numpy.libs"} & names == {"numpy"} | ({"numpy.libs"} & names) and "pip" not in names
    assert (site / "numpy" / "__init__.py").is_file() and room.site(found) == site
    room.remove()


def test_the_runtime_is_the_python_below_the_virtual_environment() -> None:
    found = runtime.current(())
    assert found.entries == {} and found.python.exists() and found.python.is_relative_to(found.prefix)
    assert (found.stdlib / "os.py").is_file() and found.prefix == Path(sys.base_prefix).resolve()
    masked = runtime.foreign_packages(found)
    assert masked and not any(found.python.is_relative_to(path) or found.stdlib.is_relative_to(path) for path in masked)


def test_users_are_handed_out_once() -> None:
    if os.getuid() != 0:
        assert users.take() is None
        return
    taken = {users.take() for _ in range(20)}
    assert len(taken) == 20 and 0 not in taken and None not in taken
    for uid in taken:
        users.give_back(uid)


@pytest.mark.skipif(sys.platform != "linux", reason="counts through /proc")
def test_running_threads_counts_this_process() -> None:
    assert users.running_threads() >= 1
