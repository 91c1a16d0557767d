"""Fresh lengths for the exercise: where the rows of a ragged batch lie, and where a request's tokens come from."""
from __future__ import annotations

import random

from exercises.expect import Text
from solutions.variant import Field, Variant

Slips = tuple[tuple[float, Text], ...]

ASKED = 2  # the request that is asked about; two others lie before it, one behind
JUDGED = 1  # the position of the draft token that is asked about


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time."""
    rng = random.Random(seed)
    before, length, behind = [rng.randint(1, 4), rng.randint(0, 3)], rng.randint(3, 5), rng.randint(1, 3)
    rng.shuffle(before)
    rejected = rng.randrange(1, length)
    draft_start = sum(before)
    target_start = draft_start + ASKED
    fields = (
        Field("rows", _ROWS, sum(before) + length + behind + ASKED + 2, _row_slips(before, length, behind)),
        Field("start", _START, target_start, _start_slips(before, draft_start)),
        Field("judge", _JUDGE, target_start + JUDGED, _judge_slips(target_start, draft_start)),
        Field("emitted", _EMITTED, rejected + 1, ((rejected, _NO_LAST), (rejected + 2, _BOTH), (length + 1, _NO_STOP))),
        Field("last", _LAST, target_start + rejected, _last_slips(target_start, draft_start, rejected, length)),
    )
    return Variant(seed, _question([*before, length, behind], rejected), fields)


def _row_slips(before: list[int], length: int, behind: int) -> Slips:
    drafts, longest = sum(before) + length + behind, max(*before, length, behind)
    return (drafts, _NO_BONUS), (drafts + 1, _ONE_BONUS), (4 * (longest + 1), _PADDED)


def _start_slips(before: list[int], draft_start: int) -> Slips:
    return (
        (draft_start, _DRAFT_STRIDE),
        (draft_start + ASKED + 1, _OWN_BONUS),
        (ASKED * (before[0] + 1), _EQUAL_LENGTHS),
        (ASKED, _REQUEST_NUMBER),
    )


def _judge_slips(target_start: int, draft_start: int) -> Slips:
    return (
        (target_start + JUDGED + 1, _ONE_LATE),
        (target_start, _FIRST_ROW),
        (draft_start + JUDGED, _DRAFT_STRIDE),
        (JUDGED, _POSITION_ONLY),
    )


def _last_slips(target_start: int, draft_start: int, rejected: int, length: int) -> Slips:
    return (
        (target_start + length, _NOT_THE_BONUS),
        (target_start + rejected + 1, _ROW_BEHIND),
        (target_start + rejected - 1, _ROW_BEFORE),
        (draft_start + rejected, _DRAFT_STRIDE),
    )


def _question(lengths: list[int], rejected: int) -> Text:
    listed = ", ".join(map(str, lengths))
    return Text(
        f"Four requests have {listed} draft tokens; their rows lie flat, request after request, all counted from 0. By "
        f"hand: how many target rows are there? For request {ASKED}: with which target row does it begin, and which "
        f"judges its draft token at position {JUDGED}? Its draft tokens before position {rejected} are accepted, that "
        f"at position {rejected} is rejected: how many tokens does it emit, and from which target row is the draft row "
        "taken off for the last of them?",
        f"四个请求的草稿词元个数分别是 {listed}；它们的行平铺在一起，一个请求接一个请求，都从 0 数起。请手算：一共有"
        f"多少个目标行？对请求 {ASKED}：它从哪个目标行开始？位置 {JUDGED} 上的草稿词元由哪个目标行判断？它在"
        f"位置 {rejected} 之前的草稿词元都被接受，位置 {rejected} 上的被拒绝：它一共输出几个词元？"
        "求最后一个词元时，是从哪个目标行减去草稿行？",
    )


_ROWS = Text("Number of target rows", "目标行的个数")
_START = Text(f"First target row of request {ASKED}", f"请求 {ASKED} 的第一个目标行")
_JUDGE = Text(f"Target row that judges position {JUDGED}", f"判断位置 {JUDGED} 的目标行")
_EMITTED = Text(f"Tokens that request {ASKED} emits", f"请求 {ASKED} 输出的词元个数")
_LAST = Text("Target row of its last token", "最后一个词元所用的目标行")
_NO_BONUS = Text(
    "that is the number of draft rows; each request has a bonus row as well",
    "这是草稿行的个数；每个请求还有一个奖励行",
)
_ONE_BONUS = Text(
    "each request has a bonus row, not the batch as a whole",
    "每个请求都有一个奖励行，而不是整个批次只有一个",
)
_PADDED = Text(
    "nothing is padded here: add up what each request really has",
    "这里没有补齐：把每个请求实际的行数加起来",
)
_DRAFT_STRIDE = Text(
    "that counts draft rows; among the target rows there is a bonus row more for each earlier request",
    "这是按草稿行数的；在目标行里，前面每个请求还要多一个奖励行",
)
_OWN_BONUS = Text(
    "only the bonus rows of earlier requests lie before it; its own comes last",
    "排在它前面的只有前面各请求的奖励行；它自己的奖励行在最后",
)
_EQUAL_LENGTHS = Text(
    "that assumes equal lengths; add up those of the earlier requests",
    "这假定各请求等长；应把前面各请求的长度加起来",
)
_REQUEST_NUMBER = Text("that is the number of the request, not of a row", "这是请求的编号，不是行号")
_ONE_LATE = Text(
    "that row says what comes after the token; a draft token is judged by the row at its own position",
    "那一行说的是这个词元之后出什么；判断草稿词元的行，就在它自己的位置上",
)
_FIRST_ROW = Text("that is position 0; positions count from 0", "那是位置 0；位置从 0 数起")
_POSITION_ONLY = Text(
    "that is the row within the request; add where the request begins",
    "这是在请求内部的行号；还要加上请求开始的位置",
)
_NO_LAST = Text("one more token follows the accepted ones", "被接受的词元之后，还要再输出一个")
_BOTH = Text("the rejected draft token itself is not emitted", "被拒绝的草稿词元本身不输出")
_NO_STOP = Text("the request stops at its first rejection", "请求在第一次拒绝处停下")
_NOT_THE_BONUS = Text(
    "that is the bonus row, for a request that keeps everything",
    "那是奖励行，只有全部留下的请求才用它",
)
_ROW_BEHIND = Text(
    "that row is one late; it is the row that judged the rejected token",
    "偏后了一行；应是判断被拒绝词元的那一行",
)
_ROW_BEFORE = Text(
    "that row judged the last accepted token; take the next one",
    "那一行判断的是最后一个被接受的词元；应取下一行",
)
