"""Who may run code where: the policy, and that nothing is downgraded in silence."""
from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.sandbox import SandboxUnavailable, Tier
from lessons.judging import Judging, Problem, is_loopback, verdict


@pytest.mark.parametrize(("tier", "served", "setting", "consent", "problem"), [
    (Tier.FULL, False, "", False, None),
    (Tier.FULL, True, "", False, None),
    (Tier.KERNEL, False, "", False, None),
    (Tier.KERNEL, True, "", True, Problem.KERNEL_ONLY),
    (Tier.KERNEL, True, "full", True, Problem.KERNEL_ONLY),
    (Tier.KERNEL, True, "kernel", False, None),
    (Tier.BASIC, False, "", False, Problem.ASK_FOR_BASIC),
    (Tier.BASIC, False, "kernel", False, Problem.ASK_FOR_BASIC),
    (Tier.BASIC, False, "", True, None),
    (Tier.BASIC, True, "", True, Problem.NO_ISOLATION),
    (Tier.BASIC, True, "kernel", True, Problem.NO_ISOLATION),
])  # fmt: skip
def test_policy(tier: Tier, served: bool, setting: str, consent: bool, problem: Problem | None) -> None:
    assert verdict(tier, served, setting, consent) is problem


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "LOCALHOST"])
def test_only_this_computer(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", [None, "", "0.0.0.0", "::", "192.168.1.4", "course.example", "127.0.0.1.example"])
def test_reached_by_others(host: str | None) -> None:
    assert not is_loopback(host)


def judging(tmp_path: Path, proven: Tier | None) -> tuple[Judging, list[dict[str, Any]]]:
    """A machine that proves `proven`, and what was asked of it."""
    asked: list[dict[str, Any]] = []

    def start(**options: Any) -> Any:
        asked.append(options)
        if proven is None and not options.get("accept_basic"):
            raise SandboxUnavailable("bwrap is not installed")
        return SimpleNamespace(tier=options.get("tier", proven))

    return Judging(start, tmp_path / "data" / "consent"), asked


def test_the_machine_is_asked_once(tmp_path: Path) -> None:
    full, asked = judging(tmp_path, Tier.FULL)
    assert full.access(served=True).judge is full.access(served=False).judge is not None
    assert full.tier() == "full"
    assert asked == [{}]


def consent(judging: Judging, capsys: pytest.CaptureFixture[str]) -> None:
    judging.ask()
    assert judging.accept_basic(capsys.readouterr().err.split()[-1])


def test_a_code_that_the_terminal_did_not_show_is_no_yes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing, _ = judging(tmp_path, None)
    assert not nothing.accept_basic("")
    first = capsys.readouterr().err.split()[-1]
    assert not nothing.accept_basic(f"{(int(first) + 1) % 10**6:06d}")
    assert nothing.access(served=False).problem is Problem.ASK_FOR_BASIC
    second = capsys.readouterr().err.split()[-1]
    assert first == second or not nothing.accept_basic(first)


def test_without_isolation_a_shared_server_tells_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing, _ = judging(tmp_path, None)
    consent(nothing, capsys)
    assert nothing.access(served=True) == (None, Problem.NO_ISOLATION, "bwrap is not installed")
    assert nothing.tier() == "none"


def test_basic_needs_a_yes_that_is_remembered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing, asked = judging(tmp_path, None)
    assert nothing.access(served=False).problem is Problem.ASK_FOR_BASIC
    consent(nothing, capsys)
    judge = nothing.access(served=False).judge
    assert judge is not None and judge.tier is Tier.BASIC
    assert asked == [{}, {"tier": Tier.BASIC, "accept_basic": True}]
    later, _ = judging(tmp_path, None)
    assert later.access(served=False).judge is not None
    assert nothing.access(served=True).judge is None
    assert nothing.tier() == "none"


def test_kernel_alone_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COURSE_ACCEPT_TIER", raising=False)
    kernel, _ = judging(tmp_path, Tier.KERNEL)
    assert kernel.access(served=True) == (None, Problem.KERNEL_ONLY, "tier kernel")
    monkeypatch.setenv("COURSE_ACCEPT_TIER", "kernel")
    assert kernel.access(served=True).judge is not None
