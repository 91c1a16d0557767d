"""Why each entry has to be what it is: the sentences of the hidden checks."""
from __future__ import annotations

from exercises.expect import Text

WHY = {
    "num_sampled": Text(
        "the row holds what was sampled, then padding; count up to the padding",
        "这一行先是采到的词元，然后是填充；数到填充为止",
    ),
    "num_rejected": Text(
        "one row was scheduled for each draft token and one more; those that brought no token were rejected",
        "每个草稿词元调度了一行，另外还有一行；没有带来词元的那些就是被拒绝的",
    ),
    "num_computed_tokens": Text(
        "the positions noted before the round ran, less the rejected ones; a cut of the output changes nothing here",
        "这一轮运行之前记下的位置数，减去被拒绝的；输出被截断与此无关",
    ),
    "emitted": Text(
        "sampled tokens are emitted in order, up to the end-of-text token, which is kept, or up to the limit",
        "采到的词元依次输出，直到终止词元（它自己留下）或达到上限为止",
    ),
    "finish_reason": Text(
        "the last emitted token gives the reason: 'eos' if it ends the text, else 'length' if it reaches the limit, "
        "else None",
        "原因取决于最后一个输出的词元：它终止文本就是 'eos'，否则达到上限就是 'length'，否则是 None",
    ),
    "output_tokens": Text(
        "the tokens emitted before, then those of this round",
        "先是以前输出的词元，再是这一轮输出的",
    ),
    "valid_slots": Text(
        "a slot is valid if its K/V was computed and its token belongs to the text; the newest token has no K/V yet",
        "一个槽位有效，是指它的 K/V 已算出，而且它的词元属于文本；最新的词元还没有 K/V",
    ),
    "stale_slots": Text(
        "what this round wrote behind the valid slots is stale: the K/V of rejected and of dropped tokens",
        "这一轮写在有效槽位之后的都已失效：那是被拒绝的和被丢掉的词元的 K/V",
    ),
    "next_slots": Text(
        "the next round runs over the newest token, which sits right behind the valid slots, and over K draft tokens; "
        "an ended request has no next round",
        "下一轮要跑最新的词元（它紧跟在有效槽位之后）和 K 个草稿词元；已结束的请求没有下一轮",
    ),
    "counts": Text(
        "a penalty counts each token that was emitted, so far and in this round, and nothing else",
        "惩罚项只计输出过的词元，包括以前的和这一轮的，别的都不计",
    ),
}
DICT = Text(
    "the function returns a dict with the keys that its docstring names",
    "函数要返回一个字典，键是文档字符串里列出的那些",
)
NOT_STALE = Text(
    "exactly these slots hold the K/V of the request's own tokens; a slot more would read what a rejected or dropped "
    "token left there, a slot less would lose what is computed",
    "恰好这些槽位存着请求自己的词元的 K/V；多一个就会读到被拒绝或被丢掉的词元留下的内容，少一个就白算了",
)
ADDS_UP = Text(
    "while the request goes on, all its tokens but the newest are computed; what the round wrote beyond them is stale",
    "只要请求没有结束，除最新的词元以外都已计算；这一轮写得更远的都已失效",
)
UNCHANGED = Text(
    "the caller still needs its lists as they were",
    "调用者之后还要用这些列表，不能改动",
)
