"""Fresh numbers for the exercise: one small round for each of the four faults, to work by hand."""
from __future__ import annotations

import random

from exercises.expect import Text
from solutions.bug_hunt_kernel.solution import bug_hunt_kernel
from solutions.cases import law_by_hand
from solutions.rounds import ALMOST, TIE, arguments, round_of
from solutions.variant import Field, Variant

CLEAR = 0.04  # how far the final draw stays away from where its token changes


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time, right values from the solution."""
    rng = random.Random(seed)
    parts, size, stop = rng.choice((1, 2, 3, 4, 6, 9)), rng.randint(3, 5), rng.randint(0, 2)
    law, final_draw = _clear_draw(rng)
    fields = (
        Field("rare", _RARE, parts / (parts + 1), ((1.0, _AS_IT_SHOULD), (1 / (parts + 1), _REJECTED))),
        Field("zero", _ZERO, _count_at_coin_zero(size, stop), ((size + 1.0, _ALL_STAY), (float(stop), _NOT_DRAWN))),
        Field("rounded", _ROUNDED, _token_of(law, final_draw), ((0.0, _TOKEN_0),)),
        Field("bonus", _BONUS, _count_where_all_stay(size), ((float(size), _NO_BONUS),)),
    )
    return Variant(seed, _question(parts, size, stop, law, final_draw), fields)


def _clear_draw(rng: random.Random) -> tuple[list[float], float]:
    """A law and a draw that is far from its borders and doesn't give token 0."""
    while True:
        law, draw = law_by_hand(rng), rng.randrange(5, 96) / 100
        if draw > law[0] + CLEAR and abs(draw - law[0] - law[1]) > CLEAR:
            return law, draw


def _count_at_coin_zero(size: int, stop: int) -> float:
    rows = [[0.5, 0.5] if k != stop else [1.0, 0.0] for k in range(size + 1)]
    given = round_of([1] * size, rows, [[0.5, 0.5]] * size)
    return float(len(bug_hunt_kernel(*arguments(given, [0.0] * size, 0.5))))


def _token_of(law: list[float], final_draw: float) -> float:
    given = round_of([1], [[ALMOST * mass for mass in law], law], [law])
    return float(bug_hunt_kernel(*arguments(given, [TIE], final_draw))[-1])


def _count_where_all_stay(size: int) -> float:
    given = round_of([0] * size, [[0.5, 0.5]] * (size + 1), [[0.5, 0.5]] * size)
    return float(len(bug_hunt_kernel(*arguments(given, [0.5] * size, 0.5))))


def _question(parts: int, size: int, stop: int, law: list[float], final_draw: float) -> Text:
    return Text(
        f"Four rounds, one for each fault. (a) Target and draft both give the draft token {parts}e-10: with which "
        f"probability does the code that was handed out keep it? The other three ask for the repaired code. (b) {size} "
        f"draft tokens, all coins are 0; target and draft are equal, but at position {stop} the target gives the draft "
        f"token nothing: how many tokens come out? (c) The draft row is {law}, the target row is the same but smaller "
        "by two ten-millionths everywhere, and the coin rejects: which token comes out at a final draw of "
        f"{final_draw}? (d) {size} draft tokens all stay: how many tokens come out? Decimals or fractions like 5/6; "
        "two decimals are enough (within 0.005).",
        f"四轮，每处错误一轮。(a) 目标和草稿给草稿词元的概率都是 {parts}e-10：最初给你的代码以多大概率留下它？"
        f"其余三问都针对改正后的代码。(b) {size} 个草稿词元，硬币全是 0；目标与草稿相等，只是在位置 {stop} 上，"
        f"目标给草稿词元的概率为零：输出多少个词元？(c) 草稿行是 {law}，目标行与它相同，只是处处小了千万分之二，"
        f"而硬币拒绝了：最后的抽样值为 {final_draw} 时输出哪个词元？(d) {size} 个草稿词元全部留下：输出多少个词元？"
        "可以写小数，也可以写 5/6 这样的分数；保留两位小数即可（误差不超过 0.005）。",
    )


_RARE = Text("(a) Probability that the faulty code keeps it", "(a) 有错的代码留下它的概率")
_ZERO = Text("(b) Tokens that come out at coins of 0", "(b) 硬币全为 0 时输出的词元个数")
_ROUNDED = Text("(c) Token where nothing is missing", "(c) 什么也不缺时输出的词元")
_BONUS = Text("(d) Tokens that come out where all stay", "(d) 全部留下时输出的词元个数")
_AS_IT_SHOULD = Text(
    "so it should be; but the code divides by the draft probability plus 1e-10",
    "本该如此；可代码除的是草稿概率加 1e-10",
)
_REJECTED = Text("that is how often it's rejected", "这是它被拒绝的概率")
_ALL_STAY = Text(
    "one token is impossible for the target, and 0 is not below 0: the round ends there",
    "有一个词元是目标不可能产生的，而 0 不小于 0：这一轮到那里就结束",
)
_NOT_DRAWN = Text("those are the ones that stay; one more is drawn", "这是留下的个数；还要再抽一个")
_TOKEN_0 = Text(
    "that is what the argmax of zeros gives; draw from the target row",
    "对全零的行取 argmax 才得到它；应当从目标行里抽",
)
_NO_BONUS = Text("and the bonus token?", "还有奖励词元呢？")
