"""Fresh lengths for the exercise: which rows and coins the faulty lines read, and which they should."""
from __future__ import annotations

import random

from exercises.expect import Text
from solutions.variant import Field, Variant

ASKED = 1  # the request that is asked about; one lies before it, one behind
POSITION = 1  # of the draft token whose coin is asked for


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time."""
    rng = random.Random(seed)
    before, behind = rng.randint(2, 5), rng.randint(0, 4)
    length = rng.choice([other for other in range(2, 6) if other != before])
    read, right = ASKED * (length + 1), before + 1
    fields = (
        Field("read", _READ, read, ((right, _RIGHT_ALREADY), (length, _NO_BONUS_ROW))),
        Field("right", _RIGHT, right, ((before, _DRAFT_ROWS), (read, _STILL_EQUAL), (ASKED, _NUMBER))),
        Field("coin", _COIN, before + POSITION, _coin_slips(before)),
        Field("bonus", _BONUS, right + length, _bonus_slips(right, length)),
        Field("taken", _TAKEN, right + length - 1, ((right + length, _NOT_CLAMPED), (length - 1, _WITHOUT_START))),
    )
    return Variant(seed, _question([before, length, behind]), fields)


def _coin_slips(before: int) -> tuple[tuple[float, Text], ...]:
    return (before, _FIRST_COIN), (POSITION, _OF_REQUEST_0), (before + 1 + POSITION, _COINS_HAVE_NO_BONUS)


def _bonus_slips(right: int, length: int) -> tuple[tuple[float, Text], ...]:
    return (right + length - 1, _LAST_JUDGE), (right + length + 1, _NEXT_REQUEST), (length, _WITHOUT_START)


def _question(lengths: list[int]) -> Text:
    listed = ", ".join(map(str, lengths))
    return Text(
        f"Three requests have {listed} draft tokens; everything is counted from 0. For request {ASKED}: which number "
        f"does "
        "requests * (lengths + 1) give as its first target row, and which is right? Which entry of coins judges its "
        "draft "
        f"token at position {POSITION}? It keeps all its draft tokens: which target row is its bonus row, and which "
        f"one does "
        "the right start plus torch.minimum(run, lengths - 1) give?",
        f"三个请求的草稿词元个数分别是 {listed}；全部从 0 数起。对请求 {ASKED}：requests * (lengths + 1) "
        f"给出的第一个目标行是几？"
        f"正确的是几？判断它在位置 {POSITION} 上的草稿词元，用 coins 的第几项？它的草稿词元全部留下："
        f"奖励行是哪个目标行？"
        "正确的起点加上 torch.minimum(run, lengths - 1)，得到的又是哪一行？",
    )


_READ = Text("First target row by the faulty line", "错误的那行给出的第一个目标行")
_RIGHT = Text("First target row", "第一个目标行")
_COIN = Text("Entry of coins", "coins 的第几项")
_BONUS = Text("Bonus row", "奖励行")
_TAKEN = Text("Row that the clamped index takes", "受限的下标取到的行")
_RIGHT_ALREADY = Text("that is the right row; which one does the line give?", "这是正确的行；那一行代码给出的是哪个？")
_NO_BONUS_ROW = Text("the line adds 1 to each length", "那一行代码给每个长度加了 1")
_DRAFT_ROWS = Text("the request before has a bonus row as well", "前面的请求还有一个奖励行")
_STILL_EQUAL = Text(
    "that is what the faulty line gives; it counts the request's own length instead of the one before",
    "这是错误的那行给出的；它数的是自己的长度，而不是前面请求的长度",
)
_NUMBER = Text("that is the number of the request", "这是请求的编号")
_FIRST_COIN = Text("that is the coin of its first position", "这是它第一个位置的硬币")
_OF_REQUEST_0 = Text(
    "that coin belongs to request 0; add where the request begins",
    "这枚硬币属于请求 0；还要加上请求开始的位置",
)
_COINS_HAVE_NO_BONUS = Text(
    "coins lie as the draft tokens do; a bonus row has none",
    "coins 的排列与草稿词元相同；奖励行没有硬币",
)
_LAST_JUDGE = Text(
    "that row judged its last draft token; the next one is meant",
    "那一行判断的是最后一个草稿词元；应是下一行",
)
_NEXT_REQUEST = Text("that row belongs to the next request", "那一行属于下一个请求")
_WITHOUT_START = Text(
    "that is the row within the request; add where it begins",
    "这是在请求内部的行号；还要加上它开始的位置",
)
_NOT_CLAMPED = Text(
    "that is the bonus row; the smaller of run and lengths - 1 is one less",
    "那是奖励行；run 与 lengths - 1 中较小的，要少 1",
)
