"""The hidden checks of the exercise, and the probes that tell its known mistakes apart.

Models that leave no choice (each row has one token) make texts to be told by hand; random runs ask the solution, with
the same uniforms. The law is checked on every path: the solution cuts the uniforms into cells, and the student's
function is called at two corners of each.
"""
from __future__ import annotations

import functools
import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from exercises.expect import Answer, Text, call, call_unchanged, listed
from solutions.cases import random_law
from solutions.scripted import Cell, cells
from solutions.speculative_generate.solution import speculative_generate
from solutions.trees import chain_law

Function = Callable[..., Any]
Table = list[list[float]]

TARGET: Table = [[0.5, 0.25, 0.25], [0.125, 0.625, 0.25], [0.375, 0.25, 0.375]]
DRAFT: Table = [[0.25, 0.625, 0.125], [0.5, 0.25, 0.25], [0.125, 0.625, 0.25]]
CYCLE: Table = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]  # 0, 1, 2, 0, 1, 2, ...
BACK: Table = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]  # 0, 2, 1, 0, 2, 1, ...
ONLY_ONE: Table = [[0.0, 1.0], [0.0, 1.0]]
ONLY_ZERO: Table = [[1.0, 0.0], [1.0, 0.0]]
LESS_BY_ROUNDING: Table = [[0.25, 0.75 - 1e-10]] * 2
ALMOST: Table = [[0.25, 0.75]] * 2
BELOW_ONE = math.nextafter(1.0, 0.0)
HALVES = [0.5] * 60
TEXTS = (3, 2)  # of the exact law: at most three tokens, rounds of at most two drafts


def _mixed(seed: int, count: int = 90) -> list[float]:
    rng = random.Random(seed)
    return [rng.randrange(1000) / 1000 + 0.0005 for _ in range(count)]


PROBES: tuple[tuple[Any, ...], ...] = (
    *((TARGET, DRAFT, [0], 3, 12, None, _mixed(seed)) for seed in (1, 2)),
    (TARGET, DRAFT, [2, 1], 2, 12, None, _mixed(3)),
    (TARGET, DRAFT, [1], 4, 10, 2, _mixed(4)),
    (TARGET, TARGET, [0], 3, 6, None, [0.9] * 60),
    (CYCLE, CYCLE, [2], 4, 10, 2, HALVES),
    (CYCLE, CYCLE, [0], 1, 10, 2, HALVES),
    (ONLY_ONE, ONLY_ZERO, [0], 2, 4, None, [0.0] * 40),
    (LESS_BY_ROUNDING, ALMOST, [0], 1, 2, None, [0.7, BELOW_ONE, 0.9, 0.2, 0.2, 0.2]),
)


def rejection_in_the_middle(function: Function) -> None:
    """Drafts 1, 0, 1: the second is rejected, for 0.9 * 0.5 is not below 0.125; then draft 2 is kept, and 0 follows."""
    uniforms = [0.3, 0.2, 0.6, 0.1, 0.9, 0.1, 0.7, 0.9, 0.9, 0.2, *HALVES]
    _text(function, TARGET, DRAFT, [0], 3, 4, None, uniforms).tokens([1, 1, 2, 0], _MIDDLE)


def drafts_follow_each_other(function: Function) -> None:
    _text(function, CYCLE, CYCLE, [0], 3, 8, None, HALVES).tokens([1, 2, 0, 1, 2, 0, 1, 2], _FOLLOW)


def each_round_goes_on_from_what_came_out(function: Function) -> None:
    _text(function, CYCLE, BACK, [0], 2, 4, None, HALVES).tokens([1, 2, 0, 1], _GOES_ON)


def long_prompt_ends_with_its_last_token(function: Function) -> None:
    _text(function, CYCLE, CYCLE, [2, 2, 0, 1], 2, 3, None, HALVES).tokens([2, 0, 1], _LONG_PROMPT)


def without_drafts_it_samples_from_the_target(function: Function) -> None:
    uniforms = [0.6, 0.8, 0.1, 0.45, 0.9]
    _text(function, TARGET, DRAFT, [0], 0, 5, None, uniforms).tokens([1, 2, 0, 0, 2], _NO_DRAFTS)


def one_pass_a_round_on_a_long_run(function: Function) -> None:
    for seed, length in ((11, 1), (12, 3), (13, 5)):
        run = (TARGET, DRAFT, [0], length, 16, None, _mixed(seed, 300))
        tokens, passes = speculative_generate(*run)
        _text(function, *run).tokens(tokens, _AGREES)
        _passes(function, *run).equals(passes, _ONE_PASS)


def last_round_leaves_room_for_its_last_token(function: Function) -> None:
    for length in (1, 2, 3, 4):
        run = (CYCLE, CYCLE, [0], 3, length, None, HALVES)
        _text(function, *run).tokens([1, 2, 0, 1][:length], _ROOM)
        _passes(function, *run).equals(1, _ROOM)


def end_token_inside_an_accepted_run(function: Function) -> None:
    _text(function, CYCLE, CYCLE, [0], 4, 10, 2, HALVES).tokens([1, 2], _END_INSIDE)


def end_token_as_the_last_token(function: Function) -> None:
    _text(function, CYCLE, CYCLE, [0], 1, 10, 2, HALVES).tokens([1, 2], _END_LAST)
    _text(function, CYCLE, BACK, [0], 2, 10, 2, HALVES).tokens([1, 2], _END_LAST)


def end_token_in_the_prompt(function: Function) -> None:
    _text(function, CYCLE, CYCLE, [2], 1, 10, 2, HALVES).tokens([0, 1, 2], _END_IN_PROMPT)


def without_an_end_token(function: Function) -> None:
    _text(function, CYCLE, CYCLE, [0], 2, 7, None, HALVES).tokens([1, 2, 0, 1, 2, 0, 1], _NO_END)


def nothing_to_generate(function: Function) -> None:
    run = (TARGET, DRAFT, [0], 2, 0, None, HALVES)
    _text(function, *run).tokens([], _NOTHING)
    _passes(function, *run).equals(0, _NOTHING)


def impossible_token_at_a_coin_of_zero(function: Function) -> None:
    _text(function, ONLY_ONE, ONLY_ZERO, [0], 2, 4, None, [0.0] * 40).tokens([1, 1, 1, 1], _IMPOSSIBLE)


def equal_models_keep_every_draft(function: Function) -> None:
    uniforms = [0.3, 0.9, 0.6, *[BELOW_ONE] * 3, 0.1, 0.2, 0.7, *[BELOW_ONE] * 2, 0.8, *HALVES]
    _text(function, TARGET, TARGET, [0], 3, 7, None, uniforms).tokens([0, 2, 1, 0, 0, 1, 2], _EQUAL)


def residual_lost_to_rounding(function: Function) -> None:
    for final_draw, token in ((0.2, 0), (0.3, 1), (0.9, 1)):
        uniforms = [0.7, BELOW_ONE, final_draw, *HALVES]
        _text(function, LESS_BY_ROUNDING, ALMOST, [0], 1, 2, None, uniforms).tokens([token, 1], _ROUNDING)


def law_of_every_text(function: Function) -> None:
    _law_is_the_target_s(function, None)


def law_of_every_text_with_an_end_token(function: Function) -> None:
    _law_is_the_target_s(function, 2)


def runs_agree_with_the_rule(function: Function, rng: random.Random) -> None:
    for _ in range(12):
        size = rng.randint(2, 5)
        target, draft = ([random_law(rng, size) for _ in range(size)] for _ in range(2))
        prompt = [rng.randrange(size) for _ in range(rng.randint(1, 3))]
        length, count, eos = rng.randint(1, 4), rng.randint(1, 12), rng.choice([None, size - 1])
        run = (target, draft, prompt, length, count, eos, [rng.random() for _ in range((2 * length + 1) * count)])
        tokens, passes = speculative_generate(*run)
        _text(function, *run).tokens(tokens, _AGREES)
        _passes(function, *run).equals(passes, _ONE_PASS)


def inputs_stay_unchanged(function: Function) -> None:
    run = (TARGET, DRAFT, [0, 1], 3, 8, 2, _mixed(5))
    answer = call_unchanged(function, *run, why=_UNCHANGED)
    answer.parts(2, _PAIR)[0].tokens(speculative_generate(*run)[0], _AGREES)


def _law_is_the_target_s(function: Function, eos: int | None) -> None:
    """The law of the texts, added up cell by cell, is that of plain sampling from the target."""
    count, length = TEXTS
    law: Counter[tuple[int, ...]] = Counter()
    for cell in _paths(eos):
        low, high = (_text(function, TARGET, DRAFT, [0], length, count, eos, list(p)) for p in (cell.low, cell.high))
        texts = _whole(low), _whole(high)
        if texts[0] != texts[1]:  # one of them is not what the stated order of uniforms gives
            (high if texts[0] == cell.wanted else low).tokens(list(cell.wanted), _ORDER)
        law[texts[0]] += cell.probability
    plain = {tokens[1:]: mass for tokens, mass in chain_law(lambda t: TARGET[t[-1]], count, (0,), eos).items()}
    for text in {**plain, **law}:
        called = f"P({low.called} == {list(text)})"
        Answer(called, law[text]).close_to(plain.get(text, 0.0), 1e-12, _LAW)


@functools.cache
def _paths(eos: int | None) -> tuple[Cell, ...]:
    """The cells of the solution's uniforms for the exact law; as many uniforms as the texts can need."""
    count, length = TEXTS

    def text(uniforms: Any) -> tuple[int, ...]:
        return tuple(speculative_generate(TARGET, DRAFT, [0], length, count, eos, uniforms)[0])

    return tuple(cells(text, (2 * length + 1) * count))


def _text(function: Function, *run: Any) -> Answer:
    return call(function, *run).parts(2, _PAIR)[0]


def _passes(function: Function, *run: Any) -> Answer:
    return call(function, *run).parts(2, _PAIR)[1]


def _whole(text: Answer) -> tuple[int, ...]:
    entries = listed(text.value)
    text.holds(entries is not None and all(map(_is_token, entries)), "list[int]", _PAIR)
    assert entries is not None
    return tuple(int(token) for token in entries)


def _is_token(value: Any) -> bool:
    return type(value) is int or type(value).__name__ in ("int64", "int32")


_PAIR = Text(
    "the function returns (tokens, passes): a list of token ids, and a number",
    "函数要返回 (tokens, passes)：词元编号的列表，以及一个整数",
)
_MIDDLE = Text(
    "the second of three drafts is rejected: the first stays, a token drawn from the residual takes the place of the "
    "second, the third is discarded, and a new round begins",
    "三个草稿词元里第二个被拒绝：第一个留下，从残差分布抽出的词元取代第二个，第三个作废，然后开始新的一轮",
)
_FOLLOW = Text(
    "each row has one possible token; a draft token is drawn from the row after the draft token before it",
    "每一行只有一个可能的词元；每个草稿词元都要从前一个草稿词元之后的那一行抽取",
)
_GOES_ON = Text(
    "every draft is rejected here and replaced by the target's token; the next round goes on from that token, not from "
    "the drafts that were discarded",
    "这里每个草稿都被拒绝，换成目标模型的词元；下一轮要从换上的词元接着走，而不是从已经作废的草稿接着走",
)
_LONG_PROMPT = Text(
    "the rows of a pass belong to all tokens it reads; those that verify are the last K + 1, from the end of the "
    "prompt on",
    "一次前向给出它读到的每个词元之后的行；用于验证的是最后 K + 1 行，从提示词的末尾算起",
)
_NO_DRAFTS = Text(
    "with no drafts a round is one pass and one draw from the target's row",
    "没有草稿时，一轮就是一次前向，再从目标的那一行抽一个词元",
)
_ONE_PASS = Text(
    "each round runs the target once, over everything so far and all its drafts: one pass gives all K + 1 rows",
    "每一轮只运行目标模型一次，读入已有的全部词元和这一轮的所有草稿：一次前向就给出全部 K + 1 行",
)
_ROOM = Text(
    "a round drafts at most as many tokens as leave room for the token that ends it, and a single round is enough here",
    "一轮起草的词元数，要给收尾的那个词元留出位置；这里只需要一轮",
)
_END_INSIDE = Text(
    "the end token is among the accepted drafts: the text ends with it, and what was accepted after it is dropped",
    "终止词元在被接受的草稿之中：文本到它为止，它后面已经接受的也要丢掉",
)
_END_LAST = Text(
    "the end token came out as the last token of a round; the text ends with it",
    "终止词元是一轮里最后输出的词元；文本到它为止",
)
_END_IN_PROMPT = Text(
    "only a generated end token ends the text; the one in the prompt doesn't",
    "只有生成出来的终止词元才结束文本；提示词里的不算",
)
_NO_END = Text(
    "eos is None, so nothing but max_tokens ends the text",
    "eos 为 None，所以只有 max_tokens 能结束文本",
)
_NOTHING = Text(
    "no token is to be generated, so no model is run",
    "不需要生成任何词元，所以也不运行模型",
)
_IMPOSSIBLE = Text(
    "the target never produces token 0, so it is rejected at a coin of exactly 0 too: the comparison is strict",
    "目标绝不产生词元 0，所以均匀随机数恰好为 0 时也要拒绝：比较是严格的",
)
_EQUAL = Text(
    "where both models agree every draft is kept, whatever its coin, and each round ends with a bonus token",
    "两个模型一致时，不论均匀随机数是多少，草稿全部留下，每一轮以奖励词元收尾",
)
_ROUNDING = Text(
    "the target's row sums to a little less than 1, so the rejection leaves no residual; the token is then drawn from "
    "the target's row",
    "目标的这一行总和略小于 1，所以拒绝之后残差全为 0；这时改从目标的这一行抽取",
)
_ORDER = Text(
    "the uniforms of a round decide in this order: its K draft tokens, the K coins, the last token",
    "一轮的均匀随机数按这个顺序起作用：K 个草稿词元，K 次接受与否，最后一个词元",
)
_LAW = Text(
    "over all uniforms, each text comes out as often as plain sampling from the target gives it",
    "对所有均匀随机数而言，每个文本出现的概率，都等于直接从目标模型采样得到它的概率",
)
_AGREES = Text(
    "drafts, coins and last token, taken from the uniforms in the stated order, give this text",
    "按规定顺序从均匀随机数中取出草稿、接受与否和最后一个词元，得到的就是这个文本",
)
_UNCHANGED = Text(
    "the caller still needs the tables, the prompt and the uniforms as they were",
    "调用者之后还要用这些表、提示词和均匀随机数，不能改动",
)
