"""Why a round of verification has to return what it has to: the reasons that the hidden checks give."""
from __future__ import annotations

from exercises.expect import Text

RATIO = Text(
    "draft token x stays exactly when coin * draft(x) is below target(x), so its ratio target/draft decides; a token "
    "with a ratio of 1 or more always stays",
    "草稿词元 x 留下，当且仅当 硬币 * 草稿概率 小于 目标概率，也就是由比值 目标/草稿 决定；比值不小于 1 的词元总是留下",
)
CUT = Text(
    "the draft tokens before the first rejection stay and everything after it is void; then exactly one token is drawn",
    "第一次拒绝之前的草稿词元留下，之后的一律作废；然后恰好再抽一个词元",
)
RESIDUAL = Text(
    "after a rejection at position k the token is drawn from what target row k has beyond draft row k, normalised",
    "在位置 k 被拒绝之后，词元要从目标第 k 行比草稿第 k 行多出的部分（归一化之后）里抽",
)
BONUS = Text(
    "all K draft tokens stay, so one more token is drawn from the last target row, row K",
    "K 个草稿词元全部留下，所以再从目标的最后一行（第 K 行）抽一个词元",
)
IMPOSSIBLE = Text(
    "the target gives draft token 1 no probability at position 1, so no coin may keep it, 0 included",
    "在位置 1，目标给草稿词元 1 的概率是零，所以不论硬币是多少（包括 0）都不能留下它",
)
TINY = Text(
    "only the ratio counts, however rare the token: equal probabilities always stay, a quarter stays below 0.25",
    "不论词元多么罕见，只看比值：两个概率相等时总是留下；目标是草稿的四分之一时，硬币小于 0.25 才留下",
)
FIRST_GREATER = Text(
    "the token is the first whose cumulative sum is greater than final_draw; a sum that is equal is not greater, and a "
    "token without mass is never drawn",
    "要取累积和第一次大于 final_draw 的词元；相等不算大于，没有质量的词元绝不能被抽到",
)
SHORT_SUM = Text(
    "ten times 0.1 adds up to just below 1 here, and no sum is greater than final_draw; then the last token that has "
    "mass is meant",
    "这里十个 0.1 加起来略小于 1，没有累积和大于 final_draw；这时应取最后一个有质量的词元",
)
ROUNDED_AWAY = Text(
    "the token is rejected although nothing is missing anywhere: rounding can do that. Then the target row stands in "
    "for the residual",
    "词元被拒绝了，可哪里都不缺质量：舍入误差会造成这种情况。这时用目标的这一行代替残差",
)
NEITHER = Text(
    "neither model gives draft token 1 any probability: nothing is below 0, so it is rejected",
    "两个模型给草稿词元 1 的概率都是零：没有什么小于 0，所以它被拒绝",
)
NO_DRAFTS = Text(
    "with K = 0 nothing is judged, and one token is drawn from the only target row",
    "K = 0 时没有要判断的词元，从唯一的目标行里抽一个词元",
)
ONE_HOT = Text(
    "each target row allows a single token: a draft token that is it always stays, any other is replaced by it",
    "目标的每一行只允许一个词元：草稿正好是它就总是留下，否则就换成它",
)
DISJOINT = Text(
    "the draft token is impossible for the target, and what the target misses is its whole row",
    "目标不可能产生这个草稿词元，而目标所缺的就是它的整行",
)
FINE = Text(
    "ratios, sums and draws count in full float64: steps of 1e-9, or of one token among 131072, are not rounded away",
    "比值、累积和与抽样都要用完整的 float64：不能把 1e-9 的差别，或者 131072 个词元中的一个，舍入掉",
)
ONE_EACH = Text(
    "coins[k] judges draft token k and nothing else, a coin after the first rejection is not used, and only final_draw "
    "decides which token is drawn",
    "coins[k] 只判断草稿词元 k，第一次拒绝之后的硬币不再使用，抽到哪个词元只由 final_draw 决定",
)
RULE = Text(
    "the coins decide how many draft tokens stay; final_draw then picks from the residual of the rejected position, or "
    "from the bonus row",
    "硬币决定留下多少个草稿词元；然后 final_draw 从被拒绝位置的残差里抽，全部留下时从奖励行里抽",
)
JOINT = Text(
    "over all drafts and all uniforms the tokens that come out (continued by the target where the round ends early) "
    "must have exactly the target's joint law",
    "对所有草稿和所有随机数合计，输出的词元（一轮提前结束时由目标续完）必须严格服从目标的联合分布",
)
ONE_CELL = Text(
    "nearby uniforms, with which every test and the draw turn out the same, give something else: some uniform "
    "decides at another place than the prompt says, or decides something else",
    "附近的另一组随机数，每个判断和抽样的结果都与它相同，输出却不同：某个随机数的分界与题目所说的不一致，或者它决定了别的东西",
)
LENGTH = Text(
    "j draft tokens stay with the probability that target and draft share along the first j positions; a round emits "
    "one token more than stay",
    "前 j 个草稿词元都留下的概率，是目标与草稿在前 j 个位置上共有的概率；一轮输出的词元比留下的多一个",
)
TOKENS = Text(
    "a round returns a list of token ids: the draft tokens that stay, and one more",
    "一轮返回词元编号的列表：留下的草稿词元，再加一个",
)
UNCHANGED = Text(
    "the caller still needs its arrays as they were",
    "调用者之后还要用这些数组，不能改动",
)
STRICT = Text(
    "a coin of 0 keeps every token that the target can produce, and none that it can't",
    "硬币为 0 时，目标可能产生的词元都留下，不可能产生的都不留",
)
EQUALITY = Text(
    "the coin equals the ratio; of the coins in [0, 1) exactly the share below the ratio must keep the token, so an "
    "equal one rejects",
    "硬币恰好等于比值；[0, 1) 里的硬币应当恰好有比值那么大的一部分让词元留下，所以相等时要拒绝",
)
ELSEWHERE = Text(
    "this round has none of the planted faults in its way: the code that was handed out gets it right",
    "这一轮碰不到任何埋下的错误：最初给你的代码在这里是对的",
)
