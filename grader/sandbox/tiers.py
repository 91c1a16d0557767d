"""What each tier starts, and what it has the process lock down. One function a tier, all with the same result."""
from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grader.sandbox import bubblewrap, syscalls, users
from grader.sandbox.model import Limits, SandboxUnavailable, Tier
from grader.sandbox.process import Launch
from grader.sandbox.room import room
from grader.sandbox.runtime import Runtime

Builder = Callable[[Limits, Runtime, int | None], Launch]
START = "import sys; sys.path.insert(0, sys.argv[1]); from inside.main import main; main()"
START_NURSERY = "import sys; sys.path.insert(0, sys.argv[1]); from inside.nursery import serve; serve()"
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def launch(tier: Tier, limits: Limits, runtime: Runtime, preload: tuple[str, ...], forked: bool = False) -> Launch:
    """How to start a worker of this tier. Raises SandboxUnavailable where something it needs is missing.

    forked: its parent is a nursery's, so it needs no command.
    """
    if tier is not Tier.BASIC and sys.platform != "linux":
        raise SandboxUnavailable(f"The tier {tier} needs Linux; this is {sys.platform}.", "On Windows, use WSL2.")
    uid = users.take()
    try:
        builders: dict[Tier, Builder] = {
            Tier.FULL: functools.partial(full, forked=forked), Tier.KERNEL: kernel, Tier.BASIC: basic
        }  # fmt: skip
        how = builders[tier](limits, runtime, uid)
    except BaseException:
        users.give_back(uid)
        raise
    how.configuration.update(tier=tier.value, uid=uid, preload=list(preload), hidden=[str(Path(__file__).resolve())])
    return how


def nursery_launch(tier: Tier, runtime: Runtime, preload: tuple[str, ...]) -> Launch:
    """How to start a parent from which workers of this tier are forked."""
    if tier is Tier.BASIC or sys.platform != "linux":
        raise SandboxUnavailable(f"Nothing is forked in the tier {tier} on {sys.platform}.")
    as_root = os.getuid() == 0
    home, code = bubblewrap.HOME, bubblewrap.CODE
    configuration: dict[str, Any] = {
        "preload": list(preload), "inside": code, "site": [bubblewrap.SITE], "cwd": home,
        "namespaces": tier is Tier.FULL, "own_user": not as_root,
    }  # fmt: skip
    if tier is Tier.FULL:
        return Launch(_in_bubblewrap(runtime, as_root, forks=True), {}, "/", configuration, has_first_process=True)
    runtime = room().reachable(runtime) if as_root else runtime
    home, code = str(room().empty), str(room().inside.parent)
    configuration |= {"inside": code, "site": [str(room().site(runtime))], "cwd": home}
    return Launch(python_command(runtime.python, code, START_NURSERY), environment(home), "/", configuration)


def python_command(python: Path, code: str, start: str = START) -> list[str]:
    """Isolated from the environment and from site-packages, without writing byte code. `code`: folder of `inside`."""
    return [str(python), "-I", "-S", "-B", "-X", "utf8", "-c", start, code]


def environment(home: str) -> dict[str, str]:
    """All that a worker sees of an environment: one thread for the maths, repeatable hashes, nothing of the app's."""
    fixed = {
        "PATH": "/usr/bin", "LANG": "C.UTF-8", "HOME": home, "TMPDIR": home, "TORCHINDUCTOR_CACHE_DIR": home,
        "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "2", **dict.fromkeys(THREAD_VARIABLES, "1"),
    }  # fmt: skip
    return fixed | {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}


def full(limits: Limits, runtime: Runtime, uid: int | None, forked: bool = False) -> Launch:
    """Namespaces: an own file system, process table and network, with nothing in them but what a computation needs."""
    configuration = {
        "limits": _limits(limits, shared_count=uid is None and _kernel() < (5, 14)), "filter": syscalls.program().hex(),
        "readable": ["/"], "listable": [], "writable": ["/dev/null"],
        "inside": bubblewrap.CODE, "site": [bubblewrap.SITE], "cwd": bubblewrap.HOME,
    }  # fmt: skip
    command = [] if forked else _in_bubblewrap(runtime, as_root=uid is not None)
    return Launch(command, {}, "/", configuration, has_first_process=True, cleanup=_returning(uid))


def _in_bubblewrap(runtime: Runtime, as_root: bool, forks: bool = False) -> list[str]:
    """The command of a worker, or of a parent that `forks` workers."""
    runtime = room().reachable(runtime, through_folders=False) if as_root else runtime
    sandbox = bubblewrap.command(runtime, room().inside, environment(bubblewrap.HOME), as_root, forks)
    return [*sandbox, *python_command(runtime.python, bubblewrap.CODE, START_NURSERY if forks else START)]


def kernel(limits: Limits, runtime: Runtime, uid: int | None) -> Launch:
    """No namespaces: Landlock hides the files, the system-call filter everything else.

    Contents and folder listings are hidden; whether a path exists, its size and dates are not: Landlock has no stat.
    """
    if uid is not None:
        runtime = room().reachable(runtime)
    site, home, code = room().site(runtime), room().empty, room().inside.parent
    machine = platform.machine()
    libraries = (f"/usr/lib/{machine}-linux-gnu", "/lib64", "/usr/lib64", "/etc/ld.so.cache")
    readable = [path for path in runtime.stdlib.iterdir() if path.name not in ("site-packages", "dist-packages")]
    readable += [code, site, *runtime.entries.values(), Path("/dev/urandom"), *map(Path, libraries)]
    readable += (runtime.prefix / "lib").glob("*.so*")
    configuration = {
        "limits": _limits(limits, shared_count=uid is None), "filter": syscalls.program().hex(),
        "readable": [str(path) for path in readable if path.exists()], "listable": [str(runtime.stdlib)],
        "writable": ["/dev/null"], "inside": str(code), "site": [str(site)], "cwd": str(home),
    }  # fmt: skip
    command = python_command(runtime.python, str(code))
    return Launch(command, environment(str(home)), "/", configuration, cleanup=_returning(uid))


def basic(limits: Limits, runtime: Runtime, uid: int | None) -> Launch:
    """A process of its own in a folder of its own, with time limits. Guards against accidents, not against people."""
    if uid is not None:
        runtime = room().reachable(runtime)
    home = Path(tempfile.mkdtemp(dir=room().path))
    if uid is not None:
        os.chown(home, uid, uid)
    configuration = {
        "limits": _limits(limits, shared_count=uid is None),
        "inside": str(room().inside.parent), "cwd": str(home),
        "site": sorted({str(path.parent) for path in runtime.entries.values()}),
    }  # fmt: skip
    command = python_command(runtime.python, str(room().inside.parent))
    remove = functools.partial(shutil.rmtree, home, ignore_errors=True)
    return Launch(command, environment(str(home)), str(room().path), configuration, cleanup=(remove, *_returning(uid)))


def _limits(limits: Limits, shared_count: bool) -> dict[str, Any]:
    """`shared_count`: the kernel counts the worker's threads together with all others of this user."""
    if sys.platform != "linux":
        return {**asdict(limits), "processes": None}
    return {**asdict(limits), "processes": limits.threads + (users.running_threads() if shared_count else 0)}


def _kernel() -> tuple[int, int]:
    major, minor = platform.release().split(".")[:2]
    return int(major), int(re.match(r"\d*", minor)[0] or 0)  # type: ignore[index]


def _returning(uid: int | None) -> tuple[Callable[[], None], ...]:
    return (functools.partial(users.give_back, uid),)
