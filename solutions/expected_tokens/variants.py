"""Fresh numbers for the exercise: a rate, a cost and a draft length whose sums are short enough to work by hand."""
from __future__ import annotations

import random

from exercises.expect import Text
from solutions.expected_tokens.solution import best_draft_length, break_even, expected_tokens, speedup
from solutions.variant import Field, Variant

RATES = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75)
COSTS = (0.1, 0.12, 0.15, 0.2, 0.25, 0.3)
Slips = tuple[tuple[float, Text], ...]


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time, right values from the solution."""
    rng = random.Random(seed)
    alpha, c, K = rng.choice(RATES), rng.choice(COSTS), rng.randint(2, 4)
    mean, fast = expected_tokens(alpha, K), speedup(alpha, K, c)
    border = break_even(1, c)
    assert border is not None  # these costs are below 1
    fields = (
        Field("mean", _MEAN, mean, _mean_slips(alpha, K, mean)),
        Field("endless", _ENDLESS, 1.0 / (1.0 - alpha), ((alpha / (1.0 - alpha), _ACCEPTED), (1.0 / alpha, _UPSIDE))),
        Field("speedup", _SPEEDUP, fast, _speedup_slips(K, c, mean)),
        Field("best", _BEST, best_draft_length(alpha, c), _best_slips(alpha, c)),
        Field("border", _BORDER, border, ((0.5, _HALF), (alpha, _GIVEN), (1.0 - c, _REST))),
    )
    return Variant(seed, _question(alpha, K, c), fields)


def _mean_slips(alpha: float, K: int, mean: float) -> Slips:
    return (
        (mean - alpha**K, _NO_BONUS),
        (mean - 1.0, _ACCEPTED),
        (1.0 + alpha * K, _ALONE),
        (alpha * K, _ALONE),
        (1.0 / (1.0 - alpha), _LIMIT),
        (K + 1.0, _ALL),
    )


def _speedup_slips(K: int, c: float, mean: float) -> Slips:
    return (
        (mean, _FREE),
        (mean / (c * K), _NO_PASS),
        (mean / (c + 1.0), _ONE_DRAFT),
        (mean / (c * K + K + 1.0), _ROWS),
        ((mean - 1.0) / (c * K + 1.0), _ACCEPTED),
    )


def _best_slips(alpha: float, c: float) -> Slips:
    longest = max(K for K in range(100) if speedup(alpha, K, c) > 1.0)
    bare = max(K for K in range(100) if alpha**K > c)
    return ((longest, _LONGEST), (bare, _BARE), (0.0, _NONE))


def _question(alpha: float, K: int, c: float) -> Text:
    return Text(
        f"Acceptance rate {alpha}, {K} draft tokens, and a draft token costs {c} of a pass of the target. By hand: how "
        "many tokens does a round emit on average, how many would it with an endless draft, what is the speedup, which "
        "number of draft tokens is best (the smaller one of equals), and from which rate on does a single draft token "
        "pay? Two decimals are enough (within 0.005).",
        f"接受率 {alpha}，{K} 个草稿词元，一个草稿词元的代价是目标一趟的 {c}。请手算：一轮平均输出几个词元？"
        "草稿没有尽头时是几个？加速比是多少？最佳的草稿词元数是几（一样快时取小的）？只用一个草稿词元时，"
        "接受率从多少起才划算？保留两位小数即可（误差不超过 0.005）。",
    )


_MEAN = Text("Tokens that a round emits on average", "一轮平均输出的词元数")
_ENDLESS = Text("The same with an endless draft", "草稿没有尽头时的均值")
_SPEEDUP = Text("Speedup", "加速比")
_BEST = Text("Best number of draft tokens", "最佳的草稿词元数")
_BORDER = Text("Rate at which one draft token breaks even", "一个草稿词元打平的接受率")
_NO_BONUS = Text(
    "that leaves the bonus token out; it comes where all draft tokens are accepted",
    "这漏掉了奖励词元；草稿词元全部被接受时会有它",
)
_ACCEPTED = Text("that counts the accepted tokens; each round emits one more", "这只数了被接受的；每一轮还会多输出一个")
_ALONE = Text(
    "that counts each draft token by itself; the first rejection ends the run",
    "这是把每个草稿词元单独计算；第一次拒绝就结束这一段",
)
_LIMIT = Text("that is the limit for an endless draft", "这是草稿没有尽头时的极限")
_ALL = Text("that is the most that can come out, where all are accepted", "这是全部被接受时的最大值")
_UPSIDE = Text("a rejection ends the run, so it is 1 over its probability", "结束这一段的是拒绝，所以是 1 除以它的概率")
_FREE = Text("that is how many tokens come out; divide by what the round costs", "这是输出的词元数；还要除以一轮的代价")
_NO_PASS = Text("the pass of the target costs 1 and has to be paid too", "目标的一趟代价为 1，也要算进去")
_ONE_DRAFT = Text("every draft token is paid for", "每个草稿词元都要付代价")
_ROWS = Text("all rows together are one pass of the target", "所有的行合起来只是目标的一趟")
_LONGEST = Text(
    "that is the longest draft that is faster than none; which one is the fastest?",
    "这是仍比不起草快的最长草稿；最快的是哪个？",
)
_BARE = Text(
    "a further draft token must bring more than its cost times the present speedup, not just its cost",
    "再多一个草稿词元，所得要高于代价乘以现有的加速比，而不只是高于代价",
)
_NONE = Text("compare with one draft token: the rate is above the cost", "与一个草稿词元比一比：接受率大于代价")
_HALF = Text(
    "there is no border at one half; where is (1 + alpha) / (1 + c) equal to 1?",
    "没有“过半”这条界线；(1 + alpha) / (1 + c) 何时等于 1？",
)
_GIVEN = Text("that is the given rate; which rate would just break even?", "这是题目给的接受率；恰好打平的是多少？")
_REST = Text("that is what a draft token saves; set the speedup equal to 1", "这是一个草稿词元省下的；请令加速比等于 1")
