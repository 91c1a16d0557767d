"""The visible checks of the exercise: two models of two tokens, with runs that can be followed by hand."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exercises.expect import Answer, Text, call

Function = Callable[..., Any]

TARGET = [[0.5, 0.5], [0.25, 0.75]]
DRAFT = [[0.75, 0.25], [0.5, 0.5]]
SPARE = [0.15, 0.45, 0.7, 0.35, 0.85, 0.6, 0.05, 0.55, 0.25, 0.75]  # more uniforms than a right answer takes
ACCEPTED = [0.8, 0.3, 0.9, 0.4, 0.6, *SPARE]
REJECTED = [0.2, 0.9, 0.9, 0.1, 0.3, 0.1, 0.7, 0.6, 0.2, *SPARE]


def drafts_accepted_and_a_bonus(speculative_generate: Function) -> None:
    _text(speculative_generate, None, ACCEPTED).tokens([1, 0, 1], _ACCEPTED)


def a_rejection_ends_its_round(speculative_generate: Function) -> None:
    _text(speculative_generate, None, REJECTED).tokens([1, 1, 0], _REJECTED)


def the_target_runs_once_a_round(speculative_generate: Function) -> None:
    _, passes = call(speculative_generate, TARGET, DRAFT, [0], 2, 3, None, ACCEPTED).parts(2, _PAIR)
    passes.equals(1, _ONE_PASS)
    _, passes = call(speculative_generate, TARGET, DRAFT, [0], 2, 3, None, REJECTED).parts(2, _PAIR)
    passes.equals(3, _THREE_PASSES)


def the_text_ends_with_the_end_token(speculative_generate: Function) -> None:
    _text(speculative_generate, 0, ACCEPTED).tokens([1, 0], _ENDED)


def _text(function: Function, eos: int | None, uniforms: list[float]) -> Answer:
    tokens, _ = call(function, TARGET, DRAFT, [0], 2, 3, eos, uniforms).parts(2, _PAIR)
    return tokens


_PAIR = Text(
    "the function returns (tokens, passes): a list of token ids, and a number",
    "函数要返回 (tokens, passes)：词元编号的列表，以及一个整数",
)
_ACCEPTED = Text(
    "0.8 drafts token 1 after 0, and 0.3 drafts token 0 after 1; the coins 0.9 and 0.4 keep both; the bonus row is the "
    "target's after 0, and 0.6 draws token 1 from it",
    "0.8 在词元 0 之后起草词元 1，0.3 在词元 1 之后起草词元 0；0.9 和 0.4 让两个都留下；奖励行是目标在词元 0 之后的行，"
    "0.6 从中抽出词元 1",
)
_REJECTED = Text(
    "drafts 0 and 1; 0.9 * 0.75 is not below 0.5, so the first is rejected, its residual has only token 1, and the "
    "second is discarded; the next round drafts one token, 0, rejects it as well, and the last round drafts none",
    "草稿为 0 和 1；0.9 * 0.75 不小于 0.5，所以第一个被拒绝，残差里只有词元 1，第二个作废；下一轮只起草一个词元 0，"
    "也被拒绝；最后一轮不起草",
)
_ONE_PASS = Text(
    "one round: one pass of the target over the prompt and both drafts gives all three rows",
    "只有一轮：目标模型对提示词和两个草稿做一次前向，就给出全部三行",
)
_THREE_PASSES = Text(
    "three rounds, so three passes of the target",
    "一共三轮，所以目标模型运行三次",
)
_ENDED = Text(
    "token 0 ends the text: it stays, and the bonus token after it is dropped",
    "词元 0 结束文本：它自己留下，它后面的奖励词元丢掉",
)
