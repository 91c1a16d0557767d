"""The few assertion helpers that visible and hidden checks share.

A check is a plain function that takes the student's function. It calls it through `call` and asserts on the
`Answer` that comes back. In the judge the function is a proxy into an isolated process; in a notebook or a test
it is the function itself. A failed assertion is a `Mismatch`, which says: called with, returned, expected, why.

Standard library only, because student notebooks carry a copy of this file.
"""
from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

_BREAK = re.compile(r"\s*\n\s*")  # in the text of a value: an array's, never a str's
WIDTH = 8  # characters that a number of an array takes at least, with all around it
SHOWN = 500  # characters of a value that a message shows
LONGEST = 300_000  # entries of an array that may stand for a list: more than any vocabulary
ARGUMENT_SHOWN = 120  # characters of an argument that the text of a call shows
LANGUAGE = "en"  # in which a Mismatch speaks; a student notebook sets its own


class Text(NamedTuple):
    """One sentence in the course's two languages."""

    en: str
    zh: str

    def within(self, language: str) -> str:
        return self.zh if language == "zh" else self.en


_MISMATCH = Text("called {}; returned {}; expected {}; {}", "调用 {}；返回 {}；应为 {}；{}")


_KIND_OF_TOKENS = Text(
    "a token id is an integer: an int, or an entry of an array or tensor of int64 or int32; not a float, a bool or an "
    "array with one entry",
    "词元编号是整数：int，或者 int64、int32 数组（张量）里的元素；不能是浮点数、布尔值，也不能是只含一个元素的数组",
)


LENIENCIES = ("int", "scalar", "tuple", "array")  # an exercise takes them all unless its exercise.toml names fewer
_accepted: ContextVar[frozenset[str]] = ContextVar("accepted", default=frozenset(LENIENCIES))


@contextmanager
def accepting(leniencies: Iterable[str]) -> Iterator[None]:
    """Within it, what may stand for something else: an int or a NumPy or torch scalar for a float, a tuple for a list
    (and a list for a tuple), an array or a tensor for a list."""
    before = _accepted.set(frozenset(leniencies))
    try:
        yield
    finally:
        _accepted.reset(before)


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

    def close_to(self, want: Any, tolerance: float, why: Text) -> None:
        """`want` is a number, or numbers in lists or an array; `tolerance` is absolute, on each. NaN never passes."""
        if not is_close(self.value, want, tolerance):
            self.fail(f"{show(want)} ± {tolerance:g}" if tolerance else show(want), why)

    def equals(self, want: Any, why: Text) -> None:
        """The same numbers to the last bit."""
        self.close_to(want, 0.0, why)

    def shaped(self, shape: tuple[int, ...], why: Text) -> None:
        """An array or a tensor of that shape, or lists in lists that are as long."""
        if _shape(self.value) != shape:
            self.fail(f"shape == {shape}", why)

    def tokens(self, want: Any, why: Text) -> None:
        """`want` is a token id or token ids, in lists or arrays: exactly these integers, of an integer kind."""
        found, want = _plain(self.value), _plain(want)
        shape, wanted = _shape(found), _shape(want)
        if shape == (*(wanted or ()), 1) or (shape == wanted and not _all_integers(found)):
            self.fail(show(want), _KIND_OF_TOKENS)
        if not _all_integers(found) or not is_close(found, want, 0.0):
            self.fail(show(want), why)

    def holds(self, condition: bool, expected: str, why: Text) -> None:
        """`expected` is the condition in Python's notation, which needs no translation: "0 <= x <= 1"."""
        if not condition:
            self.fail(expected, why)

    def parts(self, count: int, why: Text) -> tuple[Answer, ...]:
        """The answer taken apart: it must be a tuple (or a list) of `count` values."""
        kinds = (tuple, list) if "tuple" in _accepted.get() else tuple
        if not isinstance(self.value, kinds) or len(self.value) != count:
            self.fail(f"({', '.join(['…'] * count)})", why)
        return tuple(Answer(f"{self.called}[{index}]", part) for index, part in enumerate(self.value))


def call(function: Callable[..., Any], *arguments: Any) -> Answer:
    """Call the student's function on copies, for it may change them, and keep the text of the call for messages."""
    return _call(function, *map(_copied, arguments))


def call_unchanged(function: Callable[..., Any], *arguments: Any, why: Text) -> Answer:
    """Call, and fail if the call changed one of its arguments."""
    passed = tuple(map(_copied, arguments))
    answer = _call(function, *passed)
    names = parameters(function)
    for index, (was, now) in enumerate(zip(arguments, passed, strict=True)):
        if not _is_still(was, now):
            name = names[index] if index < len(names) else f"arguments[{index}]"
            raise Mismatch(answer.called, f"{name} == {show(now)}", f"{name} == {show(was)}", why)
    return answer


def _copied(argument: Any) -> Any:
    if is_array(argument):
        return argument.copy() if hasattr(argument, "copy") else argument.clone()
    if type(argument) is list and set(map(type, argument)) == {float}:  # a law: deepcopy is far slower
        return list(argument)
    return copy.deepcopy(argument)


def _is_still(was: Any, now: Any) -> bool:
    """The same numbers in the same containers; NaN is still NaN."""
    if is_array(was):
        return is_array(now) and _format(was) == _format(now) and _is_still(was.tolist(), now.tolist())
    if isinstance(was, (list, tuple)) and isinstance(now, (list, tuple)):
        return len(was) == len(now) and all(map(_is_still, was, now))
    if isinstance(was, dict) and isinstance(now, dict):
        return was.keys() == now.keys() and all(_is_still(was[key], now[key]) for key in was)
    try:
        return bool(now == was) or bool(now != now and was != was)
    except (ValueError, RuntimeError):  # an array in a number's place is neither equal nor unequal
        return False


def _call(function: Callable[..., Any], *arguments: Any) -> Answer:
    called = call_text(function, arguments)
    return Answer(called, function(*arguments))


def raises(function: Callable[..., Any], *arguments: Any, error: type[Exception], why: Text) -> None:
    """The call must raise `error`."""
    try:
        answer = call(function, *arguments)
    except error:
        return
    answer.fail(error.__name__, why)


_INTEGERS = {"int64", "int32"}  # by name: a notebook may have no NumPy or torch
_REALS = {"float64", "float32", "float16", "bfloat16", *_INTEGERS}


def is_array(value: Any) -> bool:
    """A NumPy array or a torch tensor."""
    return type(value).__name__ in ("ndarray", "Tensor")


def _format(value: Any) -> tuple[str, tuple[int, ...]]:
    """The name of an array's number format, and its shape."""
    return str(value.dtype).removeprefix("torch."), tuple(value.shape)


def is_number(value: Any) -> bool:
    """A number that may stand for a float: int, float, a NumPy scalar, an array or tensor without axes; no bool."""
    if type(value) is float:
        return True
    if isinstance(value, bool):
        return False
    kind = type(value).__name__
    if is_array(value) and tuple(value.shape) == ():
        kind, _ = _format(value)
    if kind in _REALS:
        return "scalar" in _accepted.get()
    return isinstance(value, float) or isinstance(value, int) and "int" in _accepted.get()


def listed(value: Any) -> list[Any] | None:
    """A list, a tuple, an array or a tensor as a list; None for anything else."""
    if is_array(value):
        return list(value) if _is_list(value) else None
    if isinstance(value, tuple):
        return list(value) if "tuple" in _accepted.get() else None
    return list(value) if isinstance(value, list) else None


def _is_list(array: Any) -> bool:
    """Whether it may stand for a list. Of no endless one: ten million entries of a tensor are as many tensors."""
    return array.ndim > 0 and len(array) <= LONGEST and "array" in _accepted.get()


def _plain(value: Any) -> Any:
    """Arrays and tensors of real numbers, also within lists, as lists of Python's numbers; all else as it is."""
    if is_array(value) and _format(value)[0] in _REALS:
        return value.tolist()
    return [*map(_plain, value)] if isinstance(value, (list, tuple)) else value


def _shape(value: Any) -> tuple[int, ...] | None:
    """How long an array or lists in lists are, from the outside in; None where they are not equally long."""
    if is_array(value):
        return tuple(value.shape)
    if not isinstance(value, (list, tuple)):
        return ()
    inner = {_shape(item) for item in value}
    if len(inner) > 1 or None in inner:
        return None
    return (len(value), *(inner.pop() or () if inner else ()))


def _all_integers(value: Any) -> bool:
    """Of a value that is `_plain`: whether all in it is an int or a NumPy integer."""
    if isinstance(value, list):
        return all(map(_all_integers, value))
    return type(value) is int or type(value).__name__ in _INTEGERS


def is_close(value: Any, want: Any, tolerance: float) -> bool:
    """Type and length first, then the numbers. `accepting` says what may stand for what."""
    if type(value) is float and type(want) is float:  # nearly always, and thousands of times
        return value == want or (math.isfinite(value) and abs(value - want) <= tolerance)
    if is_array(value) and isinstance(want, (list, tuple)) and not _is_list(value):
        return False
    if is_array(value) or is_array(want):
        value, want = _plain(value), _plain(want)
    if isinstance(want, (list, tuple)):
        if is_array(value) and (not value.ndim or len(value) != len(want)):
            return False
        entries = list(value) if type(value) is type(want) else listed(value)
        if entries is None or len(entries) != len(want):
            return False
        return all(is_close(one, other, tolerance) for one, other in zip(entries, want, strict=True))
    if not is_number(value) and not (type(value) is int and type(want) is int):
        return False
    try:
        number = float(value)
    except OverflowError:  # an int beyond the floats
        return False
    return bool(number == want or (math.isfinite(number) and abs(number - want) <= tolerance))


def show(value: Any, limit: int = SHOWN) -> str:
    """The value as Python writes it, shortened in the middle; then with an array's format and shape, a list's len."""
    if is_array(value):
        return _show_array(value, limit)
    length = len(value) if type(value) in (list, tuple) else 0
    if length > limit:  # what the shortened text doesn't need isn't written
        value = value[: limit // 3] + value[-limit // 3 :]  # each takes three characters at least
    if type(value) is list and any(map(is_array, value)):
        text = f"[{', '.join(show(item, limit // 2) for item in value[:limit])}]"
    else:
        text = _written(value)
    if length and len(text) > limit:
        head = f"{type(value).__name__}, len {length}: "
        return head + shortened(text, limit - len(head))
    return shortened(text, limit)


def _written(value: Any) -> str:
    try:
        return _BREAK.sub(" ", repr(value))
    except ValueError:  # Python refuses to write out an int of more than 4300 digits
        return f"{type(value).__name__}(…)"


def _show_array(value: Any, limit: int) -> str:
    kind, shape = _format(value)
    if math.prod(shape) <= limit // WIDTH:
        text = " ".join(repr(value).split())
        if len(text) <= limit:
            return text
    shown = max(2, limit // WIDTH // 3)
    flat = value.reshape(-1)
    ends = (", ".join(_brief(number) for number in part.tolist()) for part in (flat[: 2 * shown], flat[-shown:]))
    return f"{kind}, shape {shape}: [{shortened(' … '.join(ends), limit)}]"


def _brief(number: Any) -> str:
    return f"{number:.6g}" if type(number) is float else repr(number)


def shortened(text: str, limit: int = SHOWN) -> str:
    """At most `limit` characters of the text: its beginning and its end."""
    return text if len(text) <= limit else f"{text[: limit * 2 // 3]} … {text[-limit // 4 :]}"


def call_text(function: Callable[..., Any], arguments: Sequence[Any]) -> str:
    """The call as Python would write it, each argument with its name, shortened."""
    names = parameters(function)
    marks = [f"{name}=" for name in names] if len(names) == len(arguments) else [""] * len(arguments)
    texts = (mark + show(argument, ARGUMENT_SHOWN) for mark, argument in zip(marks, arguments, strict=True))
    return f"{getattr(function, '__name__', 'function')}({', '.join(texts)})"


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's arguments, as far as it tells them; the judge's stand-ins tell those of the stub."""
    told: tuple[str, ...] | None = getattr(function, "parameters", None)
    code = getattr(function, "__code__", None)
    return told if told is not None else code.co_varnames[: code.co_argcount] if code else ()
