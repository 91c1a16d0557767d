"""A fresh case to compute by hand, and the judging of what was typed."""
from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from exercises.expect import Text

TOLERANCE = 5e-3  # two decimals are enough

_NUMBER = r"\d{1,12}(?:\.\d{0,12})?|\.\d{1,12}"
_PATTERN = re.compile(rf"([+-]?)({_NUMBER})(?:/({_NUMBER}))?(%?)")


@dataclass(frozen=True)
class Field:
    """One number to compute. `slips` are wrong numbers that a usual slip gives, each with what to say about it."""

    id: str
    label: Text
    value: float
    slips: tuple[tuple[float, Text], ...] = ()

    def judge(self, typed: str) -> tuple[bool, Text]:
        """Is the typed number right (within TOLERANCE)? With what to tell the student."""
        got = read_number(typed)
        if got is None:
            return False, _EMPTY if not typed.strip() else _not_a_number(typed)
        if _near(got, self.value):
            return True, _RIGHT
        usual = (message for slip, message in self.slips if _near(got, slip))
        return False, next(usual, _WRONG)


@dataclass(frozen=True)
class Variant:
    """A question (the numbers are in its text) and the fields to fill in."""

    seed: int
    question: Text
    asked: tuple[Field, ...]

    @property
    def fields(self) -> dict[str, Text]:
        """The label of each field, by its id."""
        return {field.id: field.label for field in self.asked}

    def judge(self, answers: dict[str, str]) -> list[tuple[str, bool, Text]]:
        """One (field id, right?, message) per field, in order; a field that is not given counts as empty."""
        return [(field.id, *field.judge(answers.get(field.id, ""))) for field in self.asked]


def read_number(typed: str) -> float | None:
    """A decimal, a fraction like 5/6 or a percentage, also in full-width characters; None for anything else."""
    text = "".join(unicodedata.normalize("NFKC", typed).split())
    found = _PATTERN.fullmatch(text.replace(",", "."))
    if found is None:
        return None
    sign, above, below, percent = found.groups()
    divisor = float(below or 1.0) * (100.0 if percent else 1.0)
    if divisor == 0.0:
        return None
    return float(f"{sign}{above}") / divisor


def _near(got: float, wanted: float) -> bool:
    return abs(got - wanted) <= TOLERANCE + 1e-9  # 0.63 and 0.62 both round 0.625


def _not_a_number(typed: str) -> Text:
    shown = typed.strip()[:30]
    return Text(
        f"'{shown}' is not a number; write a decimal like 0.83 or a fraction like 5/6",
        f"“{shown}”不是一个数；请写小数（如 0.83）或分数（如 5/6）",
    )


_EMPTY = Text("still empty", "还没有填")
_RIGHT = Text("right", "正确")
_WRONG = Text("not this number; go through the rule step by step", "不是这个数；请按规则一步一步再算一遍")
