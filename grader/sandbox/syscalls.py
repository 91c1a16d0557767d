"""The system-call filter: a list of what pure computation needs; everything else gets EPERM.

Needs libseccomp, so `pyseccomp` is imported only when a filter is built (its import starts helper programs). Deviations
from "what NumPy and torch need" that look odd on purpose: no call that changes a file name or a file's length, because
Landlock before version 3 does not stop truncate(2); fcntl without F_SETOWN and F_SETSIG, which could have a signal sent
to any process of the same user; ioctl and prctl by single commands.
"""
from __future__ import annotations

import contextlib
import ctypes
import functools
import tempfile

from grader.sandbox.model import SandboxUnavailable

ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range dup dup2 dup3 fsync fdatasync fadvise64
open openat stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents getdents64
getcwd chdir fchdir statfs fstatfs umask
pipe pipe2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2
brk mmap munmap mremap mprotect madvise mincore msync membarrier mbind get_mempolicy
rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack rt_sigpending rt_sigtimedwait rt_sigsuspend pause restart_syscall
alarm setitimer getitimer nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times getrusage
getrlimit sysinfo uname getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgid
getpgrp getsid getpriority getcpu getrandom
sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min
futex futex_waitv set_robust_list get_robust_list set_tid_address rseq arch_prctl exit exit_group
""".split()

CLONE_THREAD = 0x10000
CLONE_NEW_ANYTHING = 0x7E020080
FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)  # duplicate, flags, locks, size of a pipe
IOCTL = (0x5401, 0x541B, 0x5450, 0x5451)  # TCGETS, FIONREAD, FIONCLEX, FIOCLEX
PRCTL = (15, 16, 0x53564D41)  # SET_NAME, GET_NAME, SET_VMA (glibc names its memory)
EPERM, ENOSYS = 1, 38


@functools.cache
def program() -> bytes:
    """The compiled filter, 8 bytes an instruction. Raises SandboxUnavailable without libseccomp."""
    try:
        import pyseccomp as seccomp
    except (ImportError, RuntimeError, OSError) as error:
        raise SandboxUnavailable(
            f"libseccomp can't be used ({error}).", "Install it: `apt install libseccomp2; pip install pyseccomp`."
        ) from error
    rules = seccomp.SyscallFilter(seccomp.ERRNO(EPERM))  # a foreign ABI (int 0x80, x32) is killed
    for name in ALLOWED:
        with contextlib.suppress(OSError, ValueError):  # a call that this processor or library does not have
            rules.add_rule(seccomp.ALLOW, name)
    rules.add_rule(seccomp.ERRNO(ENOSYS), "clone3")  # glibc falls back to clone, whose flags a filter can see
    threads_only = seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_THREAD | CLONE_NEW_ANYTHING, CLONE_THREAD)
    rules.add_rule(seccomp.ALLOW, "clone", threads_only)
    rules.add_rule(seccomp.ALLOW, "prlimit64", seccomp.Arg(2, seccomp.EQ, 0))  # asking, not setting
    for name, position, commands in (("fcntl", 1, FCNTL), ("ioctl", 1, IOCTL), ("prctl", 0, PRCTL)):
        for command in commands:
            rules.add_rule(seccomp.ALLOW, name, seccomp.Arg(position, seccomp.MASKED_EQ, 0xFFFFFFFF, command))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


class _Version(ctypes.Structure):
    _fields_ = (("major", ctypes.c_uint), ("minor", ctypes.c_uint), ("micro", ctypes.c_uint))


def library_version() -> str:
    """libseccomp's version, or "" where it is missing."""
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return ""
    library.seccomp_version.restype = ctypes.POINTER(_Version)
    version = library.seccomp_version().contents
    return f"{version.major}.{version.minor}.{version.micro}"
