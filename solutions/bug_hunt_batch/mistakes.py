"""The known wrong answers: every choice of planted faults that is left in, and the usual wrong repairs (mistakes.toml).

The faulty lines are those of the start text in exercise.toml, the right ones those of the solution: no line is written
a second time.
"""
from __future__ import annotations

import difflib
import itertools
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from exercises.expect import Text
from solutions.mistake_file import read_mistakes

HERE = Path(__file__)
EXERCISE = HERE.parents[2] / "exercises" / HERE.parent.name / "exercise.toml"
SOLUTION = HERE.with_name("solution.py")


class Fault(NamedTuple):
    """A planted fault: its id and its name, what to say where it's the only one left, and where it's one of several."""

    id: str
    name: Text
    alone: Text
    among: Text
    mutants: tuple[str, ...]


FAULTS = (  # in the order of the code
    Fault(
        "ragged",
        Text("rows of a ragged batch mixed up", "长短不一的批次里行错位"),
        Text(
            "Three faults are repaired; the rows are still mixed up where lengths differ. requests * (lengths + 1) "
            "assumes "
            "that all earlier requests are as long as this one. In the visible batch, with 3, 1 and 2 draft tokens, "
            "request "
            "1 begins at target row 2 instead of 4, is judged by a row of request 0 and emits [0, -1, -1, -1]. Add "
            "up the "
            "lengths of the earlier requests, and one bonus row for each.",
            "三处错误已修好；各请求不等长时，行仍然错位。requests * (lengths + 1) 假定前面的请求都与这个请求一样长。"
            "可见的批次里草稿词元有 "
            "3、1、2 个，请求 1 从目标行 2 开始，而不是 4，由请求 0 的行来判断，输出 [0, -1, -1, -1]。"
            "应当把前面各请求的长度加起来，"
            "并为每个请求加上一个奖励行。",
        ),
        Text(
            "Where a request's target rows begin doesn't follow from its own length: add up those before it.",
            "一个请求的目标行从哪里开始，与它自己的长度无关：要把前面的加起来。",
        ),
        (),
    ),
    Fault(
        "coins",
        Text("one coin for all positions", "所有位置共用一枚硬币"),
        Text(
            "Three faults are repaired; all draft tokens of a request still meet the coin of its first position. In "
            "the "
            "visible batch request 0 keeps all three, [0, 1, 2, 1], because its first coin is 0.1; the second coin "
            "is 0.9 "
            "and rejects. Each position alone is judged with the right odds, so no test of single positions sees it, "
            "but "
            "the positions are no longer independent. Each draft token has its own coin.",
            "三处错误已修好；同一个请求的所有草稿词元，用的仍是它第一个位置的硬币。可见的批次里，请求 0 "
            "三个都留下了，得到 [0, 1, 2, 1]，"
            "因为它的第一枚硬币是 0.1；而第二枚是 0.9，本该拒绝。单看每个位置，接受的概率都对，"
            "所以只测单个位置的测试看不出来，"
            "但各位置之间不再独立。每个草稿词元都有自己的硬币。",
        ),
        Text(
            "Every position of a request is judged with the coin of its first one.",
            "同一个请求的每个位置，都在用第一个位置的硬币来判断。",
        ),
        ("M16",),
    ),
    Fault(
        "bonus",
        Text("bonus token from the wrong row", "奖励词元取自错误的行"),
        Text(
            "Three faults are repaired; the bonus token still comes from the wrong row. The index is held down to "
            "the last "
            "draft token, so a request that keeps everything draws from the row that judged its last draft token: in "
            "the "
            "visible batch request 2 emits [0, 1, 1, -1] instead of [0, 1, 2, -1]. Without draft tokens the index even "
            "becomes -1, which is another request's row. The bonus row is target row run of the request, also where "
            "run is "
            "its length.",
            "三处错误已修好；奖励词元仍取自错误的行。下标被限制在最后一个草稿词元上，所以全部留下的请求，"
            "是从判断过最后一个草稿词元的那一行抽取："
            "可见的批次里，请求 2 输出 [0, 1, 1, -1]，而不是 [0, 1, 2, -1]。没有草稿词元时，下标甚至成了 -1，"
            "那是别的请求的行。"
            "奖励行就是该请求的第 run 个目标行，run 等于长度时也一样。",
        ),
        Text(
            "A request that keeps everything draws its bonus token from the row of its last draft token.",
            "全部留下的请求，是从最后一个草稿词元的那一行抽取奖励词元。",
        ),
        ("M26",),
    ),
    Fault(
        "in_place",
        Text("residual in the caller's rows", "残差写进了调用者的行"),
        Text(
            "Three faults are repaired; the residual is still written into the caller's target rows. .double() "
            "copies only "
            "where the rows are not float64 yet; else it returns the same tensor, and -= changes it. The tokens look "
            "right, "
            "but whoever reads the rows afterwards finds residuals, and where a residual has no mass, the row to "
            "fall back to "
            "is gone. Change a copy: weights, which an index by a tensor has made.",
            "三处错误已修好；残差仍写进了调用者的目标行。只有行还不是 float64 时，.double() 才会复制；"
            "否则返回的就是同一个张量，-= 会直接改动它。"
            "词元看上去没错，可之后再读这些行的人读到的是残差；残差没有质量时，用作后备的那一行也没了。应当修改副本："
            "用张量取下标得到的 weights。",
        ),
        Text(
            "The residual is subtracted in the caller's own tensor, wherever the rows are float64 already.",
            "只要行已经是 float64，残差就是在调用者自己的张量里减出来的。",
        ),
        ("M44",),
    ),
)
COUNTS = (Text("One fault is", "一处错误"), Text("Two faults are", "两处错误"), Text("Three faults are", "三处错误"))
NOTHING = Text("None of the four faults is repaired yet. ", "四处错误一处也还没有修好。")


def _left_in() -> Iterator[dict[str, Any]]:
    """One mistake for each choice of faults that are left in."""
    for count in range(1, len(FAULTS) + 1):
        for left in itertools.combinations(FAULTS, count):
            yield {
                "id": f"left_{'_and_'.join(fault.id for fault in left)}",
                "name": _name(left),
                "message": left[0].alone if count == 1 else _message(left),
                "blanks": {"body": _body(left)},
                "mutants": left[0].mutants if count == 1 else (),
            }


def _name(left: Sequence[Fault]) -> Text:
    return Text("; ".join(fault.name.en for fault in left), "；".join(fault.name.zh for fault in left))


def _message(left: Sequence[Fault]) -> Text:
    repaired = len(FAULTS) - len(left)
    count = COUNTS[repaired - 1] if repaired else NOTHING
    opening = Text(f"{count.en} repaired. Still there: ", f"{count.zh}已修好。还有：") if repaired else count
    return Text(opening.en + " ".join(fault.among.en for fault in left), opening.zh + "".join(f.among.zh for f in left))


def _body(left: Sequence[Fault]) -> str:
    """The solution's body with these faults' lines as in the start text."""
    (blank,) = tomllib.loads(EXERCISE.read_text("utf-8"))["blanks"]
    faulty, right = blank["start"].strip("\n").split("\n"), _solution_lines()
    lines: list[str] = []
    faults = iter(FAULTS)
    for kind, *ends in difflib.SequenceMatcher(None, faulty, right, autojunk=False).get_opcodes():
        keep = kind == "equal" or next(faults) in left
        lines += faulty[ends[0] : ends[1]] if keep else right[ends[2] : ends[3]]
    return "\n".join(lines)


def _solution_lines() -> list[str]:
    """What stands below the docstring, without its indentation."""
    body = SOLUTION.read_text("utf-8").rsplit('"""\n', 1)[1]
    return [line.removeprefix("    ") for line in body.rstrip("\n").split("\n")]


def _repairs() -> Iterator[dict[str, Any]]:
    """The wrong repairs: the solution with the line `was` replaced by `becomes`."""
    right = "\n".join(_solution_lines())
    for entry in read_mistakes(HERE.with_suffix(".toml")):
        was, becomes = entry.pop("was"), entry.pop("becomes")
        if right.split("\n").count(was) != 1:
            raise ValueError(f"mistake {entry['id']}: the solution has no single line {was!r}")
        yield entry | {"blanks": {"body": right.replace(was, becomes)}}


MISTAKES: list[dict[str, Any]] = [*_left_in(), *_repairs()]
