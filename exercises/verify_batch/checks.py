"""The visible checks of the exercise: three requests with 3, 0 and 1 draft tokens, worked by hand in the prompt."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exercises.expect import Answer, Text, call

LENGTHS = [3, 0, 1]
DRAFT_TOKENS = [1, 2, 0, 3]
TARGET_ROWS = [
    [0.1, 0.6, 0.2, 0.1],  # request 0: judges token 1
    [0.2, 0.3, 0.1, 0.4],  # judges token 2
    [0.6, 0.1, 0.2, 0.1],  # judges token 0
    [0.2, 0.1, 0.6, 0.1],  # its bonus row
    [0.4, 0.3, 0.2, 0.1],  # request 1: only a bonus row
    [0.1, 0.1, 0.2, 0.6],  # request 2: judges token 3
    [0.2, 0.2, 0.4, 0.2],  # its bonus row
]
DRAFT_ROWS = [
    [0.3, 0.4, 0.2, 0.1],  # request 0: token 1 was drawn from it
    [0.1, 0.3, 0.4, 0.2],  # token 2
    [0.5, 0.2, 0.2, 0.1],  # token 0
    [0.2, 0.2, 0.2, 0.4],  # request 2: token 3
]
COINS = [0.9, 0.5, 0.3, 0.8]
FINAL_DRAWS = [0.4, 0.6, 0.5]


def three_requests(verify_batch: Callable[..., Any]) -> None:
    tokens, counts = _verified(verify_batch, LENGTHS, COINS)
    tokens.tokens([[1, 3, -1, -1], [1, -1, -1, -1], [3, 2, -1, -1]], _THREE)
    counts.tokens([2, 1, 2], _COUNTS)


def three_requests_all_accepted(verify_batch: Callable[..., Any]) -> None:
    tokens, counts = _verified(verify_batch, LENGTHS, [0.0, 0.0, 0.0, 0.0])
    tokens.tokens([[1, 2, 0, 2], [1, -1, -1, -1], [3, 2, -1, -1]], _ALL)
    counts.tokens([4, 1, 2], _COUNTS)


def first_request_alone(verify_batch: Callable[..., Any]) -> None:
    tokens, counts = _verified(verify_batch, LENGTHS[:1], COINS)
    tokens.tokens([[1, 3, -1, -1]], _ALONE)
    counts.tokens([2], _COUNTS)


def _verified(verify_batch: Callable[..., Any], lengths: list[int], coins: list[float]) -> tuple[Answer, ...]:
    """Call with the first requests of the worked batch, as many as there are lengths; the tokens and the counts."""
    import torch

    requests, drafts = len(lengths), sum(lengths)
    answer = call(
        verify_batch,
        torch.tensor(DRAFT_TOKENS[:drafts]),
        torch.tensor(TARGET_ROWS[: drafts + requests], dtype=torch.float64),
        torch.tensor(DRAFT_ROWS[:drafts], dtype=torch.float64),
        torch.tensor(lengths),
        torch.tensor(coins[:drafts], dtype=torch.float64),
        torch.tensor(FINAL_DRAWS[:requests], dtype=torch.float64),
    )
    return answer.parts(2, _RESULTS)


_RESULTS = Text(
    "the function returns (tokens, counts)",
    "函数要返回 (tokens, counts)",
)
_THREE = Text(
    "request 0 keeps token 1, rejects token 2 (0.5 * 0.4 is not below 0.1) and draws 3 from [1/3, 0, 0, 2/3]; request "
    "1 draws 1 from its only row; request 2 keeps token 3 and draws 2 from its bonus row",
    "请求 0 留下词元 1，拒绝词元 2（0.5 * 0.4 不小于 0.1），从 [1/3, 0, 0, 2/3] 抽到 3；请求 1 从它唯一的一行抽到 1；"
    "请求 2 留下词元 3，再从奖励行抽到 2",
)
_ALL = Text(
    "with coins of 0 every draft token stays, and each request draws one more token from its own bonus row",
    "硬币全为 0 时，每个草稿词元都留下，每个请求再从自己的奖励行抽一个词元",
)
_ALONE = Text(
    "a request gives the same tokens alone as in a batch; the result is still two-dimensional",
    "一个请求单独验证与放在批次里，结果相同；返回的仍是二维张量",
)
_COUNTS = Text(
    "counts says how many tokens each request emits: the draft tokens that stay, and one more",
    "counts 是每个请求输出的词元个数：留下的草稿词元，再加一个",
)
