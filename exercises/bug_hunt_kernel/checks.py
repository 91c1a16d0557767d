"""The visible checks of the exercise: two ordinary rounds. The code that is handed out passes the first of them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from exercises.expect import Text, call

DRAFT_TOKENS = np.array([1, 0])
TARGET_ROWS = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1]])
DRAFT_ROWS = np.array([[0.3, 0.6, 0.1], [0.6, 0.2, 0.2]])


def ordinary_rejection(bug_hunt_kernel: Callable[..., Any]) -> None:
    arguments = (DRAFT_TOKENS, TARGET_ROWS, DRAFT_ROWS, np.array([0.4, 0.5]), 0.72)
    call(bug_hunt_kernel, *arguments).tokens([1, 1], _REJECTION)


def every_draft_token_stays(bug_hunt_kernel: Callable[..., Any]) -> None:
    arguments = (DRAFT_TOKENS, TARGET_ROWS, DRAFT_ROWS, np.array([0.4, 0.3]), 0.82)
    call(bug_hunt_kernel, *arguments).tokens([1, 0, 1], _STAY)


_REJECTION = Text(
    "token 1 stays; token 0 is rejected (0.5 is not below 0.2/0.6), and the residual of its row, [0, 0.75, 0.25], "
    "gives token 1 at 0.72",
    "词元 1 留下；词元 0 被拒绝（0.5 不小于 0.2/0.6），它那一行的残差 [0, 0.75, 0.25] 在 0.72 处给出词元 1",
)
_STAY = Text(
    "both draft tokens stay (0.4 is below 0.3/0.6, 0.3 is below 0.2/0.6), and a round draws exactly one token more",
    "两个草稿词元都留下（0.4 小于 0.3/0.6，0.3 小于 0.2/0.6），而每一轮都恰好再抽一个词元",
)
