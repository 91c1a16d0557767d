"""The student's program inside the isolated process: loaded once, called many times, its errors put into words."""
from __future__ import annotations

import builtins
import errno
import linecache
import sys
import types

TYPE_CHECKING = False  # importing typing costs every worker three milliseconds
if TYPE_CHECKING:
    from typing import Any

FILE = "<student>"
MAX_MESSAGE = 2_000
REFUSED = frozenset({"EPERM", "EACCES", "EROFS", "ENETUNREACH", "ENETDOWN", "EHOSTUNREACH"})


class Student:
    """A module named `student`, because dataclasses and pickle look a class's module up by name."""

    def __init__(self) -> None:
        self._module = types.ModuleType("student")

    def load(self, source: str) -> None:
        """Run the program's top level. What it raises is the student's error."""
        sys.modules["student"] = self._module
        linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
        exec(compile_source(source), self._module.__dict__)

    @property
    def names(self) -> dict[str, Any]:
        """What the program has bound so far."""
        return self._module.__dict__

    def call(self, name: str, arguments: list[Any]) -> object:
        """Call the program's function. NameError if the program has no such name."""
        if name not in self._module.__dict__:
            raise NameError(f"the submission does not define {name}")
        return self._module.__dict__[name](*arguments)


class TooDeep(Exception):
    """Python's own parser gave up on the nesting of a program."""


def compile_source(source: str) -> types.CodeType:
    """Raises TooDeep where the parser runs out of its stack, which is no lack of memory."""
    try:
        return compile(source, FILE, "exec", dont_inherit=True)
    except (MemoryError, RecursionError) as error:
        raise TooDeep from error


def describe(error: BaseException) -> dict[str, Any]:
    """The error as data: nearest built-in class, message, line of the program, what was refused, its own class."""
    note = ""
    if isinstance(error, TooDeep) and error.__cause__ is not None:
        error, note = error.__cause__, "nesting"
    kind = type(error)
    return {
        "class": _builtin_name(kind),
        "message": _message(error),
        "line": _line(error),
        "refused": _refusal(error),
        "own_class": "" if _builtin_name(kind) == kind.__name__ else kind.__qualname__[:MAX_MESSAGE],
        "note": note,
    }


def _builtin_name(kind: type) -> str:
    names = (ancestor.__name__ for ancestor in kind.__mro__ if vars(builtins).get(ancestor.__name__) is ancestor)
    return next(names, "Exception")


def _message(error: BaseException) -> str:
    try:
        return str(str(error)[:MAX_MESSAGE])
    except BaseException as trouble:  # the exception's own __str__ may raise anything
        return f"(the exception can't be shown: its __str__ raised {type(trouble).__name__})"


def _line(error: BaseException) -> int | None:
    """The last line of the program on the way to the error; for a SyntaxError the line it names."""
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == FILE else None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE:
            line = step.tb_lineno
        step = step.tb_next
    return line


def _refusal(error: BaseException) -> str:
    """The name of the system's refusal, "" if this error is none. urllib keeps it in `reason`."""
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return "thread"
    if not isinstance(error, OSError):
        return ""
    inner = getattr(error, "reason", None)
    if isinstance(inner, OSError):
        return _refusal(inner)
    if type(error).__name__ == "gaierror":
        return "name resolution"
    name = errno.errorcode.get(error.errno or 0, "")
    return name if name in REFUSED else ""
