"""The visible checks of the exercise: one round with a rejection, part by part, and one that ends the request."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exercises.expect import Answer, Text, call, is_close

EOS = 2
WORKED = (10, [21, 34], [5, 7, 8], [5, 9, -1, -1], EOS, 16)
ENDED = (10, [21, 34], [5, EOS, 8], [5, EOS, 8, 9], EOS, 16)


def numbers_of_the_worked_round(commit_round: Callable[..., Any]) -> None:
    _number(commit_round, "num_sampled", 2, _SAMPLED)
    _number(commit_round, "num_rejected", 2, _REJECTED)
    _number(commit_round, "num_computed_tokens", 12, _COMPUTED)


def output_of_the_worked_round(commit_round: Callable[..., Any]) -> None:
    _entry(commit_round, WORKED, "emitted").equals([5, 9], _EMITTED)
    reason = _entry(commit_round, WORKED, "finish_reason")
    reason.holds(reason.value is None, "None", _GOES_ON)


def slots_of_the_worked_round(commit_round: Callable[..., Any]) -> None:
    _entry(commit_round, WORKED, "valid_slots").equals((0, 12), _VALID)
    _entry(commit_round, WORKED, "stale_slots").equals((12, 14), _STALE)
    _entry(commit_round, WORKED, "next_slots").equals((12, 16), _NEXT)


def penalty_counts_of_the_worked_round(commit_round: Callable[..., Any]) -> None:
    want = {21: 1, 34: 1, 5: 1, 9: 1}
    counts = _entry(commit_round, WORKED, "counts")
    same = isinstance(counts.value, dict) and counts.value.keys() == want.keys()
    counts.holds(same and all(is_close(counts.value[token], 1, 0.0) for token in want), str(want), _COUNTS)


def end_of_text_among_the_accepted(commit_round: Callable[..., Any]) -> None:
    _entry(commit_round, ENDED, "emitted").equals([5, EOS], _CUT)
    reason = _entry(commit_round, ENDED, "finish_reason")
    reason.holds(isinstance(reason.value, str) and reason.value == "eos", "'eos'", _CUT)


def _number(function: Callable[..., Any], key: str, want: int, why: Text) -> None:
    answer = _entry(function, WORKED, key)
    answer.holds(is_close(answer.value, want, 0.0), str(want), why)


def _entry(function: Callable[..., Any], arguments: tuple[Any, ...], key: str) -> Answer:
    """One entry of the dict that the function returns."""
    answer = call(function, *arguments)
    answer.holds(isinstance(answer.value, dict) and key in answer.value, f'{{"{key}": …, …}}', _DICT)
    return Answer(f'{answer.called}["{key}"]', answer.value[key])


_DICT = Text(
    "the function returns a dict with the keys that its docstring names",
    "函数要返回一个字典，键是文档字符串里列出的那些",
)
_SAMPLED = Text(
    "the row holds the accepted draft token 5 and the resampled token 9; -1 is only padding",
    "这一行有被接受的草稿词元 5 和重采样的词元 9；-1 只是填充",
)
_REJECTED = Text(
    "of the draft tokens 5, 7 and 8 only 5 was accepted; 7 was rejected, and 8 fell with it",
    "草稿词元 5、7、8 里只有 5 被接受；7 被拒绝，8 也随之作废",
)
_COMPUTED = Text(
    "10 positions before the round, 4 more as if every draft token stayed, less the 2 rejected",
    "这一轮之前是 10 个位置，先按草稿词元全部留下加上 4 个，再减去被拒绝的 2 个",
)
_EMITTED = Text(
    "what the verifier sampled is emitted, in this order, as long as nothing ends the request",
    "只要请求没有结束，验证步采到的词元就依次输出",
)
_GOES_ON = Text(
    "no end-of-text token was emitted and 16 tokens are allowed, so the request goes on",
    "没有输出终止词元，而且允许输出 16 个词元，所以请求继续",
)
_VALID = Text(
    "slots 0 to 9 were filled before; 10 holds the K/V of token 34 and 11 that of token 5, which stays; token 9 was "
    "sampled only now and has no K/V yet",
    "槽位 0 到 9 早已填好；10 存着词元 34 的 K/V，11 存着留下来的词元 5 的 K/V；词元 9 刚刚采到，还没有 K/V",
)
_STALE = Text(
    "slots 12 and 13 hold the K/V of the draft tokens 7 and 8, which are no part of the text; nothing erases them",
    "槽位 12 和 13 存着草稿词元 7 和 8 的 K/V，它们不属于文本；没有人去擦除",
)
_NEXT = Text(
    "the next round runs over token 9, whose position is 12, and over 3 new draft tokens",
    "下一轮要跑的是位置为 12 的词元 9，以及 3 个新的草稿词元",
)
_COUNTS = Text(
    "emitted so far are 21, 34, 5 and 9, once each; 7 and 8 were only proposed",
    "到现在为止输出了 21、34、5、9 各一次；7 和 8 只是提议过",
)
_CUT = Text(
    "token 2 ends the text: it is emitted, and the accepted 8 and the bonus token 9 behind it are dropped",
    "词元 2 表示文本结束：它自己要输出，而它后面已接受的 8 和奖励词元 9 都要丢掉",
)
