"""Fresh numbers for the exercise: three tokens, one of them can be rejected, the others each miss something."""
from __future__ import annotations

import random
from typing import cast

from exercises.expect import Text
from solutions.cases import pair_by_hand
from solutions.two_paths.solution import two_paths
from solutions.variant import Field, Variant

Slips = tuple[tuple[float, Text], ...]


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time, right values from the solution."""
    target, draft, _ = pair_by_hand(random.Random(seed))
    paths = cast(tuple[list[float], float, list[float]], two_paths(target, draft, apart=True))
    accepted, rejected, resampled = paths
    fields = (
        *(_accepted_field(target, draft, token, mass) for token, mass in enumerate(accepted)),
        Field("reject", _REJECT, rejected, _reject_slips(target, draft, rejected)),
        *(_resampled_field(target, rejected, token, mass) for token, mass in enumerate(resampled)),
    )
    return Variant(seed, _question(target, draft), fields)


def _accepted_field(target: list[float], draft: list[float], token: int, mass: float) -> Field:
    wanted, offered = target[token], draft[token]
    slips = (
        (min(1.0, wanted / offered), _GIVEN_PROPOSED),
        (max(wanted, offered), _TOO_MUCH),
        (wanted * offered, _PRODUCT),
        (abs(wanted - offered), _DIFFERENCE),
    )
    label = Text(f"Accepted mass of token {token}", f"词元 {token} 被接受的质量")
    return Field(f"accepted_{token}", label, mass, slips)


def _reject_slips(target: list[float], draft: list[float], rejected: float) -> Slips:
    spread = sum(abs(p - q) for p, q in zip(target, draft, strict=True))
    ratios = [min(1.0, p / q) for p, q in zip(target, draft, strict=True)]
    return (
        (1.0 - rejected, _ACCEPTED_ALL),
        (spread, _TWICE),
        (1.0 - sum(ratios) / len(ratios), _NOT_WEIGHTED),
        (1.0 - min(ratios), _ONE_TOKEN),
    )


def _resampled_field(target: list[float], rejected: float, token: int, mass: float) -> Field:
    slips = (
        (mass / rejected, _GIVEN_REJECTED),
        (target[token] * rejected, _FROM_TARGET),
        (target[token], _WHOLE_TARGET),
    )
    label = Text(f"Resampled mass of token {token}", f"词元 {token} 经重采样得到的质量")
    return Field(f"resampled_{token}", label, mass, slips)


def _question(target: list[float], draft: list[float]) -> Text:
    return Text(
        f"Target {target}, draft {draft}. By hand: how much of each token comes out by acceptance, how likely is a "
        "rejection, and how much of each token comes out after one? Decimals or fractions like 5/6; two decimals are "
        "enough (within 0.005). Then add up the paths and compare with the target.",
        f"目标分布 {target}，草稿分布 {draft}。请手算：每个词元经由接受输出多少质量？发生拒绝的概率是多少？"
        "拒绝之后每个词元又输出多少质量？可以写小数，也可以写 5/6 这样的分数；保留两位小数即可（误差不超过 0.005）。"
        "最后把两条路径加起来，与目标分布比一比。",
    )


_REJECT = Text("Probability of a rejection", "发生拒绝的概率")
_GIVEN_PROPOSED = Text(
    "that is how likely it is kept once it is proposed; multiply by how likely it is proposed",
    "这是“已经提议了它”条件下留下的概率；还要乘以它被提议的概率",
)
_TOO_MUCH = Text(
    "that is the larger of both; it can't be accepted more often than it is proposed, nor come out more often than "
    "the target wants",
    "这是两者中较大的；接受的次数不能多于提议的次数，输出的次数也不能多于目标想要的",
)
_PRODUCT = Text(
    "that keeps a proposal with its target probability; the rule keeps it with target/draft, at most 1",
    "这是以目标概率留下提议；规则是以 目标/草稿 留下，最多为 1",
)
_DIFFERENCE = Text("that is the difference; how much do both have in common?", "这是两者之差；两者共有的部分是多少？")
_ACCEPTED_ALL = Text(
    "that is how likely a proposal is kept; a rejection is the rest",
    "这是提议留下的概率；剩下的才是拒绝",
)
_TWICE = Text(
    "that counts too much and too little alike; a rejection is only what the draft has too much: half of it",
    "这把多出的和缺少的都算进去了；拒绝只是草稿多出的部分：是它的一半",
)
_NOT_WEIGHTED = Text(
    "tokens are not proposed equally often; weigh each with its draft probability",
    "各词元被提议的概率并不相等；要按草稿概率加权",
)
_ONE_TOKEN = Text(
    "that is for one proposed token; weigh it with how likely that token is proposed",
    "这只是某一个被提议词元的拒绝概率；还要乘以提议它的概率",
)
_GIVEN_REJECTED = Text(
    "that is its share of the residual; multiply by the probability of a rejection",
    "这是它在残差分布里的份额；还要乘以发生拒绝的概率",
)
_FROM_TARGET = Text(
    "that redraws from the target; draw from the residual, from what is still missing",
    "这是从目标分布重采样；应当从残差里抽，也就是从还缺的部分里抽",
)
_WHOLE_TARGET = Text(
    "that is the whole target probability; take off what has come out by acceptance",
    "这是整个目标概率；还要减去已经由接受输出的部分",
)
