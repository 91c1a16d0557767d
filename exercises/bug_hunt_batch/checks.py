"""The visible checks of the exercise: the only test that the code came with, and a ragged batch worked by hand."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exercises.expect import Answer, Text, call

# Three requests with 3, 1 and 2 draft tokens.
LENGTHS = [3, 1, 2]
DRAFT_TOKENS = [0, 1, 2, 2, 0, 1]
TARGET_ROWS = [
    [0.6, 0.3, 0.1],  # request 0: judges token 0
    [0.2, 0.2, 0.6],  # judges token 1
    [0.5, 0.3, 0.2],  # judges token 2
    [0.1, 0.8, 0.1],  # its bonus row
    [0.2, 0.2, 0.6],  # request 1: judges token 2
    [0.7, 0.2, 0.1],  # its bonus row
    [0.6, 0.2, 0.2],  # request 2: judges token 0
    [0.1, 0.5, 0.4],  # judges token 1
    [0.3, 0.1, 0.6],  # its bonus row
]
DRAFT_ROWS = [
    [0.5, 0.3, 0.2],  # request 0: token 0 was drawn from it
    [0.1, 0.8, 0.1],  # token 1
    [0.3, 0.5, 0.2],  # token 2
    [0.3, 0.3, 0.4],  # request 1: token 2
    [0.5, 0.3, 0.2],  # request 2: token 0
    [0.3, 0.4, 0.3],  # token 1
]
COINS = [0.1, 0.9, 0.5, 0.8, 0.3, 0.7]
FINAL_DRAWS = [0.5, 0.3, 0.5]


def the_test_that_it_came_with(bug_hunt_batch: Callable[..., Any]) -> None:
    """Two requests with one draft token each, both rejected."""
    tokens, counts = _verified(
        bug_hunt_batch,
        [1, 0],
        [[0.2, 0.3, 0.5], [0.4, 0.3, 0.3], [0.1, 0.5, 0.4], [0.2, 0.4, 0.4]],
        [[0.1, 0.8, 0.1], [0.6, 0.2, 0.2]],
        [1, 1],
        [0.75, 0.5],
        [0.375, 0.25],
    )
    tokens.tokens([[2, -1], [1, -1]], _CAME_WITH)
    counts.tokens([1, 1], _COUNTS)


def three_requests(bug_hunt_batch: Callable[..., Any]) -> None:
    tokens, counts = _verified(bug_hunt_batch, DRAFT_TOKENS, TARGET_ROWS, DRAFT_ROWS, LENGTHS, COINS, FINAL_DRAWS)
    tokens.tokens([[0, 2, -1, -1], [2, 0, -1, -1], [0, 1, 2, -1]], _THREE)
    counts.tokens([2, 2, 3], _COUNTS)


def _verified(bug_hunt_batch: Callable[..., Any], *batch: list[Any]) -> tuple[Answer, ...]:
    """Call with the lists as tensors; the tokens and the counts."""
    import torch

    draft_tokens, target_rows, draft_rows, lengths, coins, final_draws = batch
    answer = call(
        bug_hunt_batch,
        torch.tensor(draft_tokens),
        torch.tensor(target_rows, dtype=torch.float64),
        torch.tensor(draft_rows, dtype=torch.float64),
        torch.tensor(lengths),
        torch.tensor(coins, dtype=torch.float64),
        torch.tensor(final_draws, dtype=torch.float64),
    )
    return answer.parts(2, _RESULTS)


_RESULTS = Text("the function returns (tokens, counts)", "函数要返回 (tokens, counts)")
_CAME_WITH = Text(
    "both draft tokens are rejected; the residuals [1/5, 0, 4/5] and [0, 3/5, 2/5] then give 2 and 1",
    "两个草稿词元都被拒绝；随后残差 [1/5, 0, 4/5] 与 [0, 3/5, 2/5] 分别给出 2 和 1",
)
_THREE = Text(
    "request 0 keeps token 0, rejects token 1 (0.9 * 0.8 is not below 0.2) and draws 2 from [1/6, 0, 5/6]; request 1 "
    "keeps token 2 and draws 0 from its bonus row; request 2 keeps both and draws 2 from its bonus row",
    "请求 0 留下词元 0，拒绝词元 1（0.9 * 0.8 不小于 0.2），从 [1/6, 0, 5/6] 抽到 2；请求 1 留下词元 2，"
    "再从奖励行抽到 0；"
    "请求 2 两个都留下，再从奖励行抽到 2",
)
_COUNTS = Text(
    "counts says how many tokens each request emits: the draft tokens that stay, and one more",
    "counts 是每个请求输出的词元个数：留下的草稿词元，再加一个",
)
