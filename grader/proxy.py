"""The student's function as a check sees it: a stand-in that calls into the isolated process.

A call that ends badly raises `StudentFailure`. Where the student's code raised a builtin exception, the class is also
that exception, so a check may say `except ValueError` and mean the same in the judge as in a notebook.
"""
from __future__ import annotations

import builtins
import copy
import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from exercises.expect import call_text, is_array, parameters
from grader.verdicts import Verdict

# A group needs its members; the other two would end a generator in a check, which Python reports as another error.
UNMIXED = (ExceptionGroup, StopIteration, StopAsyncIteration)


class StudentFailure(Exception):
    """The student's code gave no value. `line` is the student's own line, `called` the text of the call."""

    def __init__(
        self, verdict: Verdict, error_class: str = "", message: str = "", line: str = "", called: str = ""
    ) -> None:
        self.verdict, self.error_class, self.message = verdict, error_class, message
        self.line, self.called = line, called

    def __str__(self) -> str:
        reason = ": ".join(part for part in (self.error_class, self.message) if part)
        return f"{self.verdict}: {reason}" if reason else str(self.verdict)


@functools.cache
def failure_class(error_class: str) -> type[StudentFailure]:
    """StudentFailure, mixed with the builtin exception of that name where there is one to mix with."""
    builtin = getattr(builtins, error_class, None)
    if not isinstance(builtin, type) or not issubclass(builtin, Exception) or issubclass(builtin, UNMIXED):
        return StudentFailure
    return type(error_class, (StudentFailure, builtin), {})


class Reply(NamedTuple):
    """What a call gave back: the value, and the arguments as they are after the call."""

    value: Any
    arguments: tuple[Any, ...]


class Proxy:
    """Stands for the student's function `name`. `ask` makes the call, or raises StudentFailure.

    parameters: the names of its arguments, for the text of a call.
    """

    def __init__(
        self, name: str, ask: Callable[[tuple[Any, ...]], Reply], parameters: tuple[str, ...] = ()
    ) -> None:
        self.__name__, self.parameters = name, parameters
        self._ask = ask
        self.first: Reply | None = None  # the first call that gave a value, with its arguments as they were

    def __call__(self, *arguments: Any) -> Any:
        before = copy.deepcopy(arguments) if self.first is None else ()
        try:
            reply = self._ask(arguments)
        except StudentFailure as failure:
            failure.called = call_text(self, arguments)
            raise
        if self.first is None:
            self.first = Reply(copy.deepcopy(reply.value), before)
        for mine, theirs in zip(arguments, reply.arguments, strict=False):
            copy_back(mine, theirs)
        return reply.value


def stand_ins(
    solutions: Mapping[str, Callable[..., Any]], ask: Callable[[str, tuple[Any, ...]], Reply]
) -> dict[str, Proxy]:
    """A proxy for each function of a program, with the arguments of the right one.

    `ask` takes the function's name, then what a proxy's own `ask` takes.
    """
    return {name: Proxy(name, functools.partial(ask, name), parameters(right)) for name, right in solutions.items()}


def copy_back(mine: Any, theirs: Any) -> None:
    """Give `mine` the content that the call left in its own copy, so that a change is seen as in a notebook."""
    if mine is theirs:  # the call changed nothing
        return
    if isinstance(mine, tuple) and isinstance(theirs, tuple):
        for one, other in zip(mine, theirs, strict=False):
            copy_back(one, other)
    elif isinstance(mine, list) and isinstance(theirs, list):
        mine[:] = [_merged(one, other) for one, other in zip(mine, theirs, strict=False)] + theirs[len(mine) :]
    elif isinstance(mine, dict) and isinstance(theirs, dict):
        merged = {key: _merged(mine[key], value) if key in mine else value for key, value in theirs.items()}
        mine.clear()
        mine.update(merged)
    elif isinstance(mine, set) and isinstance(theirs, set):
        mine.clear()
        mine.update(theirs)
    elif is_array(mine) and type(mine) is type(theirs):
        _copy_array(mine, theirs)


def _merged(mine: Any, theirs: Any) -> Any:
    """The nested object itself, refilled, where both sides are the same kind of container; else the new value."""
    if type(mine) is type(theirs) and (isinstance(mine, (list, dict, set)) or is_array(mine)):
        copy_back(mine, theirs)
        return mine
    return theirs


def _copy_array(mine: Any, theirs: Any) -> None:
    """NumPy array or tensor; left as it is where no call of a function could have changed it so."""
    if mine.dtype != theirs.dtype:
        return
    if hasattr(mine, "resize_"):
        if mine.shape != theirs.shape:
            mine.data = theirs
        mine.detach().copy_(theirs)
    elif mine.flags.writeable:
        if mine.size != theirs.size and mine.flags.owndata:
            # Never made longer or shorter: that may move it, and the check's own views would hold freed memory.
            least = min(mine.size, theirs.size)
            mine.flat[:least] = theirs.flat[:least]
            return
        if mine.shape != theirs.shape and mine.flags.owndata:
            mine.resize(theirs.shape, refcheck=False)
        if mine.shape == theirs.shape:
            mine[...] = theirs
