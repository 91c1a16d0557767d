"""Control groups: made only where the app's own group may be divided, and what they tell of an answer's end."""
from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import Limits, SandboxUnavailable, Tier, Worker, cgroups
from grader.sandbox.outcomes import from_exit
from grader.sandbox.process import Exit

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="control groups are Linux only")
Tree = Callable[..., Path]
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tree]:
    """tree(controllers, processes): a cgroup file system of plain files, with this process's group in it."""

    def make(controllers: str = "cpu io memory pids", processes: str = str(os.getpid())) -> Path:
        root, own = tmp_path / "cgroup", tmp_path / "own"
        group = root / "user.slice" / "run.scope"
        group.mkdir(parents=True)
        own.write_text("12:cpu:/\n0::/user.slice/run.scope\n")
        for path, text in ((root, controllers), (group, controllers)):
            (path / "cgroup.controllers").write_text(text + "\n")
        (group / "cgroup.procs").write_text(processes + "\n")
        monkeypatch.setattr(cgroups, "ROOT", root)
        monkeypatch.setattr(cgroups, "OWN", own)
        return group

    cgroups.divided.cache_clear()
    yield make
    cgroups.divided.cache_clear()


def test_the_app_moves_into_a_child_and_hands_down_the_controllers(tree: Tree) -> None:
    group = tree()
    assert cgroups.divided() == group and cgroups.why_not() == ""
    assert (group / "course" / "cgroup.procs").read_text() == f"{os.getpid()}\n"
    assert (group / "cgroup.subtree_control").read_text() == "+cpu\n"  # each is a write of its own; this was the last


def test_an_app_that_has_moved_divides_the_same_group_again(tree: Tree) -> None:
    group = tree(processes="")
    cgroups.OWN.write_text("0::/user.slice/run.scope/course\n")
    (group / "answer-1-0").mkdir()
    assert cgroups.divided() == group
    assert not (group / "answer-1-0").exists()  # a killed app's


@pytest.mark.parametrize(
    ("controllers", "processes", "reason"),
    [
        ("cpu io", str(os.getpid()), "no memory and no pids controller"),
        ("memory cpu", str(os.getpid()), "no pids controller"),
        ("memory pids", f"1\n{os.getpid()}", "other processes than the course's"),
    ],
)
def test_a_group_that_is_not_ours_alone_is_left_alone(
    tree: Tree, controllers: str, processes: str, reason: str
) -> None:
    group = tree(controllers, processes)
    assert cgroups.divided() is None and reason in cgroups.why_not()
    assert sorted(path.name for path in group.iterdir()) == ["cgroup.controllers", "cgroup.procs"]


def test_other_machines_have_none(tree: Tree, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tree()
    monkeypatch.setattr(cgroups, "ROOT", tmp_path / "nothing")
    assert cgroups.divided() is None and "no cgroup v2" in cgroups.why_not()
    monkeypatch.setattr(cgroups, "OWN", tmp_path / "nothing")
    assert "can't be read" in cgroups.why_not()
    monkeypatch.setattr(cgroups.sys, "platform", "darwin")  # type: ignore[attr-defined]
    assert "Linux only" in cgroups.why_not()


def test_a_group_that_can_t_be_written_is_no_group(tree: Tree) -> None:
    group = tree()
    (group / "course").write_text("in the way of the folder")
    assert cgroups.divided() is None and "can't be divided" in cgroups.why_not()


def test_an_answers_group_has_its_limits_and_goes_again(tree: Tree) -> None:
    group = cgroups.Group(tree(), Limits(memory_mib=256, threads=16))
    group.add([11, 12])
    said = {path.name: path.read_text().strip() for path in group._folder.iterdir()}
    assert said["memory.max"] == str(256 << 20) and said["memory.swap.max"] == "0" and said["memory.oom.group"] == "1"
    assert said["pids.max"] == "24" and said["cpu.max"] == "100000 100000" and said["cgroup.procs"] == "12"
    assert not group.ran_out_of_memory()
    (group._folder / "memory.events").write_text("low 0\noom 1\noom_kill 2\n")
    assert group.ran_out_of_memory()
    for file in group._folder.iterdir():  # the kernel's files go with the folder, and these don't
        file.unlink()
    group._write = lambda *_: None  # type: ignore[method-assign]
    group.remove()
    assert not group._folder.exists()


def test_a_kill_for_want_of_memory_is_told_from_a_crash() -> None:
    ended = Exit("SIGKILL", None, 0.1)
    assert from_exit(ended, Limits(), "", out_of_memory=True).status == "memory"
    assert from_exit(ended, Limits(), "").status == "killed"


class FakeGroup:
    made: list[FakeGroup] = []

    def __init__(self, parent: Path, limits: Limits) -> None:
        self.pids: list[int] = []
        self.removed, self.empty_memory = False, False
        FakeGroup.made.append(self)

    def add(self, pids: Any) -> None:
        self.pids += pids

    def ran_out_of_memory(self) -> bool:
        return True

    def remove(self) -> None:
        self.removed = True


def test_every_process_of_a_worker_is_in_its_group_before_it_gets_code(
    tier: Tier, start: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cgroups, "divided", lambda: tmp_path)
    monkeypatch.setattr(cgroups, "Group", FakeGroup)
    FakeGroup.made.clear()
    worker = start(tier)
    assert FakeGroup.made[0].pids[0] == worker._process.pid
    assert worker.load("import os\ndef f(): os._exit(9)").ok
    assert worker.call("f").status == "memory"  # the group's word counts, not the process's
    assert FakeGroup.made[0].removed


def test_a_group_that_can_t_be_made_stops_the_worker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cgroups, "divided", lambda: tmp_path / "nothing")
    with pytest.raises(SandboxUnavailable, match="control group"):
        Worker(Tier.KERNEL, distributions=(), preload=())


@pytest.mark.skipif(cgroups.divided() is None, reason=f"no control group to divide: {cgroups.why_not()}")
def test_the_kernel_keeps_an_answer_within_its_memory(strong: Tier, start: Any) -> None:
    """Where there is one (`systemd-run --user --scope -p Delegate=yes`): memory that no address-space limit sees."""
    program = "kept = []\ndef f():\n    while True: kept.append(bytearray(1 << 20))"
    worker = start(strong, program, Limits(call_seconds=20))
    assert worker._group is not None
    folder = worker._group._folder
    worker._group._write("memory.max", 64 << 20)  # below the address-space limit, which ends it otherwise
    assert "all of the program's memory" in worker.call("f").detail
    worker.close()
    assert not folder.exists()


REAL = Path("/sys/fs/cgroup/unified")  # beside version 1, which has the controllers: all but the limits can be tried
MECHANICS = """
import os, sys
from pathlib import Path
from grader.sandbox import Limits, Nursery, Tier, Worker, cgroups, usage
cgroups.ROOT, cgroups.NEEDED, cgroups.WANTED = Path(sys.argv[1]), set(), ()
mine = cgroups.ROOT / f"course-test-{os.getpid()}"
mine.mkdir()
(mine / "cgroup.procs").write_text(str(os.getpid()))
write = cgroups.Group._write
cgroups.Group._write = lambda group, name, value: name.startswith("cgroup.") and write(group, name, value)
assert cgroups.divided() == mine and cgroups.why_not() == ""
parent = Nursery(Tier.FULL, (), (), {})
for tier, nursery in ((Tier.FULL, None), (Tier.KERNEL, None), (Tier.FULL, parent)):
    with Worker(tier, Limits(), (), (), nursery) as worker:
        folder = worker._group._folder
        inside = {int(pid) for pid in (folder / "cgroup.procs").read_text().split()}
        assert inside == set(usage.tree(worker._process.pid)) and os.getpid() not in inside
    assert not folder.exists()
parent.close()
(cgroups.ROOT / "cgroup.procs").write_text(str(os.getpid()))
(mine / "course").rmdir()
mine.rmdir()
"""


@pytest.mark.skipif(not os.access(REAL / "cgroup.procs", os.W_OK), reason="no cgroup v2 tree beside one of version 1")
def test_processes_come_and_go_in_a_real_tree() -> None:
    done = subprocess.run([sys.executable, "-c", MECHANICS, REAL], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
