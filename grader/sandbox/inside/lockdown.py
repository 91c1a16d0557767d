"""The process gives up what it could do: root, resources, files, system calls. Nothing here can be undone.

Linux only, apart from `become` and `limit_resources`. Kernel interfaces by number, because nothing but the standard
library exists in here: man pages prctl(2), landlock(7), seccomp(2).
"""
from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct

TYPE_CHECKING = False  # importing typing costs every worker three milliseconds
if TYPE_CHECKING:
    from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, CAPABILITY_VERSION = 47, 4, 0x20080522
SECCOMP_MODE_FILTER = 2
SIGKILL = 9
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446  # the same on every architecture
LANDLOCK_VERSION_FLAG, LANDLOCK_RULE_PATH = 1, 1
READ_FILE, READ_DIR, WRITE_FILE = 1 << 2, 1 << 3, 1 << 1
MIB = 1 << 20
LIBC = ctypes.CDLL(None, use_errno=True)


def become(uid: int | None) -> None:
    """Turn from root into the user `uid` for good; refuse to go on as root."""
    if uid is not None:
        if hasattr(LIBC, "prctl"):
            _drop_bounding_set()
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
    if os.getuid() == 0 or os.geteuid() == 0:  # resource limits and file modes don't bind root
        raise PermissionError("refusing to run student code as root")


def drop_capabilities() -> None:
    """Give up what a fresh user namespace gives, or what bwrap has left; needless and harmless anywhere else."""
    _drop_bounding_set()
    LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    if LIBC.capset(struct.pack("Ii", CAPABILITY_VERSION, 0), bytes(24)):
        raise OSError(ctypes.get_errno(), "capset")


def _drop_bounding_set() -> None:
    """No capability can come back; without CAP_SETPCAP this changes nothing, which no_new_privs makes harmless."""
    for capability in range(64):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def limit_resources(limits: dict[str, Any], strict: bool) -> None:
    """Set the resource limits. `strict` False skips what this system refuses (macOS has no address-space limit).

    `limits["processes"]` is None where the count would include what does not belong to this process.
    """
    import resource

    cpu = limits["cpu_seconds"]
    spare = 0 if os.getpid() == 1 else 1  # the first process of a namespace does not hear of SIGXCPU
    wanted = {
        "RLIMIT_CPU": (cpu, cpu + spare),  # first SIGXCPU, then SIGKILL
        "RLIMIT_AS": (limits["memory_mib"] * MIB,) * 2,
        "RLIMIT_FSIZE": (16 * MIB,) * 2,
        "RLIMIT_NOFILE": (64, 64),
        "RLIMIT_CORE": (0, 0),
        "RLIMIT_MEMLOCK": (0, 0),
        "RLIMIT_MSGQUEUE": (0, 0),
    }
    if limits["processes"] is not None:
        wanted["RLIMIT_NPROC"] = (limits["processes"],) * 2
    for name, pair in wanted.items():
        if strict:
            resource.setrlimit(getattr(resource, name), pair)
        elif hasattr(resource, name):
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, name), pair)


def forbid_new_privileges() -> None:
    """No set-uid gain, no core dump or ptrace of this process, and death together with the thread that started it."""
    for option, value in ((PR_SET_NO_NEW_PRIVS, 1), (PR_SET_DUMPABLE, 0), (PR_SET_PDEATHSIG, SIGKILL)):
        if LIBC.prctl(option, value, 0, 0, 0):
            raise OSError(ctypes.get_errno(), f"prctl {option}")


def restrict_files(readable: list[str], listable: list[str], writable: list[str]) -> int:
    """Landlock: only these paths (folders with all below them) can be opened. Returns the kernel's Landlock version.

    `readable` may be read, `listable` only listed, `writable` (single files) only written. 0 means: no Landlock here.
    """
    try:
        version = _system_call(LANDLOCK_CREATE_RULESET, 0, 0, LANDLOCK_VERSION_FLAG)
    except OSError:
        return 0
    handled = (1 << 13) - 1 | (version >= 2) << 13 | (version >= 3) << 14 | (version >= 5) << 15
    network, scope = 3 if version >= 4 else 0, 3 if version >= 6 else 0
    attributes = struct.pack("QQQ", handled, network, scope)[: 8 if version < 4 else 16 if version < 6 else 24]
    rules = _system_call(LANDLOCK_CREATE_RULESET, ctypes.c_char_p(attributes), len(attributes), 0)
    for paths, access in ((readable, READ_FILE | READ_DIR), (listable, READ_DIR), (writable, WRITE_FILE | READ_FILE)):
        for path in paths:
            _allow(rules, path, access)
    _system_call(LANDLOCK_RESTRICT_SELF, rules, 0)
    os.close(rules)
    return version


def _allow(rules: int, path: str, access: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        access &= READ_FILE | WRITE_FILE  # Landlock refuses a folder's rights on a file
    rule = ctypes.c_char_p(struct.pack("=Qi", access, descriptor))
    _system_call(LANDLOCK_ADD_RULE, rules, LANDLOCK_RULE_PATH, rule, 0)
    os.close(descriptor)


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def filter_system_calls(program: bytes) -> None:
    """Install the compiled system-call filter (8 bytes an instruction)."""
    if LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(_FilterProgram(len(program) // 8, program)), 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel refused the system-call filter")


def _system_call(number: int, *arguments: Any) -> int:
    values = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result = int(LIBC.syscall(ctypes.c_long(number), *values))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"system call {number}")
    return result
