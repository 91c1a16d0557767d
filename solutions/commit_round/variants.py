"""Fresh numbers for the exercise: a round with a rejection, whose draft may hold the end-of-text token."""
from __future__ import annotations

import random
from typing import Any

from exercises.expect import Text
from solutions.commit_round.solution import commit_round
from solutions.variant import Field, Variant

EOS = 0
PADDING = -1
Slips = tuple[tuple[float, Text], ...]


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time, right values from the solution."""
    rng = random.Random(seed)
    computed, drafts = rng.randint(20, 90), rng.randint(3, 6)
    accepted = rng.randint(1, drafts - 1)
    draft = rng.sample(range(1, 30), drafts)
    output = [rng.randint(30, 60) for _ in range(rng.randint(1, 5))]
    if rng.random() < 0.5:
        draft[rng.randrange(drafts)] = EOS
    row = [*draft[:accepted], rng.randint(61, 90)] + [PADDING] * (drafts - accepted + rng.randint(0, 2))
    limit = len(output) + rng.randint(1, drafts)
    after = commit_round(computed, output, draft, row, EOS, limit)
    return Variant(seed, _question(computed, output, draft, row, limit), _fields(after, computed, drafts, len(row)))


def _fields(after: dict[str, Any], computed: int, drafts: int, row: int) -> tuple[Field, ...]:
    sampled, emitted = after["num_sampled"], len(after["emitted"])
    valid, stop = after["stale_slots"]
    right = after["num_computed_tokens"]
    return (
        Field("rejected", _REJECTED, drafts + 1 - sampled, _rejected_slips(sampled, drafts, row)),
        Field("computed", _COMPUTED, right, _computed_slips(right, computed, drafts, emitted)),
        Field("emitted", _EMITTED, emitted, ((sampled, _NOT_CUT), (sampled - 1, _ACCEPTED), (row, _PADDED))),
        Field("valid", _VALID, valid, _valid_slips(computed, emitted, right, stop)),
        Field("stale", _STALE, stop - valid, ((0, _ERASED), (drafts + 1 - sampled, _REJECTED_ONLY))),
    )


def _rejected_slips(sampled: int, drafts: int, row: int) -> Slips:
    return ((drafts - sampled, _ONE_SHORT), (sampled - 1, _ACCEPTED), (row - sampled, _PADDING), (1, _FIRST_ONLY))


def _computed_slips(right: int, computed: int, drafts: int, emitted: int) -> Slips:
    optimistic = computed + drafts + 1
    return ((optimistic, _OPTIMISTIC), (computed + emitted, _CUT), (right - 1, _NEWEST), (right + 1, _NO_KV_YET))


def _valid_slips(computed: int, emitted: int, right: int, stop: int) -> Slips:
    return ((stop, _WRITTEN), (right, _DROPPED), (computed + 1 + emitted, _ALL_TOKENS), (computed, _BEFORE))


def _question(computed: int, output: list[int], draft: list[int], row: list[int], limit: int) -> Text:
    return Text(
        f"Before the round {computed} positions are computed and the output is {output}. The draft tokens are {draft}, "
        f"the verifier's row is {row}; token {EOS} ends the text, and max_new_tokens is {limit}. By hand: how many "
        "draft tokens were rejected, what is num_computed_tokens afterwards, how many tokens does this round emit, "
        "how many slots are valid, and how many stale?",
        f"这一轮之前已计算 {computed} 个位置，已有输出 {output}。草稿词元是 {draft}，验证步给出的行是 {row}；"
        f"词元 {EOS} 终止文本，max_new_tokens 是 {limit}。请手算：有几个草稿词元被拒绝？之后 num_computed_tokens "
        "是多少？这一轮输出几个词元？有效槽位有几个，失效槽位有几个？",
    )


_REJECTED = Text("Rejected draft tokens", "被拒绝的草稿词元数")
_COMPUTED = Text("num_computed_tokens after the round", "这一轮之后的 num_computed_tokens")
_EMITTED = Text("Tokens that the round emits", "这一轮输出的词元数")
_VALID = Text("Valid slots", "有效槽位数")
_STALE = Text("Stale slots", "失效槽位数")
_ONE_SHORT = Text(
    "one of the sampled tokens is no draft token; how many draft tokens were accepted?",
    "采到的词元里有一个不是草稿词元；被接受的草稿词元有几个？",
)
_ACCEPTED = Text("that is how many draft tokens were accepted", "这是被接受的草稿词元数")
_PADDING = Text(
    "that is the padding, which depends on the batch's longest row; count against this request's own draft tokens",
    "这是填充的个数，取决于批次里最长的一行；要对照这个请求自己的草稿词元来数",
)
_FIRST_ONLY = Text(
    "the draft tokens behind the first rejected one are rejected too",
    "第一个被拒绝的之后，草稿词元也都作废",
)
_OPTIMISTIC = Text("that is the optimistic count; take the rejected ones off", "这是乐观计数；还要减去被拒绝的")
_CUT = Text(
    "that counts what was emitted; this number is the verifier's and knows nothing of the cut",
    "这是按输出的个数算的；可这个数是验证步的账，与截断无关",
)
_NEWEST = Text("the newest token got its K/V in this round too", "最新的词元也在这一轮得到了 K/V")
_NO_KV_YET = Text("the token sampled last has no K/V yet", "最后采到的词元还没有 K/V")
_NOT_CUT = Text(
    "that is all that was sampled; does the text end, or the limit come, before that?",
    "这是采到的全部；在那之前文本是否结束，或已到上限？",
)
_PADDED = Text("padding is not emitted", "填充不会输出")
_WRITTEN = Text("that counts all that was written, stale slots too", "这把写过的都算进去了，包括失效的槽位")
_DROPPED = Text(
    "accepted tokens that were cut off are no part of the text; their slots are not valid",
    "被截掉的词元即使接受过也不属于文本，其槽位无效",
)
_ALL_TOKENS = Text("the newest token has no valid slot yet", "最新的词元还没有有效的槽位")
_BEFORE = Text("that was before the round", "这是这一轮之前的")
_ERASED = Text("nothing is erased by a rejection", "拒绝不会擦除任何东西")
_REJECTED_ONLY = Text(
    "slots of accepted tokens that were cut off are stale too",
    "被截掉的词元即使接受过，其槽位也失效",
)
