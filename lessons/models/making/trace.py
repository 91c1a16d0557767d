"""The target's own text at every temperature, and how likely each of its tokens was an accepted draft token."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lessons.models.alphabet import Tokens
from lessons.models.ngrams import ORDERS, before, drafts
from lessons.models.target import TEMPERATURES, Laws, target, tempered
from lessons.models.traces import SCALE
from lessons.models.transformer import CONTEXT, Memory
from solutions.draws import pick
from solutions.rejection_rule.solution import rejection_rule

SEED = 447
STREAMS, PROMPT = 160, 32  # texts of a temperature, and the characters of held-out text that each begins with


def trace(held_out: Tokens) -> dict[str, NDArray[np.integer]]:
    """texts: (temperatures, STREAMS, CONTEXT) token numbers, prompts included.

    shares: (temperatures, orders, STREAMS, CONTEXT - PROMPT), of what follows the prompts, in multiples of 1/SCALE.
    """
    rng = np.random.default_rng(SEED)
    starts = np.linspace(0, len(held_out) - PROMPT, STREAMS).astype(np.int64)
    prompts = held_out[starts[:, None] + np.arange(PROMPT)]
    texts, shares = [], []
    for temperature in TEMPERATURES:
        text, laws = _written(prompts, temperature, rng)
        texts.append(text)
        shares.append([accepted_shares(text, laws, order, temperature) for order in ORDERS])
        print(f"temperature {temperature}: {np.mean(shares[-1], axis=(1, 2)).round(3)} accepted by order", flush=True)
    whole = np.rint(np.array(shares) * SCALE).astype(np.uint16)
    return {"texts": np.array(texts).astype(np.uint8), "shares": whole}


def _written(prompts: Tokens, temperature: float, rng: np.random.Generator) -> tuple[Tokens, Laws]:
    """Plain sampling, one token after the other; with the laws, (streams, CONTEXT - PROMPT, V), of what was drawn."""
    text, laws = prompts, []
    memory: Memory = []
    while text.shape[1] < CONTEXT:
        logits = target().logits(text, memory)[:, -1]
        laws.append(np.array([tempered(row[None], text[0, :0], temperature)[0] for row in logits]))
        drawn = [pick(law.tolist(), uniform) for law, uniform in zip(laws[-1], rng.random(len(text)), strict=True)]
        text = np.concatenate([text, np.array(drawn)[:, None]], axis=1)
    return text, np.stack(laws, axis=1)


def accepted_shares(texts: Tokens, laws: Laws, order: int, temperature: float) -> NDArray[np.float64]:
    """(streams, n): for each drawn token y, min(target(y), draft(y)) / target(y), by the rejection rule's own answer.

    draft(y) * accept probability is how likely y is drafted and accepted; of target(y), how likely it comes out at all.
    """
    start = texts.shape[1] - laws.shape[1]
    shares = np.zeros(laws.shape[:2])
    for stream, text in enumerate(texts):
        rows = np.log(drafts().laws(before(text)[start:-1], order))
        for place, (target_row, row) in enumerate(zip(laws[stream], rows, strict=True)):
            token = int(text[start + place])
            draft = tempered(row[None], text[:0], temperature)[0]
            if draft[token] > 0.0:
                accept, _ = rejection_rule(target_row.tolist(), draft.tolist(), token)
                shares[stream, place] = draft[token] * accept / target_row[token]
    return np.minimum(shares, 1.0)
