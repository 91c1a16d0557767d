"""Why a batch has to give what it has to: the reasons that the hidden checks give."""
from __future__ import annotations

from exercises.expect import Text

ROWS = Text(
    "every target row here gives all its mass to the token of its own number, so each token tells which row it came "
    "from: a draft token is judged by the row of its request and position, and the last token comes from the row after "
    "the accepted ones",
    "这里每个目标行都把全部质量放在与行号相同的词元上，所以每个词元说明它来自哪一行：草稿词元由它所属请求、所在位置的那一行来判断，"
    "最后一个词元来自已接受词元之后的那一行",
)
STOPS = Text(
    "after its first rejection a request emits one more token and stops; draft tokens behind it are dropped, whatever "
    "their coins say",
    "第一次拒绝之后，请求再输出一个词元就结束；后面的草稿词元全部作废，不论它们的硬币如何",
)
COINS = Text(
    "each draft token is judged with the coin at its own place in the flat layout",
    "每个草稿词元都用平铺布局中与自己位置相同的那枚硬币来判断",
)
NO_DRAFTS = Text(
    "a request without draft tokens draws one token from its only row, also where no request has any",
    "没有草稿词元的请求从它唯一的一行抽一个词元；整个批次都没有草稿词元时也是如此",
)
IMPOSSIBLE = Text(
    "a token that the target gives no mass must be rejected even at coin 0: 0 is not below 0",
    "目标没有给质量的词元，硬币为 0 时也必须拒绝：0 并不小于 0",
)
TIE = Text(
    "a draft token stays where coin * draft is below target; where they are equal it goes",
    "coin * draft 小于 target 时草稿词元留下；两者相等时拒绝",
)
TINY = Text(
    "probabilities are compared as they are, however small; nothing may be added to them",
    "概率再小，也要按原值比较；不能往上加任何东西",
)
FALLBACK = Text(
    "where rounding leaves a rejected request no residual mass, its own target row stands in; the other requests of "
    "the batch keep their residuals",
    "如果舍入使某个被拒绝的请求没有残差质量，就用它自己的目标行代替；批次里的其他请求仍用各自的残差",
)
EDGES = Text(
    "the draw reaches the first token whose cumulative sum is greater than it, and never a token without mass: not at "
    "0, not on an edge, not just below 1",
    "抽到的是累积和首次大于随机数的词元，绝不会是没有质量的词元：随机数为 0、落在边界上、略小于 1 时都一样",
)
RESIDUAL = Text(
    "after a rejection the draw goes over max(target - draft, 0), scaled to its own sum: here tokens 1 and 3 share it "
    "equally",
    "拒绝之后，要在 max(target - draft, 0) 上抽取，并按它自己的总和缩放：这里词元 1 和 3 各占一半",
)
LARGE = Text(
    "with many tokens the running sum needs float64: neighbouring draws reach neighbouring tokens, and a rare one at "
    "the end can still be reached",
    "词元很多时，累积和需要 float64：相邻的随机数要抽到相邻的词元，末尾的罕见词元也必须抽得到",
)
HALF = Text(
    "rows of float16 or bfloat16 are exact, but their products, differences and sums are not: turn what you read of "
    "them into float64 before you compute with it",
    "float16 或 bfloat16 的行本身是精确的，但它们的乘积、差与和不是：读出之后，先转换成 float64 再计算",
)
ROW_BY_ROW = Text(
    "a batch gives each request the tokens that it gets when it is verified alone, with the same uniforms",
    "同样的随机数下，批量验证给每个请求的词元，与单独验证它时完全相同",
)
ORDER = Text(
    "the requests of a batch don't know of each other: in another order each still gets the same tokens",
    "批次里的请求互不影响：换一个顺序，每个请求得到的词元不变",
)
LAW = Text(
    "every draft and every uniform of a grid, weighted, gives the exact law of the emitted tokens, continued by the "
    "target; it must be the target's own law, sequence by sequence",
    "遍历一个网格上的全部草稿与随机数并加权，就得到输出词元（再由目标模型续写）的精确分布；它必须逐个序列都等于目标自身的分布",
)
UNCHANGED = Text(
    "the caller goes on using its tensors, so none of them may be changed in place",
    "调用者之后还要使用这些张量，所以不能原地修改其中任何一个",
)
