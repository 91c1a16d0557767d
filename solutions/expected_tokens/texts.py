"""Why each number has to be what it is: the sentences of the hidden checks."""
from __future__ import annotations

from exercises.expect import Text

NUMBER = Text(
    "the docstring says which kind of number is returned",
    "返回哪一种数，文档字符串里有说明",
)
MEAN = Text(
    "at least n + 1 tokens come out with probability alpha ** n, so the mean is 1 + alpha + … + alpha ** K",
    "至少输出 n + 1 个词元的概率是 alpha ** n，所以均值是 1 + alpha + … + alpha ** K",
)
LAW = Text(
    "the mean over all outcomes of the K coins: the accepted run before the first rejection, and one token more",
    "对 K 枚硬币的所有结果求均值：第一次拒绝之前被接受的那一段，再加一个词元",
)
ONE_MORE = Text(
    "one more draft token brings a token only where it and all before it are accepted",
    "多一个草稿词元，只有它和前面的全部被接受时才多一个词元",
)
USELESS = Text(
    "no draft token is ever accepted, and each round still resamples one token",
    "没有草稿词元会被接受，但每一轮仍重采样一个词元",
)
CERTAIN = Text(
    "every draft token is accepted, and the bonus token comes on top",
    "每个草稿词元都被接受，另外还有奖励词元",
)
ENDLESS = Text(
    "the draft never runs out: the tokens up to the first rejection follow a geometric law with mean 1 / (1 - alpha)",
    "草稿永远用不完：到第一次拒绝为止的词元数服从几何分布，均值为 1 / (1 - alpha)",
)
DIGITS_KEPT = Text(
    "a power just below 1 taken from 1 loses most of its digits; math.expm1 of a logarithm keeps them",
    "从 1 里减去一个略小于 1 的幂，大部分有效数字就没了；对对数用 math.expm1 可以保住它们",
)
NO_DRAFT = Text(
    "without draft tokens a round is one plain pass of the target: one token, nothing gained, nothing lost",
    "没有草稿词元，一轮就是目标模型普通的一趟：一个词元，不赚也不亏",
)
SPEEDUP = Text(
    "the mean number of tokens over the cost of a round: one pass of the target and K draft tokens at c each",
    "平均词元数除以一轮的代价：目标模型的一趟，加上 K 个各花 c 的草稿词元",
)
BEST = Text(
    "the best number is faster than every smaller one and no slower than every larger one",
    "最佳个数比所有更小的都快，也不比所有更大的慢",
)
BORDER = Text(
    "one draft token makes the speedup (1 + alpha) / (1 + c), so drafting pays exactly where alpha is above c",
    "一个草稿词元使加速比成为 (1 + alpha) / (1 + c)，所以恰好在 alpha 大于 c 时才划算",
)
NO_BEST = Text(
    "each further draft token adds something and costs less than it brings, so no number is best",
    "每多一个草稿词元都有增益，而且代价低于所得，所以没有最佳的个数",
)
FREE = Text(
    "all numbers of draft tokens are equally fast, or none pays; the smallest of the best is 0",
    "所有的草稿词元数都一样快，或者都不划算；最好的里面最小的是 0",
)
BREAK_EVEN = Text(
    "at this rate the round must be exactly as fast as plain decoding",
    "在这个接受率上，一轮应当恰好与普通解码一样快",
)
NEVER = Text(
    "K draft tokens that all stay bring K + 1 tokens for 1 + K * c passes: enough exactly where c is at most 1",
    "K 个草稿词元全部留下时，以 1 + K * c 趟的代价带来 K + 1 个词元：恰好在 c 不大于 1 时够本",
)
