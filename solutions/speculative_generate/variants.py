"""Fresh numbers for the exercise: a run of three tokens to follow by hand, and how often one pass is enough for it."""
from __future__ import annotations

import random
from typing import Any

from exercises.expect import Text
from solutions.cases import PARTS
from solutions.speculative_generate.solution import speculative_generate
from solutions.symbolic import outcomes
from solutions.variant import Field, Variant

Table = list[list[float]]

DRAFTS, TOKENS = 2, 3
MOST_UNIFORMS = 9  # rounds of five, three and one


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time, right values from the solution."""
    rng = random.Random(seed)
    target, draft = _table(rng), _table(rng)
    uniforms = [rng.randrange(2, 99, 5) / 100 for _ in range(MOST_UNIFORMS)]  # no sum of the tables ends in 2 or 7
    tokens, passes = speculative_generate(target, draft, [0], DRAFTS, TOKENS, None, uniforms)
    fields = (
        *(Field(f"token_{place}", _nth(place), token, ((1 - token, _OTHER),)) for place, token in enumerate(tokens)),
        Field("passes", _PASSES, passes, ((TOKENS, _ONE_EACH), (passes + 1, _TOO_MANY), (passes - 1, _TOO_FEW))),
        _one_pass_field(target, draft),
    )
    return Variant(seed, _question(target, draft, uniforms), fields)


def _one_pass_field(target: Table, draft: Table) -> Field:
    def passes(uniforms: Any) -> int:
        return speculative_generate(target, draft, [0], DRAFTS, TOKENS, None, uniforms)[1]

    one = float(sum(way.probability for way in outcomes(passes, MOST_UNIFORMS) if way.value == 1))
    alpha = [sum(map(min, wanted, offered)) for wanted, offered in zip(target, draft, strict=True)]
    slips = ((alpha[0], _FIRST_ONLY), (alpha[0] ** 2, _SAME_ROW), (alpha[0] * alpha[1], _OTHER_ROW), (1.0 - one, _REST))
    return Field("one_pass", _ONE_PASS, one, slips)


def _table(rng: random.Random) -> Table:
    """Two rows of two probabilities, multiples of 0.05 from 0.1 to 0.9."""
    parts = [rng.randint(2, PARTS - 2) for _ in range(2)]
    return [[part / PARTS, (PARTS - part) / PARTS] for part in parts]


def _question(target: Table, draft: Table, uniforms: list[float]) -> Text:
    return Text(
        f"Target {target}, draft {draft}: row t is the law after token t. The prompt is [0], draft_length is {DRAFTS}, "
        f"max_tokens is {TOKENS}, eos is None, and the uniforms are {uniforms} (more than are needed, perhaps). Follow "
        "the rounds by hand: which tokens come out, and how many passes of the target do they take? And over all "
        "uniforms: how likely is it that a single pass is enough? Two decimals will do (within 0.005).",
        f"目标 {target}，草稿 {draft}：第 t 行是词元 t 之后的分布。提示词是 [0]，draft_length 是 {DRAFTS}，"
        f"max_tokens 是 {TOKENS}，eos 是 None，均匀随机数是 {uniforms}（可能用不完）。请逐轮手算："
        "输出哪几个词元？目标模型运行几次？再对均匀随机数的所有取值问：只运行一次就够的概率是多少？"
        "保留两位小数即可（误差不超过 0.005）。",
    )


def _nth(place: int) -> Text:
    return Text(f"Generated token {place + 1} (0 or 1)", f"生成的第 {place + 1} 个词元（0 或 1）")


_PASSES = Text("Passes of the target", "目标模型运行的次数")
_ONE_PASS = Text("Probability that one pass is enough", "只运行一次就够的概率")
_OTHER = Text(
    "it's the other one; take the uniforms in order: the drafts of the round, all its coins, its last token",
    "是另一个；按顺序取均匀随机数：这一轮的草稿，全部接受与否，最后一个词元",
)
_ONE_EACH = Text(
    "that is one pass a token, as without drafts; a round that keeps a draft emits more than one",
    "这是每个词元一次，与没有草稿时一样；留下了草稿的一轮，输出不止一个词元",
)
_TOO_MANY = Text(
    "one too many; a round takes one pass, however many drafts it verifies",
    "多了一次；不论验证几个草稿，一轮只运行一次",
)
_TOO_FEW = Text(
    "one too few; a rejection ends its round, and the next round takes a pass of its own",
    "少了一次；一次拒绝就结束一轮，下一轮要再运行一次",
)
_FIRST_ONLY = Text(
    "that is how likely the first draft stays; the second has to stay as well",
    "这是第一个草稿留下的概率；第二个也要留下才行",
)
_SAME_ROW = Text(
    "the second draft stands in another row, unless the first is token 0; add up over both first tokens",
    "第二个草稿在另一行（除非第一个是词元 0）；要对第一个词元的两种情形求和",
)
_OTHER_ROW = Text(
    "the second draft stands in the row of the first; add up over both first tokens",
    "第二个草稿在第一个草稿对应的那一行；要对第一个词元的两种情形求和",
)
_REST = Text(
    "that is how likely it is that one pass is not enough",
    "这是只运行一次还不够的概率",
)
