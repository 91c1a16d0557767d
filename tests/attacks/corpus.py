"""The hostile answers, their headers, and the secrets that none of them may reach.

Each file in answers/ is one answer to the exercise `rejection_rule`, with a header:
    # attack: the class of attack
    # verdict: the right verdict, or several with " or " where it depends on the tier or on who is faster
    # points: what is paid, of 5: what the honest part of the answer earns
    # flags: what the instructor is told: "none", or some of it as `code name`, separated by ";"
CANARY_FILE, CANARY_FOLDER, CANARY_PORT, CANARY_NAME, COURSE_FOLDER and JUDGE_PID stand for what the runner puts there.
"""
from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grader
from grader.catalogue import Exercise, load
from grader.judge import Judge
from grader.reading.files import read_submission
from grader.sandbox import Limits, Tier
from grader.verdicts import Report

FOLDER = Path(__file__).resolve().parent / "answers"
LIMITS = Limits(cpu_seconds=6, call_seconds=1.0, answer_seconds=1.0, memory_mib=512, output_kib=16, reply_kib=1024)
THREADS = 3  # one more than the cores of a small machine: endless answers only wait
WITH_NUMPY = dataclasses.replace(LIMITS, cpu_seconds=7)  # other limits, so another pool: that of a usual exercise
CHECKS = (  # enough to see what is paid, and few, because each crash costs a new process
    "accepts_half_of_token_1", "residual_is_all_on_token_0", "residual_over_four_tokens",
    "impossible_token_is_never_accepted",
)  # fmt: skip
HEADER = re.compile(r"# attack: (.+)\n# verdict: (.+)\n# points: (\d+)\n# flags: (.+)\n")


@dataclass(frozen=True)
class Attack:
    name: str
    kind: str
    verdicts: frozenset[str]
    points: float
    flags: tuple[tuple[str, str], ...]  # (code, name); () means that none may be raised
    source: str


def attack(path: Path) -> Attack:
    source = path.read_text("utf-8")
    header = HEADER.match(source)
    assert header, f"{path.name} has no header"
    kind, verdict, points, flags = header.groups()
    pairs = () if flags == "none" else tuple(tuple(one.strip().partition(" ")[::2]) for one in flags.split(";"))
    return Attack(path.stem, kind, frozenset(verdict.split(" or ")), float(points), pairs, source)  # type: ignore[arg-type]


def attacks() -> list[Attack]:
    return [attack(path) for path in sorted(FOLDER.glob("*.py"))]


def exercise(limits: Limits, preload: tuple[str, ...] = ()) -> Exercise:
    """The real exercise with limits that a test can wait for. Most attacks don't touch NumPy, so it isn't imported."""
    real = load("rejection_rule")
    checks = tuple(one for one in real.checks if one.id in CHECKS)
    return dataclasses.replace(real, limits=limits, preload=preload, checks=checks)


@contextlib.contextmanager
def quick_judge(tier: Tier) -> Iterator[Judge]:
    judge = Judge(tier, warm=THREADS)
    try:
        yield judge
    finally:
        judge.close()


@dataclass(frozen=True)
class Canaries:
    """What only the machine around the judge knows: a variable, a file for all to read, sockets that listen."""

    token: str
    folder: Path
    file: Path
    sockets: tuple[socket.socket, ...]
    name: str

    def placed_in(self, source: str) -> bytes:
        places = {
            "CANARY_FILE": repr(str(self.file)), "CANARY_FOLDER": repr(str(self.folder)),
            "CANARY_PORT": str(self.sockets[0].getsockname()[1]), "CANARY_NAME": repr(self.name),
            "COURSE_FOLDER": repr(str(Path(grader.__file__).resolve().parent.parent)), "JUDGE_PID": str(os.getpid()),
        }  # fmt: skip
        for name, value in places.items():
            source = re.sub(rf"\b{name}\b", lambda _, value=value: value, source)
        return source.encode("utf-8", "surrogatepass")

    def untouched(self) -> bool:
        """Whether the file is as it was and nobody knocked at a socket."""
        kept = self.file.read_text() == self.token and self.file.stat().st_mode & 0o777 == 0o666
        return kept and sorted(self.folder.iterdir()) == [self.file] and not any(map(_was_reached, self.sockets))


def _was_reached(listener: socket.socket) -> bool:
    with contextlib.suppress(BlockingIOError):
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(1)
        else:
            listener.accept()[0].close()
        return True
    return False


@contextlib.contextmanager
def canaries(folder: Path) -> Iterator[Canaries]:
    for place in (folder, *folder.parents[:3]):
        with contextlib.suppress(PermissionError):
            place.chmod(place.stat().st_mode & 0o7777 | 0o755)
    folder.chmod(0o777)
    token = f"canary-{os.urandom(12).hex()}"
    file = folder / "answers.txt"
    file.write_text(token)
    file.chmod(0o666)
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        datagram = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        datagram.bind(stream.getsockname())
        local = stack.enter_context(socket.socket(socket.AF_UNIX))
        local.bind(f"\0{token}-socket")
        local.listen()
        for one in (stream, datagram, local):
            one.setblocking(False)
        yield Canaries(token, folder, file, (stream, datagram, local), f"{token}-socket")


def judged(judge: Judge, hostile: Attack, known: Canaries) -> Report:
    """The answer, handed in as a file and judged with its hidden checks."""
    submission = read_submission(known.placed_in(hostile.source), f"{hostile.name}.py")
    used = exercise(WITH_NUMPY, ("numpy",)) if "numpy" in hostile.source else exercise(LIMITS)
    return judge.judge(used, submission, hidden=True, seed=1)
