from typing import Any

import numpy as np

OFF: dict[str, Any] = {  # the values with which a parameter changes nothing; a request gives only what it needs
    "temperature": 1.0,
    "top_k": 0,
    "top_p": 1.0,
    "min_p": 0.0,
    "repetition_penalty": 1.0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
    "logit_bias": {},
    "allowed_tokens": None,
}
RANGES: dict[str, tuple[float, float]] = {  # as in vLLM, where it has one
    "temperature": (0, 100),
    "top_k": (-1, 2**31),
    "top_p": (0, 1),
    "min_p": (0, 1),
    "repetition_penalty": (0.01, 100),
    "presence_penalty": (-2, 2),
    "frequency_penalty": (-2, 2),
}


def target_distribution(
    logits: np.ndarray, params: dict[str, Any], history: tuple[list[int], list[int], list[int]]
) -> np.ndarray:
    """The target's law at every position of one verification round, with all sampling parameters of the request.

    logits: (K + 1, V) raw scores of the target; row i judges draft token
    i + 1, the last row is the bonus row. -inf is a token that can't come.
    float16 and float32 are upcast; everything is computed in float64.
    params: what differs from OFF. logit_bias: {token: number to add};
    allowed_tokens: K + 1 lists, the tokens that the grammar lets through at
    each position, or None.
    history: (prompt_tokens, output_tokens, draft_tokens): what the user
    wrote, what has been emitted so far, the K draft tokens of this round.
    Returns (K + 1, V) float64; each row is a distribution.
    Raises ValueError where an input breaks a rule of `checked`.
    Order of the stages: vLLM at commit 72c0d6765, the sampler of the new
    model runner, vllm/v1/worker/gpu/sample/sampler.py.
    """
    logits, settings, history = checked(logits, params, history)
    prompt_tokens, output_tokens, draft_tokens = history
    allowed_tokens = settings["allowed_tokens"] or [None] * len(logits)

    law = np.zeros(logits.shape)
    for row, scores in enumerate(logits):
        # emitted: what the request has put out before this position, if the drafts so far are accepted
        emitted = ______
        # every stage in its order; at the end law[row] is set
        ______
    return law


def only_allowed(scores: np.ndarray, tokens: list[int] | None) -> np.ndarray:
    """The scores with every token that isn't allowed at -inf; None allows all."""
    if tokens is None:
        return scores
    allowed = np.full_like(scores, -np.inf)
    allowed[tokens] = scores[tokens]
    return allowed


def biased(scores: np.ndarray, logit_bias: dict[int, float]) -> np.ndarray:
    """The scores with each token's bias added."""
    scores = scores.copy()
    for token, bias in logit_bias.items():
        scores[token] += bias
    return scores


def penalised(
    scores: np.ndarray, prompt_tokens: list[int], emitted: list[int], settings: dict[str, Any]
) -> np.ndarray:
    """The scores after the repetition, the frequency and the presence penalty, in this order."""
    scores = scores.copy()
    repetition = settings["repetition_penalty"]
    frequency, presence = settings["frequency_penalty"], settings["presence_penalty"]
    # (V,) each: whether a token is in the prompt, and how often it was emitted
    in_prompt = np.isin(np.arange(len(scores)), prompt_tokens)
    counts = np.bincount(np.array(emitted, dtype=np.int64), minlength=len(scores))
    ______
    return scores


def cut_min_p(scores: np.ndarray, min_p: float) -> np.ndarray:
    """The scores with every token at -inf that is less likely than min_p times the likeliest."""
    probs = softmax(scores)
    kept = ______
    return np.where(kept, scores, -np.inf)


def cut_top_k(scores: np.ndarray, top_k: int) -> np.ndarray:
    """The scores with every token below the k-th largest score at -inf; 0, -1, V and more cut nothing."""
    # kept: (V,) booleans
    ______
    return np.where(kept, scores, -np.inf)


def cut_top_p(scores: np.ndarray, top_p: float) -> np.ndarray:
    """The scores with all but the smallest set of likeliest tokens at -inf whose mass reaches top_p; 1 cuts nothing."""
    probs = softmax(scores)
    # kept: (V,) booleans
    ______
    return np.where(kept, scores, -np.inf)


def softmax(scores: np.ndarray) -> np.ndarray:
    """The probabilities of the scores; a score of -inf has none."""
    weights = ______
    probs: np.ndarray = weights / weights.sum()
    return probs


def checked(
    logits: Any, params: dict[str, Any], history: tuple[Any, Any, Any]
) -> tuple[np.ndarray, dict[str, Any], tuple[list[int], list[int], list[int]]]:
    """The logits in float64, every parameter, the history; all that will be changed is a copy.

    Raises ValueError, with the value, the rule and the place.
    """
    rows = np.asarray(logits)
    if rows.ndim != 2 or rows.size == 0 or rows.dtype.kind not in "fiu":
        raise ValueError(f"logits has shape {rows.shape} of {rows.dtype}; it must be (K + 1, V) numbers, V at least 1")
    rows = rows.astype(np.float64)
    for row, token in np.argwhere(~((np.abs(rows) <= 1e100) | (rows == -np.inf))):
        raise ValueError(f"logits[{row}, {token}] is {rows[row, token]}; a logit is -inf or within 1e100 of 0")
    (count, size), settings = rows.shape, OFF | params
    check_params(settings)
    prompt_tokens, output_tokens, draft_tokens = (list(tokens) for tokens in history)
    allowed = settings["allowed_tokens"]
    if len(draft_tokens) != count - 1:
        raise ValueError(f"{count} rows of logits, {len(draft_tokens)} draft tokens; K draft tokens need K + 1 rows")
    if allowed is not None and len(allowed) != count:
        raise ValueError(f"{count} rows of logits, {len(allowed)} lists in allowed_tokens; each row needs its own")
    lists = {"prompt_tokens": prompt_tokens, "output_tokens": output_tokens, "draft_tokens": draft_tokens}
    lists |= {"logit_bias": list(settings["logit_bias"])}
    lists |= {f"allowed_tokens[{row}]": tokens for row, tokens in enumerate(allowed or [])}
    for name, tokens in lists.items():
        for token in tokens:
            if isinstance(token, bool) or not isinstance(token, (int, np.integer)) or not 0 <= token < size:
                raise ValueError(f"{name} has token {token}; a token id is an integer from 0 to {size - 1}")
    for row, scores in enumerate(rows):
        if only_allowed(scores, allowed[row] if allowed else None).max() == -np.inf:
            raise ValueError(f"row {row} leaves no token; one at least must be allowed and have a logit above -inf")
    return rows, settings, (prompt_tokens, output_tokens, draft_tokens)


def check_params(settings: dict[str, Any]) -> None:
    """Raises ValueError for a parameter that is unknown or out of its range."""
    if unknown := sorted(settings.keys() - OFF.keys()):
        raise ValueError(f"params has {unknown[0]}; known are {', '.join(OFF)}")
    found = {name: (settings[name], limits) for name, limits in RANGES.items()}
    found |= {f"logit_bias[{token}]": (bias, (-100, 100)) for token, bias in settings["logit_bias"].items()}
    for name, (value, (low, high)) in found.items():
        if not low <= value <= high:
            raise ValueError(f"{name} is {value}; it must be a number from {low} to {high}")
    if not isinstance(settings["top_k"], (int, np.integer)):
        raise ValueError(f"top_k is {settings['top_k']}; it must be an integer")
    if settings["top_p"] == 0:
        raise ValueError("top_p is 0; it must be above 0")
    if 0 < settings["temperature"] < 0.01:
        raise ValueError(f"temperature is {settings['temperature']}; it must be 0, or at least 0.01")
