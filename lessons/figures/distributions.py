"""The two distributions that every figure starts from: reading what a learner typed, and the examples."""
from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MIN_TOKENS, MAX_TOKENS = 2, 8
TOLERANCE = 1e-9  # the rejection rule refuses rows whose sum is further from one
MAX_TEXT = 400  # characters; a link may carry anything


@dataclass(frozen=True)
class Problem:
    """Something a learner has to put right: the key of its text, and the slots of that text."""

    key: str
    slots: Mapping[str, object] = field(default_factory=dict)


class Unusable(ValueError):
    def __init__(self, key: str, **slots: object) -> None:
        self.problem = Problem(key, slots)
        super().__init__(f"{key} {slots}")


@dataclass(frozen=True)
class Pair:
    """Target and draft over the same V tokens."""

    target: tuple[float, ...]
    draft: tuple[float, ...]

    @property
    def tokens(self) -> range:
        return range(len(self.target))


EXAMPLES: Mapping[str, Pair] = {
    "worked": Pair((0.7, 0.3), (0.4, 0.6)),
    "four": Pair((0.45, 0.3, 0.2, 0.05), (0.2, 0.35, 0.1, 0.35)),
    "identical": Pair((0.5, 0.3, 0.2), (0.5, 0.3, 0.2)),
    "disjoint": Pair((0.6, 0.4, 0.0, 0.0), (0.0, 0.0, 0.5, 0.5)),
}
DEFAULT = EXAMPLES["worked"]


def read_pair(target: str, draft: str) -> Pair:
    """Both rows as a learner typed them. Raises Unusable with what was got, the rule, the place and what to do."""
    rows = {"target": read_numbers(target, "target"), "draft": read_numbers(draft, "draft")}
    if len(rows["target"]) != len(rows["draft"]):
        raise Unusable("input.lengths", target=len(rows["target"]), draft=len(rows["draft"]))
    for row, numbers in rows.items():
        if abs(sum(numbers) - 1.0) > TOLERANCE:
            raise Unusable("input.sum", row=row, got=f"{sum(numbers):.12g}")
    return Pair(rows["target"], rows["draft"])


def read_numbers(text: str, row: str) -> tuple[float, ...]:
    """2 to 8 numbers that are not negative, apart by commas, spaces or semicolons; fractions like 1/3 are taken."""
    if len(text) > MAX_TEXT:
        raise Unusable("input.long", row=row, got=len(text), most=MAX_TEXT)
    parts = [part for part in re.split(r"[\s,;，、；\[\]()]+", text) if part]
    if not MIN_TOKENS <= len(parts) <= MAX_TOKENS:
        raise Unusable("input.count", row=row, got=len(parts), least=MIN_TOKENS, most=MAX_TOKENS)
    return tuple(_number(part, row, place) for place, part in enumerate(parts, start=1))


def _number(part: str, row: str, place: int) -> float:
    over, _, under = part.partition("/")
    try:
        number = float(over) / float(under or 1)
    except (ValueError, ZeroDivisionError):
        raise Unusable("input.number", row=row, place=place, got=part) from None
    if not 0.0 <= number < math.inf:
        raise Unusable("input.range", row=row, place=place, got=part)
    return abs(number)  # -0.0 would show as a negative zero


def normalised(text: str, row: str) -> str:
    """The row divided by its sum. Raises Unusable where the numbers can't be read or are all zero."""
    numbers = read_numbers(text, row)
    total = math.fsum(numbers)
    if not 0.0 < total < math.inf:
        raise Unusable("input.no_mass", row=row, got=f"{total:g}")
    return ", ".join(f"{number / total:.12g}" for number in numbers)


def written(numbers: Sequence[float]) -> str:
    """The row as text that reads back to the same floats."""
    return ", ".join(repr(float(number)) for number in numbers)
