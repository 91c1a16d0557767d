"""What the verification benchmark races: one function of a batch each, drawing its own uniforms in every call."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch

from solutions.batch import fast_numpy, fast_torch
from solutions.batch.batch import Batch
from solutions.lab import tutorial

Verifier = Callable[[], Any]
COLD = 128 * 2**20  # bytes of probabilities that are gone through before a batch comes again: its rows left the cache


class Data(NamedTuple):
    """Logits and probabilities, float32: the target's (B, K + 1, V), the draft's (B, K, V). Draft tokens: (B, K)."""

    target_logits: np.ndarray
    draft_logits: np.ndarray
    target: np.ndarray
    draft: np.ndarray
    tokens: np.ndarray


def copies(requests: int, drafts: int, size: int) -> list[Data]:
    """As many different batches of the shape as fill COLD."""
    count = -(-COLD // (4 * size * requests * (2 * drafts + 1)))
    all_of_them = data(requests * count, drafts, size)
    return [Data(*(np.ascontiguousarray(part[start::count]) for part in all_of_them)) for start in range(count)]


def data(requests: int, drafts: int, size: int, seed: int = 1) -> Data:
    """Logits N(0, 2), the draft's with noise of 0.7 on them; draft tokens are drawn from the draft's laws."""
    rng = np.random.default_rng(seed)
    target = 2 * rng.standard_normal((requests, drafts + 1, size), np.float32)
    draft = target[:, :drafts] + np.float32(0.7) * rng.standard_normal((requests, drafts, size), np.float32)
    laws = [torch.softmax(torch.from_numpy(logits), -1).numpy() for logits in (target, draft)]
    running = (row.cumsum(dtype=np.float64) for row in laws[1].reshape(-1, size))
    tokens = [min(row.searchsorted(row[-1] * rng.random(), "right"), size - 1) for row in running]
    return Data(target, draft, *laws, np.array(tokens, np.int64).reshape(requests, drafts))


def flat(given: Data, rng: np.random.Generator) -> Batch:
    """The batch in the engine's layout, with fresh uniforms."""
    requests, drafts, size = given.draft.shape
    lengths = np.full(requests, drafts)
    rows = given.target.reshape(-1, size), given.draft.reshape(-1, size)
    return Batch(given.tokens.ravel(), *rows, lengths, rng.random(given.tokens.size), rng.random(requests))


# --- the engine and the tutorials' ways -------------------------------------------------------------------------------


def engine_numpy(given: Data) -> Verifier:
    return _arrays(given, fast_numpy.verify)


def engine_torch(given: Data) -> Verifier:
    return _torch(given, fast_torch.verify)


def engine_compiled(given: Data) -> Verifier:
    return _torch(given, fast_torch.verify_compiled)


def naive_loop(given: Data) -> Verifier:
    return _arrays(given, tutorial.naive_loop)


def textbook_batch(given: Data) -> Verifier:
    return _arrays(given, tutorial.textbook_batch)


def _arrays(given: Data, step: Callable[[Batch], Any]) -> Verifier:
    rng = np.random.default_rng(2)
    batch = flat(given, rng)
    drafts, requests = given.tokens.size, len(given.tokens)

    def verify() -> Any:
        uniforms = rng.random(drafts + requests)
        return step(Batch(*batch[:4], uniforms[:drafts], uniforms[drafts:]))

    return verify


def _torch(given: Data, step: Callable[[Batch], Any]) -> Verifier:
    batch = Batch(*map(torch.from_numpy, flat(given, np.random.default_rng(2))))
    drafts, requests = given.tokens.size, len(given.tokens)

    def verify() -> Any:
        uniforms = torch.rand(drafts + requests, dtype=torch.float64)
        return step(Batch(*batch[:4], uniforms[:drafts], uniforms[drafts:]))

    return verify


# --- transformers ----------------------------------------------------------------------------------------------------


def transformers_function(given: Data) -> Verifier:
    """transformers' own function takes logits of one request: a call for each, with its softmax of all rows."""
    from transformers.generation.utils import _speculative_sampling

    tokens, target, draft = map(torch.from_numpy, (given.tokens, given.target_logits, given.draft_logits))
    requests = [slice(index, index + 1) for index in range(len(tokens))]
    length = tokens.shape[1]

    def verify() -> Any:
        return [_speculative_sampling(tokens[one], draft[one], length, target[one]) for one in requests]

    return verify


def softmax_alone(given: Data) -> Verifier:
    """What transformers' function spends before it verifies: the softmax of each request's rows."""
    target, draft = map(torch.from_numpy, (given.target_logits, given.draft_logits))
    requests = [slice(index, index + 1) for index in range(len(target))]

    def compute() -> None:
        for one in requests:
            draft[one].softmax(-1), target[one].softmax(-1)

    return compute


ENGINE = {
    "engine, NumPy": engine_numpy,
    "engine, torch eager": engine_torch,
    "engine, torch compiled": engine_compiled,
}
OTHERS = {
    "naive loop": naive_loop,
    "textbook batched": textbook_batch,
    "transformers": transformers_function,
    "its softmax alone": softmax_alone,
}
