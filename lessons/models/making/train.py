"""Trains the target. PyTorch, one thread, a fixed seed; about sixteen minutes of one core."""
from __future__ import annotations

import math
import time

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lessons.models.alphabet import Tokens
from lessons.models.transformer import BLOCKS, CONTEXT, HEADS, SHAPES, SMALL, WIDTH, hashed

SEED = 447  # of the text's version
STEPS, BATCH = 4000, 32
RATE, WARM_UP, DECAY = 3e-3, 100, 0.1
DROPPED = 0.15  # of every sum that joins the stream, while training: a megabyte of text is soon known by heart

Weights = dict[str, Tensor]


def train(text: Tokens, held_out: Tokens, steps: int = STEPS) -> dict[str, NDArray[np.float16]]:
    """The weights after `steps` batches of windows of `text`; prints the loss on `held_out` from time to time."""
    torch.set_num_threads(1)  # the order of the sums, and with it the result, depends on the number of threads
    torch.manual_seed(SEED)
    weights = _initial()
    matrices = [weight for weight in weights.values() if weight.ndim == 2]
    norms = [weight for weight in weights.values() if weight.ndim == 1]
    groups = [{"params": matrices, "weight_decay": DECAY}, {"params": norms, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)
    started = time.process_time()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = _rate(step, steps)
        starts = torch.randint(len(text) - CONTEXT, (BATCH,)).numpy()
        loss = _loss(weights, *_windows(text, starts), dropped=DROPPED)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(weights.values(), 1.0)
        optimizer.step()
        if step % 200 == 199:
            spent, losses = time.process_time() - started, (loss.item(), _held_out(weights, held_out))
            print(f"{step + 1} steps, {spent:.0f} s: {losses[0]:.3f}, held out {losses[1]:.3f} nats", flush=True)
    return {name: weight.detach().numpy().astype(np.float16) for name, weight in weights.items()}


def _initial() -> Weights:
    """Normal entries of variance 1 / rows (what comes in keeps its size); what joins the stream begins small."""
    weights = {}
    for name, shape in SHAPES.items():
        if len(shape) == 1:
            weights[name] = torch.ones(shape)
            continue
        table = name in ("character", "position", "pair", "triple")
        deviation = 0.5 if name in ("character", "pair", "triple") else 0.1 if table else shape[0] ** -0.5
        deviation /= (2 * BLOCKS) ** 0.5 if name[:-1] in ("join", "down") else 1.0
        weights[name] = torch.randn(shape) * deviation
    return {name: weight.requires_grad_() for name, weight in weights.items()}


def _rate(step: int, steps: int) -> float:
    """Rises for WARM_UP steps, then falls along half a cosine."""
    return RATE * min((step + 1) / WARM_UP, 0.5 + 0.5 * math.cos(math.pi * step / steps))


def _windows(text: Tokens, starts: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """CONTEXT tokens from each start, their hashes, and the tokens that follow each of them."""
    window = text[starts[:, None] + np.arange(CONTEXT + 1)]
    inputs = np.ascontiguousarray(window[:, :-1])
    arrays = (inputs, *hashed(inputs), np.ascontiguousarray(window[:, 1:]))
    return tuple(map(torch.from_numpy, arrays))  # type: ignore[return-value]


def _loss(
    weights: Weights, tokens: Tensor, pair: Tensor, triple: Tensor, following: Tensor, dropped: float = 0.0
) -> Tensor:
    """Mean negative log-likelihood in nats. The same network as Transformer; its products run in bfloat16."""
    with torch.autocast("cpu", torch.bfloat16):
        look_up = functional.embedding
        stream = look_up(tokens, weights["character"]) + weights["position"][: tokens.shape[1]]
        grams = look_up(pair, weights["pair"]) + look_up(triple, weights["triple"])
        stream = functional.dropout(stream + (grams @ weights["widen"]).float(), dropped)
        for block in range(BLOCKS):
            attended = _attention(_normed(stream, weights[f"norm{block}"]) @ weights[f"attend{block}"])
            stream = stream + functional.dropout(attended @ weights[f"join{block}"], dropped)
            hidden = functional.relu(_normed(stream, weights[f"norm_up{block}"]) @ weights[f"up{block}"])
            stream = stream + functional.dropout(hidden @ weights[f"down{block}"], dropped)
        logits = _normed(stream, weights["last_norm"]) @ weights["head"]
    return functional.cross_entropy(logits.float().flatten(0, 1), following.flatten())


def _normed(stream: Tensor, scale: Tensor) -> Tensor:
    stream = stream.float()
    return stream * torch.rsqrt(stream.square().mean(-1, keepdim=True) + SMALL) * scale


def _attention(joined: Tensor) -> Tensor:
    batch, length, _ = joined.shape
    queries, keys, values = joined.view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
    mixed = functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
    return mixed.transpose(1, 2).reshape(batch, length, WIDTH)


@torch.no_grad()
def _held_out(weights: Weights, text: Tokens) -> float:
    """On 64 windows, spread evenly."""
    starts = np.linspace(0, len(text) - CONTEXT - 1, 64).astype(np.int64)
    return float(_loss(weights, *_windows(text, starts)))
