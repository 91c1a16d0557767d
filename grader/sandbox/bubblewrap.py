"""The bwrap command: an almost empty, read-only file system; no network, no other process; no /proc, no /etc.

/proc is left out because pid 1 in there is bwrap, whose environment would be readable; nothing is writable because the
size of a tmpfs does not bound the number of its files, which cost kernel memory.
"""
from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from grader.sandbox.model import SandboxUnavailable
from grader.sandbox.runtime import Runtime, foreign_packages

CODE, SITE, HOME = "/w", "/site", "/tmp"
NAMESPACES = "--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try".split()
ROOT_STARTS = "--cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP".split()  # to become another user
USER_STARTS = "--unshare-user --disable-userns".split()
ROOT_FORKS = [*ROOT_STARTS, "--cap-add", "CAP_SYS_ADMIN"]  # namespaces of its own for each child
# The right is held over the sandbox's own namespaces only. Not --disable-userns: each child makes a user namespace of
# its own, and then its system-call filter forbids more.
USER_FORKS = "--unshare-user --cap-add CAP_SYS_ADMIN".split()
TINY = "4096"  # bytes: an empty tmpfs that stays empty


def command(
    runtime: Runtime, inside: Path, environment: dict[str, str], as_root: bool, forks: bool = False
) -> list[str]:
    """bwrap and its arguments, up to the program to run. Needs bwrap 0.8. Raises SandboxUnavailable without it.

    forks: the program is the trusted parent of the isolated processes, and drops its capabilities in each.
    """
    rights = (ROOT_FORKS if forks else ROOT_STARTS) if as_root else (USER_FORKS if forks else USER_STARTS)
    return [
        program(), *NAMESPACES, "--die-with-parent", "--new-session", "--cap-drop", "ALL",
        *rights,
        "--clearenv", *_flat(("--setenv", name, value) for name, value in environment.items()),
        "--hostname", "sandbox",
        *_system(), *_python(runtime),
        *_flat(("--size", TINY, "--tmpfs", str(path), "--remount-ro", str(path)) for path in foreign_packages(runtime)),
        "--dir", "/dev", "--dir", SITE, "--dir", CODE,
        *_flat(("--dev-bind", device, device) for device in ("/dev/null", "/dev/urandom")),
        *_flat(("--ro-bind", str(path), f"{SITE}/{name}") for name, path in runtime.entries.items()),
        "--ro-bind", str(inside), f"{CODE}/inside",
        "--size", TINY, "--perms", "1777", "--tmpfs", HOME, "--remount-ro", HOME, "--remount-ro", "/", "--chdir", HOME,
        "--",
    ]  # fmt: skip


def program() -> str:
    """The path of bwrap."""
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxUnavailable("bubblewrap (bwrap) is not installed.", "Install it: `apt install bubblewrap`.")
    return found


def _system() -> list[str]:
    """/usr, and /lib, /lib64 and /bin as this system has them: links into /usr, or folders."""
    arguments = ["--ro-bind", "/usr", "/usr"]
    for name in ("lib", "lib64", "bin"):
        if os.path.islink(f"/{name}"):
            arguments += ["--symlink", os.readlink(f"/{name}").lstrip("/"), f"/{name}"]
        elif os.path.isdir(f"/{name}"):
            arguments += ["--ro-bind", f"/{name}", f"/{name}"]
    return arguments


def _python(runtime: Runtime) -> list[str]:
    """A Python outside /usr. bwrap would make the folders above it with mode 0700, so they are made before."""
    prefix = runtime.prefix
    if prefix.is_relative_to("/usr"):
        return []
    above = [str(path) for path in reversed(prefix.parents)][1:]
    return [*_flat(("--dir", path) for path in above), "--ro-bind", str(prefix), str(prefix)]


def _flat(rows: Iterable[tuple[str, ...]]) -> list[str]:
    return [argument for row in rows for argument in row]
