"""The few assertion helpers that visible and hidden checks share.

A check is a plain function that takes the student's function. It calls it through `call` and asserts on the
`Answer` that comes back. In the judge the function is a proxy into an isolated process; in a notebook or a test
it is the function itself. A failed assertion is a `Mismatch`, which says: called with, returned, expected, why.

Standard library only, because student notebooks carry a copy of this file.
"""
from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

SHOWN = 500  # characters of a value that a message shows
ARGUMENT_SHOWN = 120  # characters of an argument that the text of a call shows
LANGUAGE = "en"  # in which a Mismatch speaks; a student notebook sets its own


class Text(NamedTuple):
    """One sentence in the course's two languages."""

    en: str
    zh: str

    def within(self, language: str) -> str:
        return self.zh if language == "zh" else self.en


_MISMATCH = Text("called {}; returned {}; expected {}; {}", "调用 {}；返回 {}；应为 {}；{}")


class Mismatch(AssertionError):
    """A wrong value: what was called, what came back, what was expected, and why."""

    def __init__(self, called: str, returned: str, expected: str, why: Text) -> None:
        self.called, self.returned, self.expected, self.why = called, returned, expected, why
        message = _MISMATCH.within(LANGUAGE).format(called, returned, expected, why.within(LANGUAGE))
        super().__init__(message)


class Answer(NamedTuple):
    """What a call returned, and the text of the call."""

    called: str
    value: Any

    def fail(self, expected: str, why: Text) -> None:
        raise Mismatch(self.called, show(self.value), expected, why)

    def close_to(self, want: float | Sequence[float], tolerance: float, why: Text) -> None:
        """`want` is a number or a list of numbers; `tolerance` is absolute, on each number. NaN never passes."""
        if not is_close(self.value, want, tolerance):
            self.fail(f"{show(want)} ± {tolerance:g}" if tolerance else show(want), why)

    def equals(self, want: float | Sequence[float], why: Text) -> None:
        """The same numbers to the last bit."""
        self.close_to(want, 0.0, why)

    def holds(self, condition: bool, expected: str, why: Text) -> None:
        """`expected` is the condition in Python's notation, which needs no translation: "0 <= x <= 1"."""
        if not condition:
            self.fail(expected, why)

    def parts(self, count: int, why: Text) -> tuple[Answer, ...]:
        """The answer taken apart: it must be a tuple (or a list) of `count` values."""
        if not isinstance(self.value, (tuple, list)) or len(self.value) != count:
            self.fail(f"({', '.join(['…'] * count)})", why)
        return tuple(Answer(f"{self.called}[{index}]", part) for index, part in enumerate(self.value))


def call(function: Callable[..., Any], *arguments: Any) -> Answer:
    """Call the student's function on copies, for it may change them, and keep the text of the call for messages."""
    return _call(function, *map(_copied, arguments))


def call_unchanged(function: Callable[..., Any], *arguments: Any, why: Text) -> Answer:
    """Call, and fail if the call changed one of its arguments."""
    passed = tuple(map(_copied, arguments))
    answer = _call(function, *passed)
    for index, (was, now) in enumerate(zip(arguments, passed, strict=True)):
        if not _is_still(was, now):
            name = f"arguments[{index}]"
            raise Mismatch(answer.called, f"{name} == {show(now)}", f"{name} == {show(was)}", why)
    return answer


def _copied(argument: Any) -> Any:
    if type(argument) is list and all(type(item) is float for item in argument):  # a law: deepcopy is far slower
        return list(argument)
    return copy.deepcopy(argument)


def _is_still(was: Any, now: Any) -> bool:
    try:
        return bool(now == was)
    except ValueError:  # an array in a number's place is neither equal nor unequal
        return False


def _call(function: Callable[..., Any], *arguments: Any) -> Answer:
    called = call_text(getattr(function, "__name__", "function"), arguments)
    return Answer(called, function(*arguments))


def raises(function: Callable[..., Any], *arguments: Any, error: type[Exception], why: Text) -> None:
    """The call must raise `error`."""
    try:
        answer = call(function, *arguments)
    except error:
        return
    answer.fail(error.__name__, why)


_NUMPY_REALS = {"float64", "float32", "float16", "int64", "int32"}  # by name: a notebook may have no NumPy


def is_number(value: Any) -> bool:
    """A real number that may stand for a float: int, float, a NumPy scalar or what `np.where` makes of one; no bool."""
    if type(value) is float:
        return True
    if isinstance(value, bool):
        return False
    kind = type(value).__name__
    if kind == "ndarray" and value.shape == ():
        kind = value.dtype.name
    return isinstance(value, (int, float)) or kind in _NUMPY_REALS


def listed(value: Any) -> list[Any] | None:
    """A list, a tuple or a NumPy array as a list; None for anything else."""
    if type(value).__name__ == "ndarray" and value.ndim:
        return list(value)
    return list(value) if isinstance(value, (list, tuple)) else None


def is_close(value: Any, want: Any, tolerance: float) -> bool:
    """Type and length first, then the numbers. NumPy scalars stand for floats, tuples and arrays for lists."""
    if isinstance(want, (list, tuple)):
        entries = listed(value)
        if entries is None or len(entries) != len(want):
            return False
        return all(is_close(one, other, tolerance) for one, other in zip(entries, want, strict=True))
    if not is_number(value):
        return False
    try:
        number = float(value)
    except OverflowError:  # an int beyond the floats
        return False
    return math.isfinite(number) and abs(number - want) <= tolerance


def show(value: Any, limit: int = SHOWN) -> str:
    """The value as Python would write it, shortened in the middle."""
    if type(value) in (list, tuple) and len(value) > 2 * limit:  # what the shortened text doesn't need isn't written
        value = value[:limit] + value[-limit:]
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write out an int of more than 4300 digits
        text = f"{type(value).__name__}(…)"
    return shortened(text, limit)


def shortened(text: str, limit: int = SHOWN) -> str:
    """At most `limit` characters of the text: its beginning and its end."""
    return text if len(text) <= limit else f"{text[: limit * 2 // 3]} … {text[-limit // 4 :]}"


def call_text(name: str, arguments: Sequence[Any]) -> str:
    """The call as Python would write it, each argument shortened."""
    return f"{name}({', '.join(show(argument, ARGUMENT_SHOWN) for argument in arguments)})"
