"""The hostile answers, each through the whole judge on each tier: judged right, paid nothing, nothing lost."""
from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.flags import flag
from grader.sandbox import Tier
from grader.sandbox.room import room
from grader.sandbox.users import COUNT, FIRST
from grader.verdicts import Report
from tests.attacks.corpus import THREADS, Attack, Canaries, attacks, canaries, judged, quick_judge

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tiers that are sandboxes need Linux")
ATTACKS = attacks()
TIERS = (Tier.FULL, Tier.KERNEL)
SHARED_PLACES = ("/", "/tmp", "/var/tmp", "/dev/shm", "/run")


@dataclass(frozen=True)
class Aftermath:
    """One tier's run over the corpus, and what was there when it was over."""

    reports: dict[str, Report]
    known: Canaries
    untouched: bool
    processes_left: frozenset[int]
    files_left: tuple[str, ...]


@pytest.fixture(scope="module", params=TIERS, ids=str)
def aftermath(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aftermath]:
    before = _workers()
    with pytest.MonkeyPatch.context() as patch, canaries(tmp_path_factory.mktemp("canaries")) as known:
        patch.setenv("CANARY", known.token)
        with quick_judge(request.param) as judge, ThreadPoolExecutor(THREADS) as threads:
            reports = dict(threads.map(lambda one: (one.name, judged(judge, one, known)), ATTACKS))
        left = [str(path) for place in SHARED_PLACES for path in Path(place).glob("canary-*")]
        left += [str(path) for path in room().empty.iterdir()]
        yield Aftermath(reports, known, known.untouched(), _workers() - before, tuple(left))


def _workers() -> frozenset[int]:
    """This process's children and theirs, and processes of a worker's user that lost their parent."""
    rows = subprocess.run(["ps", "-eo", "pid=,ppid=,uid=,comm="], capture_output=True, text=True, check=True).stdout
    fields = [row.split(None, 3) for row in rows.splitlines()]
    processes = [(int(pid), int(parent), int(uid)) for pid, parent, uid, name in fields if name != "ps"]
    children = {pid for pid, parent, _ in processes if parent == os.getpid()}
    orphans = {pid for pid, parent, uid in processes if parent == 1 and uid in range(FIRST, FIRST + COUNT)}
    return frozenset(children | orphans | {pid for pid, parent, _ in processes if parent in children})


@pytest.mark.parametrize("hostile", ATTACKS, ids=lambda one: one.name)
def test_a_hostile_answer_is_judged_right_and_paid_for_its_honest_part_only(
    aftermath: Aftermath, hostile: Attack
) -> None:
    report = aftermath.reports[hostile.name]
    assert not report.judge_fault and not report.needs_a_person
    assert str(report.verdict) in hostile.verdicts, report
    assert report.earned == hostile.points, report
    told = [text.en for text in report.flags]
    for code, name in hostile.flags:
        assert any(_says(line, code, name) for line in told), (code, name, told)
    assert bool(told) == bool(hostile.flags), told
    assert aftermath.known.token not in repr(replace(report, program=""))  # which quotes the answer itself


def _says(line: str, code: str, name: str) -> bool:
    """Whether the line is this flag; without a name, with any."""
    if name:
        return line == flag(code, name).en
    before, _, after = flag(code, "\N{SNOWMAN}").en.partition("\N{SNOWMAN}")
    return line.startswith(before) and line.endswith(after)


def test_nothing_was_reached_and_nothing_is_left(aftermath: Aftermath) -> None:
    assert aftermath.untouched, "the canary file was changed, or somebody knocked at a canary socket"
    assert not aftermath.processes_left
    assert not aftermath.files_left


def test_the_corpus_covers_the_classes_of_attack() -> None:
    assert len(ATTACKS) >= 80
    assert len({one.kind for one in ATTACKS}) >= 30
    assert sum(bool(one.flags) for one in ATTACKS) >= 60 and sum(not one.flags for one in ATTACKS) >= 20


def test_the_canaries_would_show_a_visit(tmp_path: Path) -> None:
    """Or the test above would prove nothing."""
    import socket

    with canaries(tmp_path) as known:
        assert known.untouched()
        for listener in known.sockets:
            with socket.socket(listener.family, listener.type) as visitor:
                visitor.connect(listener.getsockname())
                visitor.send(b"x")
                assert not known.untouched()
        assert known.untouched()
        known.file.write_text("changed")
        assert not known.untouched()
