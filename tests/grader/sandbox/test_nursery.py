"""The warm parent: its children share nothing but the past, and without it processes are started as before."""
from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import (
    Limits,
    Nursery,
    Pool,
    SandboxUnavailable,
    Tier,
    Worker,
    limits_for,
    nursery,
    proof,
    tiers,
    users,
)
from grader.sandbox.nursery import Forked

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nothing is forked elsewhere")
NAMESPACES = ("pid", "mnt", "net", "ipc", "uts")
MODULES = {"pkg": "", "pkg.one": "import math\ndef twice(x): return 2 * x", "pkg.two": "from pkg.one import twice"}
PROGRAM = "import random, sys\ndef f(): return random.random()\ndef g(): return [n for n in sys.modules if 'pkg' in n]"


@pytest.fixture
def parent(strong: Tier) -> Iterator[Nursery]:
    made = Nursery(strong, (), (), MODULES)
    yield made
    made.close()


def born(parent: Nursery, tier: Tier, **limits: Any) -> Worker:
    return Worker(tier, Limits(**limits), (), (), parent)


def test_siblings_have_namespaces_of_their_own(parent: Nursery, strong: Tier) -> None:
    with born(parent, strong) as first, born(parent, strong) as second:
        assert parent._parent is not None
        processes = [parent._parent._process, first._process, second._process]
        if strong is Tier.FULL and os.getuid() == 0:
            for kind in NAMESPACES:
                seen = {os.readlink(f"/proc/{one.pid}/ns/{kind}") for one in (*processes[1:],)}
                assert len(seen | {os.readlink(f"/proc/self/ns/{kind}")}) == 3, kind
        users = {proof.status(one.pid)["Uid"].split()[0] for one in processes[1:]}
        assert len(users) == 2 or os.getuid() != 0


def test_siblings_share_no_memory_that_can_be_written(parent: Nursery, strong: Tier) -> None:
    if os.getuid() != 0:
        pytest.skip("the kernel shows the memory of a locked process to root only")
    with born(parent, strong) as worker:
        shared = [line for line in Path(f"/proc/{worker._process.pid}/maps").read_text().splitlines()
                  if line.split()[1].endswith("s") and "w" in line.split()[1]]  # fmt: skip
        assert shared == []


def test_a_parent_with_threads_forks_nothing(strong: Tier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nursery, "_threads", lambda process: 2)
    with pytest.raises(SandboxUnavailable, match="threads"):
        born(Nursery(strong, (), (), {}), strong)


def test_a_user_that_was_taken_for_nothing_is_given_back(strong: Tier, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = Nursery(strong, (), (), {})
    closed.close()
    before = set(users._taken)
    for _ in range(3):
        with pytest.raises(SandboxUnavailable):
            born(closed, strong)
    assert users._taken == before


def test_siblings_don_t_share_random_numbers(parent: Nursery, strong: Tier) -> None:
    with born(parent, strong) as first, born(parent, strong) as second:
        assert first.load(PROGRAM).ok and second.load(PROGRAM).ok
        assert first.call("f").value != second.call("f").value


@pytest.mark.parametrize(
    ("packages", "program"),
    [
        (("numpy",), "import numpy.random\ndef f(): return float(numpy.random.rand())"),
        (("numpy", "torch"), "import torch\ndef f(): return float(torch.rand(1))"),
    ],
    ids=["numpy", "torch"],
)
def test_siblings_don_t_share_a_librarys_random_numbers(packages: tuple[str, ...], program: str) -> None:
    pytest.importorskip(packages[-1])
    preload = (*packages, "numpy.random")
    made, drawn = Nursery(Tier.FULL, packages, preload, {}), []
    for _ in range(2):
        with Worker(Tier.FULL, limits_for(packages), packages, preload, made) as worker:
            assert worker.load(program).ok
            drawn.append(worker.call("f").value)
    made.close()
    assert len(set(drawn)) == 2


def test_prepared_modules_answer_once_loaded_and_are_gone_before_the_program(parent: Nursery, strong: Tier) -> None:
    with born(parent, strong) as worker:
        assert worker.trusted(MODULES, "pkg.two.twice", 4).value == 8
        assert worker.trusted(MODULES, "pkg.two.twice", 5).value == 10
        other = {"pkg": "", "pkg.other": "def thrice(x): return 3 * x"}
        assert worker.trusted(other, "pkg.other.thrice", 4).value == 12
        assert worker.load(PROGRAM).ok and worker.call("g").value == []


def test_a_parent_that_was_killed_is_followed_by_another(parent: Nursery, strong: Tier) -> None:
    with born(parent, strong) as orphan:
        assert parent._parent is not None
        parent._parent._process.kill()
        assert _soon(lambda: not orphan.alive)
    with born(parent, strong) as worker:
        assert worker.load("x = 1").ok


def test_closing_the_parent_ends_and_buries_its_children(parent: Nursery, strong: Tier) -> None:
    worker = born(parent, strong)
    parent.close()
    assert _soon(lambda: not worker.alive and not Path(f"/proc/{worker._process.pid}").exists())
    worker.close()
    with pytest.raises(SandboxUnavailable, match="no parent"):
        born(parent, strong)


def test_how_a_child_ended_and_what_it_computed_is_known(parent: Nursery, strong: Tier) -> None:
    with born(parent, strong, cpu_seconds=1, call_seconds=20) as worker:
        assert worker.load("def f():\n    while True: pass").ok
        assert worker.call("f").detail == "CPU limit 1 s"
    with born(parent, strong) as worker:
        assert worker.load("import os\ndef f(): os._exit(7)").ok
        assert worker.call("f").detail == "exit 7"


def test_without_a_parent_processes_are_started_and_as_strong(strong: Tier, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise SandboxUnavailable("no namespaces within namespaces")

    monkeypatch.setattr(tiers, "nursery_launch", refuse)
    made = Nursery(strong, (), (), {})
    with Pool(strong, 1, made, distributions=(), preload=()) as workers, workers.take() as worker:
        assert worker.tier is strong and not isinstance(worker._process, Forked)
        assert worker.load("x = 1").ok


def test_a_parent_that_can_t_start_is_not_tried_for_ever(strong: Tier, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Nursery(strong, (), ("no_such_module",), {})
    for _ in range(nursery.ATTEMPTS):
        with pytest.raises(SandboxUnavailable, match="no_such_module"):
            born(made, strong)
    with pytest.raises(SandboxUnavailable, match="no parent"):
        born(made, strong)


def test_a_child_that_is_not_locked_down_is_refused(
    parent: Nursery, strong: Tier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the process says is not enough: the kernel is asked as well."""
    fitting = proof.status

    def weaker(pid: int) -> dict[str, str]:
        return fitting(pid) | {"Seccomp": "0", "CapEff": "00000000a80425fb"}

    monkeypatch.setattr(proof, "status", weaker)
    with pytest.raises(SandboxUnavailable, match="no capabilities, the system-call filter"):
        born(parent, strong)


LOCKED = {
    "Uid": "60600\t60600\t60600\t60600", **dict.fromkeys(proof.CAPABILITIES, "0000000000000000"),
    "NoNewPrivs": "1", "Seccomp": "2", "NSpid": "900\t5\t1",
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "missing"),
    [
        ({}, ""),
        ({"Uid": "60600\t0\t60600\t60600"}, "not root"),
        ({"Uid": "60601\t60601\t60601\t60601"}, "not root"),
        ({"CapPrm": "0000000000200000"}, "capabilities"),
        ({"NoNewPrivs": "0"}, "privileges"),
        ({"Seccomp": "1"}, "filter"),
        ({"NSpid": "900\t5"}, "process table"),
        ({"NSpid": "900\t5\t3"}, "process table"),
        ({"NSpid": "?"}, "process table"),
    ],
)
def test_what_the_kernel_must_say(changed: dict[str, str], missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "status", lambda pid: LOCKED | changed)
    problem = proof.problem(900, 60600, process_namespaces=3)
    assert (missing in problem) if missing else problem == ""


def test_a_kernel_that_says_nothing_is_no_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "PROC", tmp_path)
    assert "doesn't tell" in proof.problem(os.getpid(), None, 1)


def _soon(condition: Any, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())
