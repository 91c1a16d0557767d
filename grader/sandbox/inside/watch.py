"""What the student's program did to the process it runs in, as the process itself can tell.

A program that means harm can silence this, so silence proves nothing, and nothing depends on it: the judge only passes
on what is said here to a person. What ordinary mistakes do (a variable named `sum`, an odd type returned) is not told.
"""
from __future__ import annotations

import builtins
import enum
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from operator import is_

from .student import FILE

TYPE_CHECKING = False  # importing typing costs every worker three milliseconds
if TYPE_CHECKING:
    from typing import Any

_all, _len, _map = all, len, map  # a program may put others in their place
Seen = list[str]  # [code, name]

MODULES = "builtins json json.encoder json.decoder os struct math time random numpy numpy.linalg".split()
LIBRARIES = frozenset("os math time random numpy numpy.linalg".split())  # a thousand names, which no reply needs
CLASSES = ("json.JSONEncoder", "json.JSONDecoder", "struct.Struct")
OF_SYS = ("exit", "excepthook", "settrace", "setprofile", "_getframe")
FOOLING = frozenset(  # builtins that a judge in the same process would use to decide
    "abs all any bool float getattr int isinstance issubclass len round sum type AssertionError __import__".split()
)
DECIDES = (
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __abs__ __bool__ __float__ __array__ __getattribute__ __class__ "
    "__reduce__ __reduce_ex__ __instancecheck__"
).split()
MOST = 10  # told of one request
MAX_NAME = 100


class Watch:
    """Remembers how the process looked before the program was loaded. `own`: our own modules and classes, by name."""

    def __init__(self, own: Mapping[str, Any]) -> None:
        loaded = {name: sys.modules[name] for name in MODULES if name in sys.modules}
        classes = {name: getattr(sys.modules[name.split(".")[0]], name.split(".")[1]) for name in CLASSES}
        self._modules = loaded
        self._before = [_Before(label, place) for label, place in {**loaded, **classes, **own}.items()]
        self._sys = {name: getattr(sys, name) for name in OF_SYS}
        self._told: set[tuple[str, str]] = set()
        self._calls = 0

    def look(self, program: dict[str, Any], met: Iterable[type], after_call: bool = False) -> list[Seen]:
        """What is new since the last look. `program`: the program's names; `met`: types it gave that can't travel.

        after_call: the libraries are looked at after the 1st, 2nd, 4th, 8th ... only, for it takes longer than a call.
        """
        self._calls += after_call
        libraries_too = not (after_call and self._calls & (self._calls - 1))
        new: list[Seen] = []
        for code, name in (*self._changes(libraries_too), *_own_names(program), *_running(), *_types(met)):
            if (code, name) not in self._told and len(new) < MOST:
                self._told.add((code, name))
                new.append([code, name[:MAX_NAME]])
        return new

    def _changes(self, libraries_too: bool) -> Iterator[tuple[str, str]]:
        for place in self._before:
            if (libraries_too or place.label not in LIBRARIES) and place.may_differ():
                for name in place.differing():
                    yield "replaced", f"{place.label}.{name}"
        for name, value in self._sys.items():
            if getattr(sys, name, None) is not value:
                yield "replaced", f"sys.{name}"
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                yield "replaced", name


class _Before:
    """A module's or class's functions as they were."""

    def __init__(self, label: str, place: Any) -> None:
        self.label, self._now = label, vars(place)
        self._functions = {name: value for name, value in vars(place).items() if callable(value)}
        self._values = tuple(vars(place).values())

    def may_differ(self) -> bool:
        """Looked at after every call, so without a line of Python for each of a thousand names.

        What takes another's place in a module takes its place in the order too; what is new comes at the end.
        """
        return _len(self._now) < _len(self._values) or not _all(_map(is_, self._values, self._now.values()))

    def differing(self) -> list[str]:
        return [name for name, value in self._functions.items() if self._now.get(name) is not value]


def _own_names(program: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if program.get("__builtins__", builtins) not in (builtins, vars(builtins)):
        yield "replaced", "__builtins__"
    for name in FOOLING & program.keys():
        value = program[name]
        if type(value) in (types.FunctionType, type) and value.__module__ == "student":
            yield "shadowed", name


def _running() -> Iterator[tuple[str, str]]:
    if len(sys._current_frames()) > 1:
        yield "thread", ""
    if sys.gettrace() is not None or sys.getprofile() is not None:
        yield "tracing", ""


def _types(met: Iterable[type]) -> Iterator[tuple[str, str]]:
    for kind in met:
        deciding = next((name for name in DECIDES if _is_written(kind, name)), "")
        if deciding:
            yield "own_comparison", f"{kind.__name__}.{deciding}"
        elif kind.__module__ == "student" and issubclass(kind, _plain_types()) and not issubclass(kind, enum.Enum):
            yield "subclass", kind.__name__


def _is_written(kind: type, name: str) -> bool:
    """Whether the program's own text defines this method; what a decorator such as dataclass adds does not count."""
    for ancestor in kind.__mro__:
        method = vars(ancestor).get(name)
        method = method.fget if isinstance(method, property) else method
        if isinstance(method, types.FunctionType) and method.__code__.co_filename == FILE:
            return True
    return False


def _plain_types() -> tuple[type, ...]:
    numpy = sys.modules.get("numpy")
    return (float, int, str, list, dict, bytes, *((numpy.ndarray,) if numpy else ()))
