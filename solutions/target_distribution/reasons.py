"""Why a value is expected: the sentences of the hidden checks."""
from __future__ import annotations

from exercises.expect import Text

SHAPE = Text(
    "K + 1 rows of logits give K + 1 rows of V probabilities", "K + 1 行 logits 得到 K + 1 行，每行 V 个概率"
)
SUM = Text(
    "each row is a distribution: none of its numbers is negative, and together they are 1",
    "每一行都是概率分布：没有负数，总和为 1",
)
TEMPERATURE = Text(
    "the scores are divided by the temperature: 2 takes the square root of the weights, 0.5 squares them",
    "得分要除以温度：温度 2 使权重开平方，0.5 使权重平方",
)
TOP_K = Text(
    "the k tokens with the largest scores stay, wherever they are in the vocabulary",
    "留下得分最高的 k 个词元，不论它们在词表的什么位置",
)
TOP_P = Text(
    "the likeliest tokens stay until their mass reaches top_p, and the token that reaches it stays too",
    "从最可能的词元开始留，直到质量达到 top_p；使质量达到 top_p 的那个词元也要留下",
)
MIN_P = Text(
    "a token stays if it has at least min_p times the probability of the likeliest token, which has 0.5 here",
    "一个词元的概率不低于最可能词元的 min_p 倍就留下；这里最可能的词元概率为 0.5",
)
REPETITION = Text(
    "a token that is in the prompt or the output, once or often: a score above 0 is divided by the penalty, another "
    "is multiplied by it",
    "词元只要在提示词或输出里出现过，不论几次：得分大于 0 就除以惩罚系数，否则乘以它",
)
PRESENCE = Text(
    "the presence penalty is taken off once from a token that was emitted, however often; the prompt doesn't count",
    "存在惩罚对输出过的词元只减一次，不论输出过几次；提示词不算",
)
FREQUENCY = Text(
    "the frequency penalty is taken off for each time that the token was emitted; the prompt doesn't count",
    "频率惩罚按词元输出过的次数，每次减一份；提示词不算",
)
BIAS = Text("the bias is added to the score of its token", "偏置加在对应词元的得分上")
ALLOWED = Text(
    "each row has its own list of allowed tokens, the bonus row too; no other token can come, and the row still sums "
    "to 1",
    "每一行都有自己的允许列表，奖励词元那一行也不例外；其他词元不可能出现，而这一行的总和仍为 1",
)
GROWS = Text(
    "row i is judged after the output and the first i drafts: a draft is penalised in later rows, not in its own",
    "第 i 行接在已有输出和前 i 个草稿词元之后：草稿词元在之后的行里受惩罚，在自己那一行不受",
)
BIAS_FIRST = Text(
    "the bias comes before the penalties: token 2 has 0 + ln 4, and the repetition penalty halves that",
    "先加偏置，再算惩罚：词元 2 的得分是 0 + ln 4，重复惩罚再把它减半",
)
PENALTIES_FIRST = Text(
    "the penalties come before the temperature, which then scales what they took off too",
    "先算惩罚，再除以温度：惩罚扣掉的部分也一起被缩放",
)
MASK_FIRST = Text(
    "the mask comes first: a token that isn't allowed takes no place among the k and no mass of top_p",
    "掩码最先应用：不允许的词元既不占 top-k 的名额，也不占 top-p 的质量",
)
SCALED_FIRST = Text(
    "the cuts look at the probabilities after the temperature",
    "截断看的是除以温度之后的概率",
)
CUTS = Text(
    "min-p comes first, then top-k, then top-p; top-p counts the mass among the tokens that are left: token 0 has "
    "10/15 of it",
    "先 min-p，再 top-k，最后 top-p；top-p 在剩下的词元里计算质量：词元 0 占 10/15",
)
TIE = Text(
    "at temperature 0 all mass is on one token; of equal scores the lowest index",
    "温度为 0 时，全部质量都在一个词元上；得分相同时取编号最小的",
)
GREEDY = Text(
    "temperature 0 takes the best token after mask, bias and penalties, with the drafts that lie before the row",
    "温度 0 取的是掩码、偏置和惩罚之后得分最高的词元，惩罚要算上这一行之前的草稿词元",
)
LIMIT = Text(
    "the lower the temperature, the closer to the law of temperature 0",
    "温度越低，就越接近温度为 0 时的分布",
)
OFF = Text(
    "a parameter at its neutral value changes nothing: top_k at 0, at -1, at V and above, top_p at 1, min_p at 0",
    "参数取中性值时什么也不改变：top_k 为 0、-1、V 或更大，top_p 为 1，min_p 为 0",
)
RARE = Text(
    "nothing is cut, so the rarest token keeps its tiny probability",
    "什么也没有截断，所以再罕见的词元也保留它微小的概率",
)
TIES_TOP_K = Text(
    "a token whose score equals the k-th largest stays too, even if that makes more than k",
    "得分与第 k 大的相同，也要留下，哪怕总数因此超过 k",
)
TIES_TOP_P = Text(
    "of equally likely tokens those with the lower index come first, until the mass reaches top_p",
    "概率相同时，编号小的在先，直到质量达到 top_p",
)
IMPOSSIBLE = Text(
    "nothing that is added to -inf or multiplied with it makes the token possible",
    "-inf 无论加上什么、乘以什么，这个词元都不会变得可能",
)
ONLY_ONE = Text(
    "with one token allowed it comes with probability 1, however bad its score",
    "只允许一个词元时，它的概率就是 1，不论得分多低",
)
LARGE = Text(
    "only differences between scores count; subtract the largest before exp, so that nothing overflows or vanishes",
    "只有得分之差才起作用；取 exp 之前先减去最大值，就不会溢出，也不会全部变成 0",
)
UPCAST = Text(
    "float32 scores are computed with in float64", "float32 的得分要用 float64 计算"
)
NO_DRAFTS = Text(
    "without drafts there is one row, the law of the next token after the output",
    "没有草稿词元时只有一行：已有输出之后下一个词元的分布",
)
PLAIN_DECODING = Text(
    "the row must be the law that the request has without speculation, once the drafts before it are emitted",
    "这一行必须等于不用投机采样、而前面的草稿词元已经输出时，这个请求的分布",
)
ALL = Text(
    "mask, bias, penalties, temperature, min-p, top-k, top-p, softmax; each stage works on what the one before left",
    "掩码、偏置、惩罚、温度、min-p、top-k、top-p、softmax：每一步都作用在前一步的结果上",
)
SAME_LAW = Text(
    "with these rows the verification of a draft must give the law that the request asks for, whatever the draft",
    "用这些行来验证，不论草稿怎样，输出都必须服从这个请求要求的分布",
)
UNCHANGED = Text(
    "the engine still needs logits, parameters and history as they were",
    "引擎之后还要用 logits、参数和历史，不能改动",
)
