"""Where any part of the isolation is missing, no worker starts, nothing weaker is taken, and the message helps."""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import (
    SandboxUnavailable,
    Tier,
    Worker,
    advice,
    bubblewrap,
    detect,
    doctor,
    runtime,
    syscalls,
    tiers,
)
from grader.sandbox.inside import lockdown, selftest
from grader.sandbox.process import Launch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tiers that are sandboxes need Linux")
WEAK_PYTHON = "import sys; sys.path.insert(0, sys.argv[1]); from inside import {module}; {module}.{name} = {fake}; "


@pytest.fixture
def changed_launch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """changed_launch(change): every worker's launch goes through `change` first."""

    def install(change: Any) -> None:
        launch = tiers.launch
        monkeypatch.setattr(tiers, "launch", lambda *arguments: change(launch(*arguments)))

    return install


WEAKENED = {
    "become": ("lockdown", "become", "lambda uid: None", "root"),
    "files": ("lockdown", "restrict_files", "lambda *paths: 7", "read"),
    "system calls": ("lockdown", "filter_system_calls", "lambda program: None", "fork"),
}


@pytest.mark.parametrize("part", ["files", "system calls"])
def test_a_worker_that_is_not_fully_locked_down_is_refused(part: str, changed_launch: Any) -> None:
    module, name, fake, missing = WEAKENED[part]

    def weaken(launch: Launch) -> Launch:
        position = launch.command.index(tiers.START)
        launch.command[position] = WEAK_PYTHON.format(module=module, name=name, fake=fake) + tiers.START
        return launch

    changed_launch(weaken)
    with pytest.raises(SandboxUnavailable) as caught:
        Worker(Tier.KERNEL, distributions=(), preload=())
    assert "not refused" in str(caught.value) or "did not start" in str(caught.value)
    assert missing in str(caught.value) or part == "system calls"


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can stay root")
def test_student_code_never_runs_as_root(tier: Tier, changed_launch: Any) -> None:
    def stay_root(launch: Launch) -> Launch:
        launch.configuration["uid"] = None
        return launch

    changed_launch(stay_root)
    with pytest.raises(SandboxUnavailable, match="refusing to run student code as root"):
        Worker(tier, distributions=(), preload=())
    with pytest.raises(PermissionError):
        lockdown.become(None)


def test_the_courses_own_files_must_be_hidden(changed_launch: Any, tmp_path: Path) -> None:
    def show(launch: Launch) -> Launch:
        launch.configuration["hidden"] = [launch.configuration["inside"] + "/inside/main.py"]  # workers can read it
        return launch

    changed_launch(show)
    for strong in (Tier.FULL, Tier.KERNEL):
        with pytest.raises(SandboxUnavailable, match="self-test was not refused: read"):
            Worker(strong, distributions=(), preload=())


def test_the_self_test_notices_what_is_allowed(tmp_path: Path) -> None:
    """Outside a sandbox nearly everything it tries works. (Not run whole: it would replace this process.)"""
    assert not selftest.refused(selftest._socket) and not selftest.refused(selftest._fork)
    assert not selftest.refused(selftest._create, str(tmp_path)) and not selftest.refused(os.listdir, "/proc")


@pytest.mark.parametrize("report", [None, {}, {"refused": {}}, {"refused": {"socket": False}}, {"refused": True}, "x"])
def test_a_report_must_prove_every_probe(report: object) -> None:
    assert advice.problem(Tier.FULL, report)
    proved = {"landlock": 1, "refused": dict.fromkeys(advice.PROBES, True)}
    for strong in (Tier.FULL, Tier.KERNEL):
        assert advice.problem(strong, proved) == ""
        assert "Landlock" in advice.problem(strong, proved | {"landlock": 0})
    assert "exec" in advice.problem(Tier.FULL, {**proved, "refused": {**proved["refused"], "exec": 1}})  # type: ignore[dict-item]


def test_a_kernel_without_landlock_gives_neither_strong_tier(changed_launch: Any) -> None:
    def without(launch: Launch) -> Launch:
        position = launch.command.index(tiers.START)
        fake = WEAK_PYTHON.format(module="lockdown", name="restrict_files", fake="lambda *paths: 0")
        launch.command[position] = fake + tiers.START
        launch.configuration["hidden"] = []
        return launch

    changed_launch(without)
    with pytest.raises(SandboxUnavailable, match="no Landlock") as caught:
        Worker(Tier.FULL, distributions=(), preload=())
    assert caught.value.fix == advice.SWITCH_ON_LANDLOCK


def test_without_bubblewrap_the_next_tier_is_named_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        Worker(Tier.FULL, distributions=(), preload=())
    assert detect() is Tier.KERNEL


def test_a_bubblewrap_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "program", lambda: str(fake))
    with pytest.raises(SandboxUnavailable, match="uid map: Permission denied") as caught:
        Worker(Tier.FULL, distributions=(), preload=())
    assert caught.value.fix == advice.NO_NAMESPACES


def test_without_a_system_call_filter_only_basic_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyseccomp", None)  # its import fails
    syscalls.program.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match="libseccomp2"):
            detect()
        assert detect(allow_basic=True) is Tier.BASIC
        report = doctor()
    finally:
        syscalls.program.cache_clear()
    assert report.tier is Tier.BASIC and [tier.works for tier in report.tiers] == [False, False, True]
    assert "libseccomp" in report.tiers[0].reason and "apt install" in report.tiers[1].fix


def test_a_preload_that_cannot_be_imported_is_named() -> None:
    with pytest.raises(SandboxUnavailable, match="No module named 'numpy'"):
        Worker(Tier.FULL, distributions=(), preload=("numpy",))


def test_a_distribution_that_is_not_installed_is_named() -> None:
    with pytest.raises(SandboxUnavailable, match=r"pip install no-such-package"):
        runtime.current(("no-such-package",))


def test_other_systems_have_only_basic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers.sys, "platform", "darwin")
    for strong in (Tier.FULL, Tier.KERNEL):
        with pytest.raises(SandboxUnavailable, match="needs Linux"):
            Worker(strong)


def test_the_doctor_proves_this_machines_tiers() -> None:
    report = doctor()
    assert report.tier is Tier.FULL is detect()
    told = json.loads(report.as_json())
    assert told["tier"] == "full" and told["limits"]["memory_mib"] == 1024
    assert {tier["tier"]: tier["works"] for tier in told["tiers"]} == {"full": True, "kernel": True, "basic": True}
    assert told["bubblewrap"][0].isdigit() and told["libseccomp"][0].isdigit() and told["landlock"] >= 1
