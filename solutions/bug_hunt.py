"""The known wrong answers of a bug hunt: faults that are still in, and faults that were repaired wrongly.

Each set of faults that may still be in is one mistake. Its message is put together from what is said of each of them.
"""
from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from exercises.expect import Text

_LEFT = Text("Of the {all} faults {left} still in", "{all}处错误还剩{left}处")


class Fault(NamedTuple):
    """A planted fault. `repair`: its text in the code and what to put there. `mutant`: its row of the public table.

    name: what it is, in a few words. message: what it does, and what to do about it.
    """

    id: str
    mutant: str
    repair: tuple[str, str]
    name: Text
    message: Text


def read_faults(path: Path) -> tuple[Fault, ...]:
    """The [[faults]] of a file, in the order in which they are repaired."""
    return tuple(_read(entry) for entry in tomllib.loads(path.read_text("utf-8"))["faults"])


def wrong_repairs(path: Path, right: str, blank: str) -> Iterator[dict[str, Any]]:
    """A mistake for each of the file's [[wrong_repairs]]: the right code with one text in it swapped for another."""
    for entry in tomllib.loads(path.read_text("utf-8"))["wrong_repairs"]:
        before, after = entry.pop("swap")
        texts = {key: Text(**entry.pop(key)) for key in ("name", "message")}
        yield entry | texts | {"blanks": {blank: _swapped(right, before, after, entry["id"])}}


def _swapped(code: str, before: str, after: str, name: str) -> str:
    """Raises ValueError where the text isn't in the code exactly once."""
    if code.count(before) != 1:
        raise ValueError(f"{name}: its text is in the code {code.count(before)} times; it must be there once")
    return code.replace(before, after)


def _read(entry: dict[str, Any]) -> Fault:
    before, after = entry["repair"]
    return Fault(entry["id"], entry["mutant"], (before, after), Text(**entry["name"]), Text(**entry["message"]))


def handed_out(exercise_id: str) -> str:
    """The faulty code: the start text of the exercise's first blank."""
    settings = Path(__file__).parent.parent / "exercises" / exercise_id / "exercise.toml"
    start: str = tomllib.loads(settings.read_text("utf-8"))["blanks"][0]["start"]
    return start


def repaired(code: str, faults: Sequence[Fault]) -> str:
    """The code with these faults repaired, in this order."""
    for fault in faults:
        code = _swapped(code, *fault.repair, fault.id)
    return code


def remaining(
    code: str, faults: Sequence[Fault], blank: str, renamed: tuple[str, str]
) -> Iterator[dict[str, Any]]:
    """A mistake for every set of faults that may still be in, the largest sets last; all of them included.

    renamed: a name in the code and another one for it, because code that is untouched isn't an answer yet.
    """
    for count in range(1, len(faults) + 1):
        for left in itertools.combinations(faults, count):
            gone = [fault for fault in faults if fault not in left]
            yield {
                "id": "_and_".join(fault.id for fault in left) + "_left",
                "blanks": {blank: repaired(code, gone).replace(*renamed)},
                "name": _joined([fault.name for fault in left]),
                "message": _message(left, len(faults)),
                "mutants": [fault.mutant for fault in left] if count == 1 else [],
            }


def _joined(names: Sequence[Text]) -> Text:
    return Text("still in: " + "; ".join(name.en for name in names), "还在：" + "；".join(name.zh for name in names))


def _message(left: Sequence[Fault], count: int) -> Text:
    """Several faults make a list: one below the other they can be ticked off."""
    en = _LEFT.en.format(all=_WORDS[count], left=f"{_WORDS[len(left)]} {'is' if len(left) == 1 else 'are'}")
    zh = _LEFT.zh.format(all=_NUMERALS[count], left=_NUMERALS[len(left)])
    if len(left) == 1:
        return Text(f"{en}. {left[0].message.en}", f"{zh}。{left[0].message.zh}")
    english, chinese = zip(*(fault.message for fault in left), strict=True)
    return Text(_listed(f"{en}:", english), _listed(f"{zh}：", chinese))


def _listed(head: str, items: Sequence[str]) -> str:
    return "\n".join([head, *(f"- {item}" for item in items)])


_WORDS = ("none", "one", "two", "three", "four", "five", "six")
_NUMERALS = ("零", "一", "两", "三", "四", "五", "六")
