"""The hidden checks of the exercise, and the probes that tell its known mistakes apart.

Nothing here is left to luck: the prompt says what each uniform decides, so the checks hand in uniforms near both ends
of every cell in which the rule's outcome is the same. Added up, the cells give the exact joint law of K + 1 tokens.
The locked input checks are not graded.
"""
from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from exercises.expect import Answer, Text, call_text, call_unchanged, listed
from solutions.cases import random_law
from solutions.rounds import (
    ALMOST,
    EIGHTHS,
    FOUR,
    INSIDE,
    LAST,
    RARE,
    TIE,
    Round,
    cells,
    emits,
    emits_in_every_cell,
    random_round,
)

Function = Callable[..., Any]

_ROW = [0.0, 0.25, 0.5, 0.25]
_RARE_EVEN = Round.of([2], [[0.25, 0.75, RARE], [0.0, 1.0, 0.0]], [[0.75, 0.25, RARE]])
_RARE_QUARTER = Round.of([2], [[0.25, 0.75, RARE], [0.0, 1.0, 0.0]], [[0.75, 0.25, 4 * RARE]])
_IMPOSSIBLE_ONE = Round.of([1], [[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]], [[0.5, 0.5, 0.0]])
_OF_NEITHER = Round.of([1], [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]], [[0.75, 0.0, 0.25]])
_ROUNDED = Round.of([2], [[ALMOST * mass for mass in _ROW], [0.0, 0.0, 0.0, 1.0]], [_ROW])

PROBES: tuple[tuple[Any, ...], ...] = (
    FOUR.arguments([0.2, 0.7, 0.2], 0.3),
    FOUR.arguments([0.7, 0.2, 0.2], 0.6),
    FOUR.arguments([0.2, 0.2, 0.2], 0.3),
    FOUR.arguments([0.2, 0.2, 0.7], 0.9),
    EIGHTHS.arguments([0.0, 0.0], 0.0),
    EIGHTHS.arguments([0.9, 0.0], 0.0),
    EIGHTHS.arguments([0.0, 0.9], 0.6),
    Round.of([], [_ROW], []).arguments([], 0.5),
    Round.of([], [[0.1] * 10], []).arguments([], LAST),
    _RARE_EVEN.arguments([0.5], 0.5),
    _RARE_QUARTER.arguments([0.5], 0.5),
    _IMPOSSIBLE_ONE.arguments([0.0], 0.5),
    _OF_NEITHER.arguments([0.5], 0.5),
    _ROUNDED.arguments([TIE], 0.3),
)


# The rule, part by part


def coins_near_the_ratio(function: Function) -> None:
    for token, ratio in enumerate((1 / 3, 1.0, 5 / 8, 1.0)):
        given = Round.of([token], FOUR.target_rows.tolist()[:2], FOUR.draft_rows.tolist()[:1])
        for coin in (0.0, ratio * (1 - INSIDE), *([] if ratio == 1.0 else [ratio * (1 + INSIDE), TIE])):
            want = [token, 3] if coin < ratio else [3]
            emits(function, given, [coin], 0.9, want, _RATIO)


def cut_at_the_first_rejection(function: Function) -> None:
    """Every pattern of three tests; the residuals' and the bonus row's token at 0.3 are 1, 0, 0 and 1."""
    for passed in itertools.product((True, False), repeat=3):
        coins = [0.2 if ok else 0.7 for ok in passed]
        kept = (*passed, False).index(False)
        emits(function, FOUR, coins, 0.3, [*FOUR.draft_tokens.tolist()[:kept], (1, 0, 0, 1)[kept]], _CUT)


def residual_of_the_rejected_position(function: Function) -> None:
    for given in (FOUR, EIGHTHS):
        for kept in range(len(given.draft_tokens)):
            emits_in_every_cell(function, given, _RESIDUAL, kept)


def bonus_from_the_last_row(function: Function) -> None:
    for given in (FOUR, EIGHTHS):
        emits_in_every_cell(function, given, _BONUS, len(given.draft_tokens))


# The edges


def impossible_draft_token(function: Function) -> None:
    target = [[0.25, 0.75, 0.0], [0.25, 0.0, 0.75], [0.5, 0.0, 0.5]]
    given = Round.of([1, 1], target, [[0.5, 0.5, 0.0], [0.25, 0.5, 0.25]])
    for coin in (0.0, 2.0**-60, 0.5, LAST):
        emits(function, given, [0.5, coin], 0.5, [1, 2], _IMPOSSIBLE)


def tiny_probabilities(function: Function) -> None:
    for mass in (1e-13, RARE):
        rest = 1.0 - mass
        even = Round.of([2], [[0.25, rest - 0.25, mass], [0.0, 1.0, 0.0]], [[0.5, rest - 0.5, mass]])
        for coin in (0.0, 0.5, 0.9, TIE):
            emits(function, even, [coin], 0.5, [2, 1], _TINY)
        quarter = Round.of([2], [[0.25, 0.75, mass], [0.0, 1.0, 0.0]], [[0.75, 0.25, 4 * mass]])
        emits(function, quarter, [0.2], 0.5, [2, 1], _TINY)
        emits(function, quarter, [0.3], 0.5, [1], _TINY)


def ends_of_the_final_draw(function: Function) -> None:
    """0 and the largest uniform, and in the bonus row draws that are a cumulative sum to the last bit."""
    for draw, token in ((0.0, 1), (0.25 - 2**-40, 1), (0.25, 2), (0.75, 3), (LAST, 3)):
        emits(function, EIGHTHS, [0.0, 0.0], draw, [1, 2, token], _FIRST_GREATER)
    for coins, tokens in (([0.9, 0.0], ([2], [3])), ([0.0, 0.9], ([1, 1], [1, 4]))):
        for draw, want in zip((0.0, LAST), tokens, strict=True):
            emits(function, EIGHTHS, coins, draw, want, _FIRST_GREATER)
    tenths = Round.of([], [[0.1] * 10 + [0.0]], [])
    emits(function, tenths, [], LAST, [9], _SHORT_SUM)


def residual_rounded_away(function: Function) -> None:
    row = [0.0, 0.25, 0.5, 0.25]
    almost = [ALMOST * mass for mass in row]
    given = Round.of([1, 2], [row, almost, [0.0, 0.0, 0.0, 1.0]], [row, row])
    for draw, token in ((0.001, 1), (0.24, 1), (0.26, 2), (0.74, 2), (0.76, 3), (0.999, 3)):
        emits(function, given, [0.5, TIE], draw, [1, token], _ROUNDED_AWAY)


def token_of_neither_model(function: Function) -> None:
    given = Round.of([1], [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]], [[0.75, 0.0, 0.25]])
    for coin in (0.0, 0.5, 0.9):
        emits(function, given, [coin], 0.5, [2], _NEITHER)


def no_draft_tokens(function: Function) -> None:
    for row in ([0.25, 0.5, 0.25], [0.0, 1.0, 0.0], [1.0]):
        emits_in_every_cell(function, Round.of([], [row], []), _NO_DRAFTS)


def one_hot_and_disjoint_rows(function: Function) -> None:
    one_hot = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    drafts = [[0.3, 0.4, 0.3], [0.3, 0.4, 0.3]]
    for coin, draw in itertools.product((0.0, 0.5, LAST), repeat=2):
        emits(function, Round.of([1, 2], one_hot, drafts), [coin, coin], draw, [1, 2, 0], _ONE_HOT)
        emits(function, Round.of([1, 1], one_hot, drafts), [coin, coin], draw, [1, 2], _ONE_HOT)
    apart = Round.of([1], [[0.375, 0.0, 0.625, 0.0], [0.25] * 4], [[0.0, 0.75, 0.0, 0.25]])
    for coin, (draw, token) in itertools.product((0.0, LAST), ((0.0, 0), (0.37, 0), (0.38, 2), (LAST, 2))):
        emits(function, apart, [coin], draw, [token], _DISJOINT)


def large_vocabulary(function: Function) -> None:
    """Steps finer than float32: of a uniform, of a running sum over 2**17 tokens, and of the ratio."""
    fine = 2.0**-30
    row = [0.5, fine, fine, 0.5 - 2 * fine]
    for draw, token in ((0.5 + fine / 2, 1), (0.5 + 3 * fine / 2, 2), (0.5 + 5 * fine / 2, 3)):
        emits(function, Round.of([], [row], []), [], draw, [token], _FINE)
    half = Round.of([0], [[0.25 + fine / 4, 0.75 - fine / 4], [0.0, 1.0]], [[0.5, 0.5]])
    emits(function, half, [0.5 + fine / 4], 0.5, [0, 1], _FINE)
    emits(function, half, [0.5 + fine], 0.5, [1], _FINE)
    law, draws = _many_tokens()
    for token, draw in draws:
        emits(function, Round.of([], [law], []), [], draw, [token], _FINE)


@functools.cache
def _many_tokens() -> tuple[np.ndarray, list[tuple[int, float]]]:
    """The law of 2**17 tokens, and the draws in the middle of two of them."""
    masses = 1.0 + np.arange(2**17) % 7
    law = masses / masses.sum()
    return law, [(token, math.fsum(law[:token]) + float(law[token]) / 2) for token in (70_001, 2**17 - 5)]


# What holds for the whole round


def each_uniform_decides_one_thing(function: Function) -> None:
    for coin, final_draw in itertools.product((0.64, 0.8, TIE), (0.3, 0.6)):
        for unused in (0.0, 0.4, TIE):
            token = 0 if final_draw < 0.5 else 1
            emits(function, FOUR, [0.3, coin, unused], final_draw, [0, token], _ONE_EACH)


def every_cell_of_random_rounds(function: Function, rng: random.Random) -> None:
    for size, vocabulary in ((1, 5), (2, 4), (3, 3)):
        emits_in_every_cell(function, random_round(rng, size, vocabulary), _RULE)


def joint_law_is_the_targets(function: Function, rng: random.Random) -> None:
    for make in (random_law, _smooth_law):
        target, draft = (_tables(rng, 3, make) for _ in range(2))
        got = dict.fromkeys(itertools.product(range(3), repeat=3), 0.0)
        for sequence, mass in _outcomes(function, target, draft, 2):
            for rest in itertools.product(range(3), repeat=3 - len(sequence)):
                got[(*sequence, *rest)] += mass * _probability(target, (*sequence, *rest), len(sequence))
        for sequence, mass in got.items():
            answer = Answer(f"P({function.__name__}(…) → {list(sequence)})", mass)
            answer.close_to(_probability(target, sequence), 1e-9, _JOINT)


def law_of_the_emitted_length(function: Function, rng: random.Random) -> None:
    """At least j draft tokens stay with the overlap of both laws, summed over all prefixes of j tokens."""
    target, draft = (_tables(rng, 2, _smooth_law) for _ in range(2))
    lengths = [0.0] * 5
    for sequence, mass in _outcomes(function, target, draft, 3):
        lengths[len(sequence)] += mass
    for kept in range(4):
        stay = math.fsum(
            math.prod(min(target[prefix[:k]][token], draft[prefix[:k]][token]) for k, token in enumerate(prefix))
            for prefix in itertools.product(range(2), repeat=kept)
        )
        Answer(f"P(len({function.__name__}(…)) > {kept})", sum(lengths[kept + 1 :])).close_to(stay, 1e-9, _LENGTH)


def inputs_stay_unchanged(function: Function) -> None:
    row = [0.25, 0.5, 0.25]
    rounded = Round.of([1], [[ALMOST * mass for mass in row], row], [row])
    for given, coins in ((FOUR, [0.2, 0.2, 0.2]), (FOUR, [0.2, 0.9, 0.2]), (EIGHTHS, [0.9, 0.9]), (rounded, [TIE])):
        call_unchanged(function, *given.arguments(coins, 0.4), why=_UNCHANGED)


Tables = dict[tuple[int, ...], list[float]]
"""The law of the next token after each prefix."""


def _tables(rng: random.Random, vocabulary: int, make: Callable[[random.Random, int], list[float]]) -> Tables:
    prefixes = (prefix for size in range(4) for prefix in itertools.product(range(vocabulary), repeat=size))
    return {prefix: make(rng, vocabulary) for prefix in prefixes}


def _smooth_law(rng: random.Random, size: int) -> list[float]:
    masses = [0.2 + rng.random() for _ in range(size)]
    return [mass / sum(masses) for mass in masses]


def _probability(tables: Tables, sequence: tuple[int, ...], start: int = 0) -> float:
    """Of the tokens from `start` on, given those before."""
    return math.prod(tables[sequence[:at]][sequence[at]] for at in range(start, len(sequence)))


def _outcomes(function: Function, target: Tables, draft: Tables, size: int) -> list[tuple[tuple[int, ...], float]]:
    """What comes out with which probability, over all drafts of `size` tokens and all cells of the uniforms."""
    found = []
    for drafts in itertools.product(range(len(draft[()])), repeat=size):
        weight = _probability(draft, drafts)
        if weight > 0.0:
            prefixes = [drafts[:k] for k in range(size + 1)]
            rows = [target[prefix] for prefix in prefixes]
            given = Round.of(drafts, rows, [draft[prefix] for prefix in prefixes[:-1]])
            found += [(tokens, weight * share) for tokens, share in _emitted(function, given)]
    return found


def _emitted(function: Function, given: Round) -> list[tuple[tuple[int, ...], float]]:
    """The tokens near both ends of every cell, each with half of the cell's share."""
    found = []
    size, vocabulary = given.draft_rows.shape
    for cell in cells(given):
        for *coins, final_draw in cell.ends:
            value = function(*given.arguments(coins, final_draw))
            tokens = listed(value)
            if tokens and len(tokens) <= size + 1 and all(_is_token(token, vocabulary) for token in tokens):
                found.append((tuple(map(int, tokens)), cell.share / 2))
            else:
                text = call_text(function.__name__, given.arguments(coins, final_draw))
                Answer(text, value).fail(f"1 <= len(tokens) <= {size + 1}, 0 <= token < {vocabulary}", _TOKENS)
    return found


def _is_token(value: Any, vocabulary: int) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 0 <= value < vocabulary


_RATIO = Text(
    "draft token x stays exactly when coin * draft(x) is below target(x), so its ratio target/draft decides; a token "
    "with a ratio of 1 or more always stays",
    "草稿词元 x 留下，当且仅当 硬币 * 草稿概率 小于 目标概率，也就是由比值 目标/草稿 决定；比值不小于 1 的词元总是留下",
)
_CUT = Text(
    "the draft tokens before the first rejection stay and everything after it is void; then exactly one token is drawn",
    "第一次拒绝之前的草稿词元留下，之后的一律作废；然后恰好再抽一个词元",
)
_RESIDUAL = Text(
    "after a rejection at position k the token is drawn from what target row k has beyond draft row k, normalised",
    "在位置 k 被拒绝之后，词元要从目标第 k 行比草稿第 k 行多出的部分（归一化之后）里抽",
)
_BONUS = Text(
    "all K draft tokens stay, so one more token is drawn from the last target row, row K",
    "K 个草稿词元全部留下，所以再从目标的最后一行（第 K 行）抽一个词元",
)
_IMPOSSIBLE = Text(
    "the target gives draft token 1 no probability at position 1, so no coin may keep it, 0 included",
    "在位置 1，目标给草稿词元 1 的概率是零，所以不论硬币是多少（包括 0）都不能留下它",
)
_TINY = Text(
    "only the ratio counts, however rare the token: equal probabilities always stay, a quarter stays below 0.25",
    "不论词元多么罕见，只看比值：两个概率相等时总是留下；目标是草稿的四分之一时，硬币小于 0.25 才留下",
)
_FIRST_GREATER = Text(
    "the token is the first whose cumulative sum is greater than final_draw; a sum that is equal is not greater, and a "
    "token without mass is never drawn",
    "要取累积和第一次大于 final_draw 的词元；相等不算大于，没有质量的词元绝不能被抽到",
)
_SHORT_SUM = Text(
    "ten times 0.1 adds up to just below 1 here, and no sum is greater than final_draw; then the last token that has "
    "mass is meant",
    "这里十个 0.1 加起来略小于 1，没有累积和大于 final_draw；这时应取最后一个有质量的词元",
)
_ROUNDED_AWAY = Text(
    "the token is rejected although nothing is missing anywhere: rounding can do that. Then the target row stands in "
    "for the residual",
    "词元被拒绝了，可哪里都不缺质量：舍入误差会造成这种情况。这时用目标的这一行代替残差",
)
_NEITHER = Text(
    "neither model gives draft token 1 any probability: nothing is below 0, so it is rejected",
    "两个模型给草稿词元 1 的概率都是零：没有什么小于 0，所以它被拒绝",
)
_NO_DRAFTS = Text(
    "with K = 0 nothing is judged, and one token is drawn from the only target row",
    "K = 0 时没有要判断的词元，从唯一的目标行里抽一个词元",
)
_ONE_HOT = Text(
    "each target row allows a single token: a draft token that is it always stays, any other is replaced by it",
    "目标的每一行只允许一个词元：草稿正好是它就总是留下，否则就换成它",
)
_DISJOINT = Text(
    "the draft token is impossible for the target, and what the target misses is its whole row",
    "目标不可能产生这个草稿词元，而目标所缺的就是它的整行",
)
_FINE = Text(
    "ratios, sums and draws count in full float64: steps of 1e-9, or of one token among 131072, are not rounded away",
    "比值、累积和与抽样都要用完整的 float64：不能把 1e-9 的差别，或者 131072 个词元中的一个，舍入掉",
)
_ONE_EACH = Text(
    "coins[k] judges draft token k and nothing else, a coin after the first rejection is not used, and only final_draw "
    "decides which token is drawn",
    "coins[k] 只判断草稿词元 k，第一次拒绝之后的硬币不再使用，抽到哪个词元只由 final_draw 决定",
)
_RULE = Text(
    "the coins decide how many draft tokens stay; final_draw then picks from the residual of the rejected position, or "
    "from the bonus row",
    "硬币决定留下多少个草稿词元；然后 final_draw 从被拒绝位置的残差里抽，全部留下时从奖励行里抽",
)
_JOINT = Text(
    "over all drafts and all uniforms the tokens that come out (continued by the target where the round ends early) "
    "must have exactly the target's joint law",
    "对所有草稿和所有随机数合计，输出的词元（一轮提前结束时由目标续完）必须严格服从目标的联合分布",
)
_LENGTH = Text(
    "j draft tokens stay with the probability that target and draft share along the first j positions; a round emits "
    "one token more than stay",
    "前 j 个草稿词元都留下的概率，是目标与草稿在前 j 个位置上共有的概率；一轮输出的词元比留下的多一个",
)
_TOKENS = Text(
    "a round returns a list of token ids: the draft tokens that stay, and one more",
    "一轮返回词元编号的列表：留下的草稿词元，再加一个",
)
_UNCHANGED = Text(
    "the caller still needs its arrays as they were",
    "调用者之后还要用这些数组，不能改动",
)
