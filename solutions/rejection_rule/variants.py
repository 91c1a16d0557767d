"""Fresh numbers for the exercise: three tokens, the proposed one can be rejected, the others each miss something."""
from __future__ import annotations

import random

from exercises.expect import Text
from solutions.cases import pair_by_hand
from solutions.law import one_step_law
from solutions.rejection_rule.solution import rejection_rule
from solutions.variant import Field, Variant


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time, right values from the solution."""
    target, draft, token = pair_by_hand(random.Random(seed))
    accept, residual = rejection_rule(target, draft, token)
    rejected = sum(one_step_law(target, draft, rejection_rule).rejected)
    fields = (
        _accept_field(target[token], draft[token], accept),
        *(_residual_field(target, draft, index, share) for index, share in enumerate(residual)),
        Field("reject", _REJECT, rejected, ((1.0 - accept, _GIVEN), (1.0 - rejected, _ACCEPTED))),
    )
    return Variant(seed, _question(target, draft, token), fields)


def _accept_field(wanted: float, offered: float, accept: float) -> Field:
    slips = (
        (offered / wanted, _INVERTED),
        (1.0, _NOT_ALL),
        (1.0 - accept, _REJECT_NOT_ACCEPT),
        (wanted, _TARGET_ALONE),
        (offered, _DRAFT_ALONE),
        (wanted / (wanted + offered), _SHARE),
    )
    return Field("accept", _ACCEPT, accept, slips)


def _residual_field(target: list[float], draft: list[float], index: int, share: float) -> Field:
    wanted, offered = target[index], draft[index]
    spread = sum(abs(p - q) for p, q in zip(target, draft, strict=True))
    slips = (
        (wanted - offered, _NOT_NORMALISED if wanted > offered else _NEGATIVE),
        (abs(wanted - offered) / spread, _ABSOLUTE),
        (abs(wanted - offered), _ABSOLUTE),
        (wanted, _WHOLE_TARGET),
        (offered, _WHOLE_DRAFT),
        (min(wanted, offered), _OVERLAP),
    )
    label = Text(f"Residual of token {index}", f"词元 {index} 的残差概率")
    return Field(f"residual_{index}", label, share, slips)


def _question(target: list[float], draft: list[float], token: int) -> Text:
    return Text(
        f"Target {target}, draft {draft}. The draft proposed token {token}. By hand: how likely is this token kept, "
        "what is the residual, and how often does a step with these two models end in a rejection, over all tokens "
        "that the draft may propose? Decimals or fractions like 5/6; two decimals are enough (within 0.005).",
        f"目标分布 {target}，草稿分布 {draft}，草稿提议了词元 {token}。请手算：这个词元以多大概率被留下？"
        "残差分布是什么？对草稿可能提议的所有词元来说，一步以拒绝告终的概率是多少？"
        "可以写小数，也可以写 5/6 这样的分数；保留两位小数即可（误差不超过 0.005）。",
    )


_ACCEPT = Text("Accept probability of the proposed token", "被提议词元的接受概率")
_REJECT = Text("Probability that a step ends in a rejection", "一步以拒绝告终的概率")
_INVERTED = Text("upside down: it is target over draft", "比值写反了：应当是目标除以草稿")
_NOT_ALL = Text(
    "the draft proposes this token too often, so not every proposal stays",
    "草稿提议这个词元过多，不能每次都留下",
)
_REJECT_NOT_ACCEPT = Text("that is the probability of rejecting it", "这是拒绝它的概率")
_TARGET_ALONE = Text(
    "that is its target probability; it was proposed first, so divide by the draft probability",
    "这是它的目标概率；它是先被提议的，所以还要除以草稿概率",
)
_DRAFT_ALONE = Text("that is its draft probability; the target has to decide", "这是它的草稿概率；该由目标来决定")
_SHARE = Text("compare with the draft alone, not with the sum of both", "应当只与草稿相比，而不是与两者之和相比")
_NOT_NORMALISED = Text(
    "that is the missing mass; divide by the sum over all tokens",
    "这是缺少的质量；还要除以所有词元的总和",
)
_NEGATIVE = Text(
    "the draft has too much of this token: it misses nothing, so 0",
    "草稿给多了这个词元：它什么也不缺，所以是 0",
)
_ABSOLUTE = Text(
    "too much is not missing: count only where the target is above the draft",
    "多出来的不算缺：只算目标高于草稿的地方",
)
_WHOLE_TARGET = Text(
    "that is the whole target probability; take off what the draft gives",
    "这是整个目标概率；还要减去草稿给的",
)
_WHOLE_DRAFT = Text(
    "that is the draft probability; the residual is what the target has beyond it",
    "这是草稿概率；残差是目标高出它的部分",
)
_OVERLAP = Text(
    "that part has come out by acceptance already; what is missing?",
    "这部分已经由接受路径输出了；还缺什么？",
)
_GIVEN = Text(
    "that is the probability given that this token was proposed; weigh it with how often it is proposed",
    "这是“已经提议了这个词元”条件下的概率；还要乘上提议它的概率",
)
_ACCEPTED = Text("that is the acceptance rate; a rejection is the rest", "这是接受率；剩下的才是拒绝")
