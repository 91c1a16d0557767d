"""Fresh numbers for the exercise: three tokens, one in the output, one drafted; one stage halves, one squares."""
from __future__ import annotations

import random
from math import log
from typing import Any

import numpy as np

from exercises.expect import Text
from solutions.target_distribution.solution import target_distribution
from solutions.variant import Field, Variant

WEIGHTS = (2, 4, 6, 8, 10)
PARAMS = {"presence_penalty": log(2.0), "temperature": 0.5}


def make(seed: int) -> Variant:
    """The variant of that seed: the same numbers each time, right values from the solution."""
    rng = random.Random(seed)
    weights = rng.sample(WEIGHTS, 3)
    emitted, drafted = rng.sample(range(3), 2)
    scores = np.log(np.array([weights, weights], dtype=np.float64))

    def rows(params: dict[str, Any], output: list[int], draft: int, scale: float = 1.0) -> np.ndarray:
        return target_distribution(scores / scale, params, ([], output, [draft]))

    right = rows(PARAMS, [emitted], drafted)
    penalty, temperature = ({name: value} for name, value in PARAMS.items())
    slips = (  # wrong rows, and what to say about them in row 0 and row 1
        (rows(penalty, [emitted], drafted), (_NO_TEMPERATURE, _NO_TEMPERATURE)),
        (rows(penalty, [emitted], drafted, PARAMS["temperature"]), (_PENALTY_LAST, _PENALTY_LAST)),
        (right[::-1], (_OWN_POSITION, _DRAFT_FORGOTTEN)),
        (rows(temperature, [emitted], drafted), (_NO_PENALTY, _NO_PENALTY)),
        (rows(PARAMS, [], drafted), (_NO_PENALTY, _OUTPUT_FORGOTTEN)),
    )
    fields = tuple(
        Field(
            f"row_{row}_token_{token}",
            Text(f"Row {row}, token {token}", f"第 {row} 行，词元 {token}"),
            float(right[row, token]),
            tuple((float(wrong[row, token]), why[row]) for wrong, why in slips),
        )
        for row in range(2)
        for token in range(3)
    )
    return Variant(seed, _question(weights, emitted, drafted), fields)


def _question(weights: list[int], emitted: int, drafted: int) -> Text:
    first, second, third = weights
    return Text(
        f"Both rows have the scores ln {first}, ln {second} and ln {third}. The prompt is empty, the output so far is "
        f"[{emitted}], the one draft token is [{drafted}]. The request has a presence penalty of ln 2 and "
        "temperature 0.5, nothing else. By hand: what are the two rows? Work with the weights: what does a penalty of "
        "ln 2 do to a weight, and what does temperature 0.5? Decimals or fractions; two decimals are enough (within "
        "0.005).",
        f"两行的得分都是 ln {first}、ln {second}、ln {third}。提示词为空，已有输出是 [{emitted}]，"
        f"唯一的草稿词元是 [{drafted}]。请求带有存在惩罚 ln 2 和温度 0.5，此外没有别的参数。请手算：这两行各是什么？"
        "用权重来算：惩罚 ln 2 使权重怎样变化，温度 0.5 又怎样？可以写小数或分数；"
        "保留两位小数即可（误差不超过 0.005）。",
    )


_NO_TEMPERATURE = Text(
    "that is without the temperature; dividing the scores by 0.5 squares the weights",
    "这没有算温度；得分除以 0.5，权重就平方",
)
_PENALTY_LAST = Text(
    "that squares first and halves then; the penalty comes before the temperature, so it is squared too",
    "这是先平方再减半；惩罚先于温度，减半的部分也要平方",
)
_OWN_POSITION = Text(
    "that penalises the draft at its own position; row 0 knows only the output",
    "这在草稿词元自己的位置上就惩罚了它；第 0 行只知道已有输出",
)
_DRAFT_FORGOTTEN = Text(
    "that is row 0; in row 1 the draft has been emitted too",
    "这是第 0 行；到第 1 行，草稿词元也已经输出",
)
_NO_PENALTY = Text(
    "that is without the penalty for the token in the output; ln 2 taken off the score halves the weight",
    "这没有惩罚已输出的词元；得分减去 ln 2，权重就减半",
)
_OUTPUT_FORGOTTEN = Text(
    "that penalises only the draft; the token in the output was emitted as well",
    "这只惩罚了草稿词元；已有输出里的词元也输出过",
)
