"""Uniforms that stand for all their values at once: the exact law of what a function makes of them.

A comparison of such a uniform splits the computation in two. The function is run again for every way through its
comparisons; each way is a box, an interval for every uniform, and its probability is the volume of the box.
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

MOST_RUNS = 200_000

Interval = tuple[Any, Any]
"""(low, high) with 0 <= low < high <= 1; ints, floats or Fractions."""


class NotTraceable(TypeError):
    """The function does something with a uniform that can't be followed exactly; the text says what."""


class Outcome(NamedTuple):
    """One way through the function: what it returned, how likely, and the box of uniforms that leads there.

    probability: exact where the function compares with ints and Fractions; with floats, exact up to rounding.
    """

    value: Any
    probability: Any
    box: tuple[Interval, ...]


def outcomes(function: Callable[[list[Uniform]], Any], count: int) -> Iterator[Outcome]:
    """Every way through `function(uniforms)`, given `count` independent uniforms in [0, 1). Probabilities sum to 1.

    Uniforms may be scaled, shifted and compared with numbers or arrays. The values at which a comparison is an
    equality have no volume: `<` and `<=` give the same law. The function must be deterministic; its errors pass.
    Raises NotTraceable for anything else, and beyond MOST_RUNS ways.
    """
    script: list[_Split] = []
    for _ in range(MOST_RUNS):
        trace = _Trace(script, count)
        value = function([Uniform(trace, index) for index in range(count)])
        yield Outcome(value, trace.volume(), tuple(zip(trace.low, trace.high, strict=True)))
        while script and not script[-1].below:
            script.pop()
        if not script:
            return
        script[-1] = script[-1]._replace(below=False)
    raise NotTraceable(f"more than {MOST_RUNS} ways through the function; take fewer or smaller rounds")


class _Split(NamedTuple):
    """A comparison that was open: uniform number `which` against `threshold`, and the side that this run is on."""

    which: int
    threshold: Any
    below: bool


class _Trace:
    """One run: the interval that each uniform is still in. Comparisons follow the script, then extend it."""

    def __init__(self, script: list[_Split], count: int) -> None:
        self.low: list[Any] = [0] * count
        self.high: list[Any] = [1] * count
        self._script, self._asked = script, 0

    def is_below(self, index: int, threshold: Any) -> bool:
        """Whether the uniform is below the threshold; where both are possible, the script decides."""
        if threshold <= self.low[index]:
            return False
        if threshold >= self.high[index]:
            return True
        if self._asked == len(self._script):
            self._script.append(_Split(index, threshold, True))
        split = self._script[self._asked]
        self._asked += 1
        if (split.which, split.threshold) != (index, threshold):
            raise NotTraceable("the function does not do the same when it is run again with the same uniforms")
        (self.high if split.below else self.low)[index] = threshold
        return split.below

    def volume(self) -> Any:
        volume: Any = 1
        for low, high in zip(self.low, self.high, strict=True):
            volume = volume * (high - low)
        return volume


def _refusing(what: str) -> Callable[..., Any]:
    def refuse(self: Uniform, *_: Any) -> Any:
        raise NotTraceable(f"{what} of a symbolic uniform can't be followed; scale, shift and compare it only")

    return refuse


def _comparing(compare: Callable[[Any, Any], bool]) -> Callable[[Uniform, Any], Any]:
    def compared(self: Uniform, other: Any) -> Any:
        if not isinstance(other, Uniform) and _number(other) is NotImplemented:
            return NotImplemented
        return (self - other)._against_zero(compare)

    return compared


class Uniform:
    """`scale * u + offset` for one symbolic uniform u: a number whose comparisons split the run."""

    def __init__(self, trace: _Trace, index: int, scale: Any = 1, offset: Any = 0) -> None:
        self._trace, self._index, self._scale, self._offset = trace, index, scale, offset

    def _with(self, scale: Any, offset: Any) -> Uniform:
        return Uniform(self._trace, self._index, scale, offset)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Uniform):
            if other._index != self._index:
                raise NotTraceable("two symbolic uniforms in one sum or comparison can't be followed")
            return self._with(self._scale + other._scale, self._offset + other._offset)
        number = _number(other)
        return number if number is NotImplemented else self._with(self._scale, self._offset + number)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Uniform):
            raise NotTraceable("a product of symbolic uniforms can't be followed")
        number = _number(other)
        return number if number is NotImplemented else self._with(self._scale * number, self._offset * number)

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Uniform):
            raise NotTraceable("a ratio of symbolic uniforms can't be followed")
        number = _number(other)
        return number if number is NotImplemented else self._with(self._scale / number, self._offset / number)

    def __neg__(self) -> Uniform:
        return self._with(-self._scale, -self._offset)

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Uniform):
            return self + -other
        number = _number(other)
        return number if number is NotImplemented else self + -number

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__
    __lt__, __le__ = _comparing(operator.lt), _comparing(operator.le)
    __gt__, __ge__ = _comparing(operator.gt), _comparing(operator.ge)
    __eq__, __ne__ = _comparing(operator.eq), _comparing(operator.ne)
    __bool__, __float__, __int__, __index__ = map(_refusing, ("the truth", "float()", "int()", "an index"))
    __rtruediv__, __pow__, __abs__ = map(_refusing, ("a number divided by, and not a multiple,", "a power", "abs()"))
    __floordiv__, __mod__, __round__ = map(_refusing, ("//", "%", "round()"))
    log, exp, sqrt = map(_refusing, ("np.log", "np.exp", "np.sqrt"))  # NumPy asks an entry for these

    def _against_zero(self, compare: Callable[[Any, Any], bool]) -> bool:
        """`compare(scale * u + offset, 0)`, a NaN as a float has it: only `!=` is true."""
        if self._scale == 0 or self._offset != self._offset or self._scale != self._scale:
            return compare(self._offset + self._scale * 0, 0)
        if compare in (operator.eq, operator.ne):  # equal only at one value, which has no volume
            return compare is operator.ne
        below = self._trace.is_below(self._index, -self._offset / self._scale)
        return compare(-1 if below == (self._scale > 0) else 1, 0)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """NumPy's operators, element by element: the uniform becomes an entry of an array of objects."""
        boxed = [_boxed(one) if isinstance(one, Uniform) else np.asarray(one).astype(object) for one in inputs]
        try:
            return getattr(ufunc, method)(*boxed, **options)
        except TypeError as error:
            raise NotTraceable(f"np.{ufunc.__name__} of a symbolic uniform can't be followed: {error}") from error


def array_of(uniforms: Sequence[Any]) -> np.ndarray:
    """A NumPy array, (n,), of floats, or of objects where the uniforms are symbolic: vectorised code works on both."""
    if not any(isinstance(uniform, Uniform) for uniform in uniforms):
        return np.array(uniforms, dtype=np.float64)
    array = np.empty(len(uniforms), dtype=object)
    array[:] = uniforms
    return array


def _boxed(uniform: Uniform) -> np.ndarray:
    box = np.empty((), dtype=object)
    box[()] = uniform
    return box


def _number(value: Any) -> Any:
    """The number, NumPy scalars as Python's own; NotImplemented for anything else, so that arrays take over."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, (int, float, Fraction)) else NotImplemented
