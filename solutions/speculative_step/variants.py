"""Fresh numbers for the exercise: a round of two draft tokens over three, with its uniforms, to work by hand."""
from __future__ import annotations

import random
from typing import NamedTuple

from exercises.expect import Text
from solutions.cases import law_by_hand
from solutions.draws import pick
from solutions.rejection_rule.solution import rejection_rule
from solutions.rounds import arguments, round_of
from solutions.speculative_step.solution import speculative_step
from solutions.variant import Field, Variant

CLEAR = 0.04  # how far the uniforms stay away from where the outcome changes: two decimals are enough to see it

Slips = tuple[tuple[float, Text], ...]


class Case(NamedTuple):
    tokens: list[int]
    target: list[list[float]]
    draft: list[list[float]]
    coins: list[float]
    final_draw: float

    @property
    def accepts(self) -> list[float]:
        return [rejection_rule(*step)[0] for step in self._steps]

    def law(self, kept: int) -> list[float]:
        """The law of the last token where `kept` draft tokens stay."""
        return self.target[kept] if kept == len(self.tokens) else list(rejection_rule(*self._steps[kept])[1])

    @property
    def _steps(self) -> list[tuple[list[float], list[float], int]]:
        return list(zip(self.target[:-1], self.draft, self.tokens, strict=True))

    def emitted(self) -> list[int]:
        return speculative_step(*arguments(round_of(*self[:3]), self.coins, self.final_draw))


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time, right values from the solution."""
    rng = random.Random(seed)
    kept = rng.randrange(3)
    case = _draw(rng)
    while len(case.emitted()) != kept + 1 or not _is_clear(case):
        case = _draw(rng)
    return Variant(seed, _question(case), _fields(case))


def _draw(rng: random.Random) -> Case:
    target, draft = ([law_by_hand(rng) for _ in range(count)] for count in (3, 2))
    coins = [rng.randrange(5, 96) / 100 for _ in range(2)]
    return Case([rng.randrange(3) for _ in range(2)], target, draft, coins, rng.randrange(5, 96) / 100)


def _is_clear(case: Case) -> bool:
    """No uniform is near a border, both tests can fail, and the draw tells the right law from the target's row."""
    emitted = case.emitted()
    kept = len(emitted) - 1
    law = case.law(kept)
    borders = [sum(law[:count]) for count in (1, 2)]
    clear = all(abs(coin - ratio) > CLEAR for coin, ratio in zip(case.coins, case.accepts, strict=True))
    clear = clear and all(abs(case.final_draw - border) > CLEAR for border in borders)
    tells = kept == 2 or (max(law) < 1.0 and pick(case.target[kept], case.final_draw) != emitted[-1])
    return clear and tells and max(case.accepts) < 1.0


def _fields(case: Case) -> tuple[Field, ...]:
    emitted = case.emitted()
    kept = len(emitted) - 1
    passed = sum(coin < ratio for coin, ratio in zip(case.coins, case.accepts, strict=True))
    wrong_row = case.target[1] if kept == 2 else case.target[kept]
    return (
        *(_accept_field(case, k, ratio) for k, ratio in enumerate(case.accepts)),
        Field("kept", _KEPT, float(kept), ((float(passed), _COUNTED), (float(kept + 1), _WITH_THE_LAST))),
        *(_law_field(case, kept, token, share) for token, share in enumerate(case.law(kept))),
        Field("token", _TOKEN, float(emitted[-1]), ((float(pick(wrong_row, case.final_draw)), _WRONG_ROW),)),
    )


def _accept_field(case: Case, k: int, ratio: float) -> Field:
    wanted, offered = case.target[k][case.tokens[k]], case.draft[k][case.tokens[k]]
    label = Text(f"Draft token {k}: probability that it passes its test", f"草稿词元 {k}：通过判断的概率")
    slips = ((1.0 - ratio, _REJECT), (wanted, _TARGET_ALONE), (offered / wanted, _INVERTED))
    return Field(f"accept_{k}", label, ratio, slips)


def _law_field(case: Case, kept: int, token: int, share: float) -> Field:
    label = Text(f"Law of the token that is drawn: token {token}", f"所抽词元的分布：词元 {token}")
    if kept == 2:
        slips: Slips = ((case.target[1][token], _ROW_BEFORE), (case.draft[1][token], _FROM_DRAFT))
    else:
        wanted, offered = case.target[kept][token], case.draft[kept][token]
        slips = (
            (max(wanted - offered, 0.0), _NOT_NORMALISED),
            (wanted, _FROM_TARGET),
            (offered, _FROM_DRAFT),
            (case.target[2][token], _BONUS_ROW),
        )
    return Field(f"law_{token}", label, share, slips)


def _question(case: Case) -> Text:
    return Text(
        f"Draft tokens {case.tokens}. Target rows {case.target}, draft rows {case.draft}. Coins {case.coins}, final "
        f"draw {case.final_draw}. By hand: how likely does each draft token pass its test, how many stay with these "
        "coins, from which law is the last token drawn, and which token is it? Decimals or fractions like 5/6; two "
        "decimals are enough (within 0.005).",
        f"草稿词元 {case.tokens}。目标各行 {case.target}，草稿各行 {case.draft}。硬币 {case.coins}，最后的抽样值 "
        f"{case.final_draw}。请手算：每个草稿词元通过判断的概率是多少？用这些硬币会留下几个？最后一个词元从什么分布里抽，"
        "抽到的是哪一个？可以写小数，也可以写 5/6 这样的分数；保留两位小数即可（误差不超过 0.005）。",
    )


_KEPT = Text("Draft tokens that stay", "留下的草稿词元个数")
_TOKEN = Text("The token that is drawn", "抽到的词元")
_REJECT = Text("that is how likely it fails", "这是没有通过的概率")
_TARGET_ALONE = Text("that is its target probability; compare with the draft", "这是它的目标概率；还要与草稿相比")
_INVERTED = Text("the ratio is upside down: target over draft", "比值写反了：应当是 目标/草稿")
_COUNTED = Text(
    "that counts a test behind the rejection too; the first failure ends the round",
    "这把拒绝之后的判断也算进去了；第一次失败就结束这一轮",
)
_WITH_THE_LAST = Text(
    "that is how many tokens come out; one of them is drawn and not a draft token",
    "这是输出的词元个数；其中一个是抽出来的，不是草稿词元",
)
_NOT_NORMALISED = Text("that is what is missing; divide by the sum", "这是所缺的质量；还要除以总和")
_FROM_TARGET = Text(
    "that is the whole target row; subtract what the draft offers, and normalise",
    "这是目标的整行；要减去草稿提供的，再归一化",
)
_FROM_DRAFT = Text(
    "that is the draft's row; the token comes from the target's side",
    "这是草稿行；词元要从目标那一边抽",
)
_BONUS_ROW = Text(
    "that is the bonus row; it counts only where every draft token stays",
    "这是奖励行；只有草稿词元全部留下才用它",
)
_ROW_BEFORE = Text("that is the row before; the bonus row is the last one", "这是前一行；奖励行是最后一行")
_WRONG_ROW = Text("that token comes from another row with the same draw", "用同样的抽样值，从另一行才会抽到这个词元")
