"""Hostile programs gain nothing: no file, no secret, no network, no process, no forged mark, no trace left behind."""
from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import Limits, Tier

Start = Any
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tiers that are sandboxes need Linux")
TOKEN = f"canary-{os.urandom(12).hex()}"

# Each program's f(canary) returns what it gained: something true is an escape. It may also fail in any way.
PRELUDE = """
import contextlib, ctypes, os, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
@contextlib.contextmanager
def tried():
    try: yield
    except Exception: pass
def calls(*numbers_and_arguments):
    return [row for row in numbers_and_arguments if libc.syscall(*map(ctypes.c_long, row)) >= 0]
"""
GAIN_NOTHING = {
    "read files": """
        def f(canary):
            gained = []
            for path in (canary["file"], canary["course"], "/etc/passwd", "/etc/shadow", "/proc/self/environ"):
                with tried(): gained.append(open(path, "rb").read(200))
            return gained""",
    "walk the file system": """
        def f(canary):
            gained = []
            for folder, _, names in os.walk("/"):
                if folder.count("/") > 4 or folder.startswith(("/usr", "/lib")): continue
                for path in (os.path.join(folder, name) for name in names):
                    with tried():
                        if b"canary-" in open(path, "rb").read(4096): gained.append(path)
            return gained""",
    "environment": """
        def f(canary):
            gained = [name for name, value in os.environ.items() if "canary" in name.lower() or "canary-" in value]
            for pid in ("self", "1", os.getppid()):
                with tried(): gained.append(open(f"/proc/{pid}/environ", "rb").read())
            return gained""",
    "write files": """
        def f(canary):
            gained = []
            for folder in canary["folders"] or (".", os.environ["HOME"], *sys.path):
                for how in (lambda p: open(p, "w"), os.mkdir, lambda p: os.symlink("/", p), os.mkfifo):
                    with tried(): how(folder + "/canary-probe"); gained.append(folder)
            return gained""",
    "change and delete files": """
        def f(canary):
            gained = []
            for how, *more in ((os.truncate, 0), (os.chmod, 0o777), (os.utime,), (os.setxattr, "user.x", b""),
                               (os.link, canary["file"] + "x"), (os.rename, canary["file"] + "y"), (os.unlink,)):
                with tried(): how(canary["file"], *more); gained.append(repr(how))
            return gained""",
    "tcp to the app": """
        def f(canary):
            return socket.create_connection(("127.0.0.1", canary["port"]), timeout=1).fileno() > 0""",
    "other sockets": """
        def f(canary):
            gained = []
            for family in (1, 2, 10, 16, 17, 40):  # unix, inet, inet6, netlink, packet, vsock
                for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
                    with tried(): socket.socket(family, kind); gained.append((family, kind))
            with tried(): socket.socketpair(); gained.append("pair")
            return [str(item) for item in gained]""",
    "list and signal processes": """
        def f(canary):
            gained = []
            with tried(): gained += [name for name in os.listdir("/proc") if name.isdigit()]
            for pid in (canary["pid"], os.getppid(), 1, -1, 0, os.getpid()):
                with tried(): os.kill(pid, 0); gained.append(pid)
            return gained""",
    "signal by file owner": """
        def f(canary):
            import fcntl
            gained, (reading, writing) = [], os.pipe()
            for command, value in ((fcntl.F_SETOWN, canary["pid"]), (fcntl.F_SETSIG, 9), (15, 0), (fcntl.F_NOTIFY, 1)):
                with tried(): fcntl.fcntl(reading, command, value); gained.append(command)
            return gained""",
    "memory of the judge": """
        def f(canary):
            gained = []
            for pid in (canary["pid"], os.getppid(), "self"):
                with tried(): gained.append(open(f"/proc/{pid}/mem", "rb", 0))
            buffer = ctypes.create_string_buffer(16)
            vector = (ctypes.c_ulong * 2)(ctypes.addressof(buffer), 16)
            for number in (310, 311):  # process_vm_readv, process_vm_writev
                if libc.syscall(number, canary["pid"], vector, 1, vector, 1, 0) > 0: gained.append(number)
            return [str(item) for item in gained]""",
    "fork": """
        def f(canary):
            gained = []
            with tried(): gained.append(os.fork())
            with tried(): gained.append(os.forkpty())
            with tried(): gained.append(libc.vfork() > 0)
            return [item for item in gained if item]""",
    "other programs": """
        def f(canary):
            import subprocess
            gained = []
            with tried(): gained.append(subprocess.run(["/bin/sh", "-c", "id"], capture_output=True).stdout)
            with tried(): gained.append(os.posix_spawn("/bin/true", ["true"], {}))
            with tried(): gained += [] if os.system("true") else ["system"]
            with tried(): os.execv("/bin/true", ["true"])
            return gained""",
    "system calls by number": """
        def f(canary):
            return calls(
                (101, 16, 1, 0, 0), (272, 1 << 28), (165, 0, 0, 0, 0, 0), (308, 0, 0), (161, 0),  # ptrace, mount
                (425, 1, 0), (321, 0, 0, 0), (298, 0, 0, 0, -1, 0), (323, 0), (250, 0, 0, 0),  # io_uring, bpf
                (29, 0, 4096, 0o600), (240, 0, 0, 0, 0), (64, 0, 1, 0o600), (319, 0, 0), (155, 0, 0),  # shared memory
                (105, 0), (106, 0), (126, 0, 0), (135, 1 << 18), (112,), (160, 7, 0),  # ids, capabilities, limits
                (434, 1, 0), (438, 0, 0, 0), (312, 1, 1, 0, 0, 0), (304, -100, 0, 0), (303, -100, 0, 0, 0, 0),  # pidfd
                (57,), (58,), (59, 0, 0, 0))""",  # fork, vfork, execve
    "raise its own limits": """
        def f(canary):
            import resource
            gained = []
            for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE):
                with tried(): resource.setrlimit(limit, (1, 1)); gained.append(limit)
            return gained""",
    "regain root": """
        def f(canary):
            gained = [uid for uid in (*os.getresuid(), *os.getresgid()) if uid == 0] + [g for g in os.getgroups()]
            for how in (os.setuid, os.setgid, os.seteuid):
                with tried(): how(0); gained.append(repr(how))
            return gained""",
    "inherited descriptors": """
        def f(canary):
            gained = []
            for number in range(5, 64):
                with tried(): os.fstat(number); gained.append(number)
            with tried(): gained += [number for number in (0,) if os.read(number, 1)]
            return gained""",
}  # fmt: skip


@pytest.fixture
def canary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, object]]:
    """Secrets that a program must not reach: a file for all to read, a variable, a listening socket, this process."""
    monkeypatch.setenv("CANARY", TOKEN)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        with contextlib.suppress(PermissionError):
            folder.chmod(folder.stat().st_mode & 0o7777 | 0o755)  # /tmp stays open to all
    file = tmp_path / "answers.txt"
    file.write_text(TOKEN)
    file.chmod(0o666)
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield {
            "file": str(file), "course": str(Path(__file__).resolve()),
            "port": server.getsockname()[1], "pid": os.getpid(),
            "folders": [*"/ /tmp /dev /dev/shm /var/tmp /usr /run /home".split(), str(tmp_path)],
        }  # fmt: skip
    assert file.read_text() == TOKEN and file.stat().st_mode & 0o777 == 0o666


@pytest.mark.parametrize("attack", GAIN_NOTHING)
def test_attacks_that_gain_nothing(attack: str, strong: Tier, canary: dict[str, object], start: Start) -> None:
    worker = start(strong, PRELUDE + textwrap.dedent(GAIN_NOTHING[attack]))
    outcome = worker.call("f", canary)
    assert TOKEN not in repr(outcome)
    assert not outcome.value, outcome
    assert outcome.status in ("ok", "blocked", "error"), outcome
    assert not [folder for folder in ("/tmp", "/dev/shm", "/var/tmp", "/") if Path(folder, "canary-probe").exists()]


REAL = (
    "read files", "write files", "tcp to the app", "other sockets", "list and signal processes", "signal by file owner",
    "raise its own limits", "other programs",
)  # fmt: skip


@pytest.mark.parametrize("attack", REAL)
def test_the_same_attacks_gain_something_without_a_sandbox(
    attack: str, canary: dict[str, object], tmp_path: Path, start: Start
) -> None:
    """Or the test above would prove nothing; and the tier basic must never be sold as a sandbox."""
    tmp_path.chmod(0o777)
    worker = start(Tier.BASIC, PRELUDE + textwrap.dedent(GAIN_NOTHING[attack]))
    outcome = worker.call("f", {**canary, "folders": [str(tmp_path)]})
    assert outcome.value or outcome.status == "killed", outcome


REFUSED = {
    "socket": ("import socket\ndef f(): socket.socket()", "EPERM"),
    "url": ("import urllib.request\ndef f(): urllib.request.urlopen('http://127.0.0.1:9/')", "EPERM"),
    "subprocess": ("import subprocess\ndef f(): subprocess.run(['true'])", "EPERM"),
    "fork": ("import os\ndef f(): os.fork()", "EPERM"),
    "kill": ("import os\ndef f(): os.kill(1, 9)", "EPERM"),
    "write": ("import os\ndef f(): open('answer.txt', 'w')", "E"),
}


@pytest.mark.parametrize("attempt", REFUSED)
def test_a_refusal_that_ends_the_call_is_called_blocked(attempt: str, strong: Tier, start: Start) -> None:
    source, name = REFUSED[attempt]
    outcome = start(strong, source).call("f")
    assert outcome.status == "blocked" and outcome.detail.startswith(name), outcome
    assert outcome.error_line == 2


def test_a_hidden_file_is_not_found_and_the_detail_says_why(start: Start) -> None:
    outcome = start(Tier.FULL, "def f(): open('/etc/passwd')").call("f")
    assert (outcome.status, outcome.error_class) == ("error", "FileNotFoundError")
    assert outcome.detail == "files of this computer are hidden from the program"


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the 32-bit interface of x86")
def test_system_calls_of_another_abi_end_the_process(strong: Tier, start: Start) -> None:
    source = """
import ctypes, mmap
def f():
    page = mmap.mmap(-1, 4096, prot=7)
    page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20; int 0x80; ret
    return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
"""
    outcome = start(strong, source).call("f")
    assert outcome.status == "blocked" and outcome.detail.startswith("SIGSYS")


def test_recursion_without_a_limit_stays_inside(strong: Tier, start: Start) -> None:
    source = "import sys\ndef f(n=0):\n    sys.setrecursionlimit(10 ** 9)\n    return f(n + 1)"
    assert start(strong, source, Limits(call_seconds=1)).call("f").status in ("killed", "memory", "timeout")


def test_nothing_is_left_behind(tier: Tier, start: Start) -> None:
    """Threads that ignore every signal, and files: gone as soon as the worker is closed."""
    source = """
import os, signal, threading, time
for number in (signal.SIGTERM, signal.SIGXCPU, signal.SIGALRM, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
def forever():
    while True: time.sleep(0.01)
for _ in range(4): threading.Thread(target=forever).start()
def f(): return os.getcwd()
"""
    before, probe = _tagged_processes(), Path("/tmp/.probe")
    probe.unlink(missing_ok=True)  # a test of a failing self-test may have left one
    worker = start(tier, source)
    during = _tagged_processes() - before
    folder = worker.call("f").value
    worker.close()
    assert during and not during & _tagged_processes()
    assert tier is not Tier.BASIC or not Path(folder).exists()
    assert not probe.exists()


def _tagged_processes() -> set[int]:
    """Children of this process and their descendants."""
    rows = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout.split("\n")
    pairs = [tuple(map(int, row.split())) for row in rows if row]
    family = {os.getpid()}
    for _ in range(4):
        family |= {pid for pid, parent in pairs if parent in family}
    return family - {os.getpid()}


def test_the_kernel_confirms_the_lock_down(strong: Tier, start: Start) -> None:
    others = _tagged_processes()  # such as a pool that an earlier test keeps warm
    worker = start(strong)
    family = _tagged_processes() - others if strong is Tier.FULL else {worker._process.pid}
    states = [dict(line.split(":\t", 1) for line in _status(pid)) for pid in family]
    locked = [state for state in states if state["Name"].startswith("python") and state["Seccomp"] == "2"]
    assert len(locked) == 1
    state = locked[0]
    assert state["NoNewPrivs"] == "1" and "0" not in state["Uid"].split() + state["Gid"].split()
    assert int(state["CapEff"], 16) == int(state["CapPrm"], 16) == 0
    if os.getuid() == 0:  # nobody else can empty the bounding set, which no_new_privs makes harmless
        assert int(state["CapBnd"], 16) == 0 and state["Groups"].strip() == ""


def _status(pid: int) -> list[str]:
    with contextlib.suppress(OSError):
        return [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line]
    return ["Name:\t", "Seccomp:\t"]
