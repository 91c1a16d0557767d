"""Ragged batches of verification rounds, for hidden checks of batched functions; their right results row by row.

A batch is built from rounds, one for each request, because a mix-up of rows shows only where the requests differ.
torch is imported where tensors are made: whoever only reads an exercise's texts doesn't wait for it.
"""
from __future__ import annotations

import functools
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from exercises.expect import Answer, Text, call_text
from solutions.cases import Probe, one_hot, random_law
from solutions.speculative_step.solution import speculative_step

PADDING = -1

Law = Sequence[float] | np.ndarray
Function = Callable[..., Any]
Tensor = Any  # a torch.Tensor; the name would import torch


class Round(NamedTuple):
    """One request: K draft tokens, K + 1 target laws, K draft laws, K coins, and the draw of the last token."""

    tokens: Sequence[int]
    target: Sequence[Law]
    draft: Sequence[Law]
    coins: Sequence[float]
    final_draw: float


class Batch(NamedTuple):
    """The arguments of a batched function, in its order."""

    draft_tokens: Tensor
    target_rows: Tensor
    draft_rows: Tensor
    lengths: Tensor
    coins: Tensor
    final_draws: Tensor


def batch_of(rounds: Sequence[Round], rows_in: str = "float64") -> Batch:
    """The rounds, laid out flat, one after the other; `rows_in` names the number format of the rows."""
    import torch

    vocabulary = len(rounds[0].target[0])
    return Batch(
        torch.tensor([token for one in rounds for token in one.tokens], dtype=torch.int64),
        _rows([law for one in rounds for law in one.target], vocabulary, rows_in),
        _rows([law for one in rounds for law in one.draft], vocabulary, rows_in),
        torch.tensor([len(one.tokens) for one in rounds], dtype=torch.int64),
        torch.tensor([coin for one in rounds for coin in one.coins], dtype=torch.float64),
        torch.tensor([one.final_draw for one in rounds], dtype=torch.float64),
    )


def _rows(laws: Sequence[Law], vocabulary: int, rows_in: str) -> Tensor:
    import torch

    rows = torch.from_numpy(np.array(laws, dtype=np.float64).reshape(len(laws), vocabulary))
    return rows.to(getattr(torch, rows_in))


def probe(name: str, make: Callable[[], Batch]) -> Probe:
    """A call of the function `name` with a batch that is made once, at the first call, and copied for each."""
    made = functools.cache(make)
    return Probe(name, lambda: tuple(tensor.clone() for tensor in made()))


def row_by_row(rounds: Sequence[Round]) -> list[list[int]]:
    """The tokens that each request emits, judged one request at a time."""
    return [_emitted(one) for one in rounds]


def _emitted(one: Round) -> list[int]:
    target, draft = np.array(one.target, dtype=np.float64), np.array(one.draft, dtype=np.float64)
    return speculative_step(
        np.array(one.tokens, dtype=np.int64),
        target,
        draft.reshape(len(one.draft), target.shape[1]),
        np.array(one.coins, dtype=np.float64),
        one.final_draw,
    )


def padded(emitted: Sequence[Sequence[int]], rounds: Sequence[Round]) -> list[list[int]]:
    """The emitted tokens as a batched function returns them: each row as wide as the longest request may need."""
    width = 1 + max(len(one.tokens) for one in rounds)
    return [[*tokens, *[PADDING] * (width - len(tokens))] for tokens in emitted]


def expect_emitted(
    function: Function, rounds: Sequence[Round], emitted: Sequence[Sequence[int]], why: Text, rows_in: str = "float64"
) -> None:
    """One call with all the rounds must emit these tokens and count them.

    The text of the call is only made where something is wrong: writing out tensors takes far longer than the call.
    """
    batch = batch_of(rounds, rows_in)
    value = function(*(tensor.clone() for tensor in batch))
    tokens, counts = padded(emitted, rounds), [len(one) for one in emitted]
    if _lists(value) != (tokens, counts):
        parts = Answer(call_text(function, batch), value).parts(2, RESULTS)
        parts[0].tokens(tokens, why)
        parts[1].tokens(counts, why)


def _lists(value: Any) -> tuple[Any, ...]:
    """A pair of int64 tensors as lists; () for anything else."""
    import torch

    if not isinstance(value, tuple) or len(value) != 2:
        return ()
    fits = all(isinstance(part, torch.Tensor) and part.dtype == torch.int64 for part in value)
    return tuple(part.tolist() for part in value) if fits else ()


def expect_row_by_row(function: Function, rounds: Sequence[Round], why: Text) -> None:
    """One call with all the rounds must emit what the rounds give one at a time."""
    expect_emitted(function, rounds, row_by_row(rounds), why)


def expect_kinds(answer: Answer, rounds: Sequence[Round]) -> None:
    """Two int64 tensors, (B, max K_b + 1) and (B,)."""
    import torch

    batch, width = len(rounds), 1 + max(len(one.tokens) for one in rounds)
    for part, shape in zip(answer.parts(2, RESULTS), ((batch, width), (batch,)), strict=True):
        value = part.value
        right = isinstance(value, torch.Tensor) and value.dtype == torch.int64 and tuple(value.shape) == shape
        part.holds(right, f"torch.Tensor, dtype == torch.int64, shape == {shape}", RESULTS)


def read_emitted(answer: Answer, rounds: Sequence[Round]) -> list[list[int]]:
    """What each request emitted, once the results are of the right kind: at most K_b + 1 tokens, then padding."""
    expect_kinds(answer, rounds)
    tokens, counts = answer.parts(2, RESULTS)
    emitted = [row[:count] for row, count in zip(tokens.value.tolist(), counts.value.tolist(), strict=True)]
    within = all(1 <= len(one) <= 1 + len(judged.tokens) for one, judged in zip(emitted, rounds, strict=True))
    counts.holds(within, "1 … K_b + 1", RESULTS)
    vocabulary = range(len(rounds[0].target[0]))
    known = all(token in vocabulary for one in emitted for token in one)
    tokens.holds(known and padded(emitted, rounds) == tokens.value.tolist(), f"0 … {vocabulary[-1]}, -1 …", RESULTS)
    return emitted


def rows_that_name_themselves(lengths: Sequence[int], kept: Sequence[int]) -> list[Round]:
    """Rounds whose target row r gives all its mass to token r, so that each token tells which row it came from.

    The first `kept` draft tokens of each round are what the target wants, the next is not, later ones are again.
    """
    never = sum(lengths) + len(lengths)  # a token that no target row wants
    rounds: list[Round] = []
    for length, stays in zip(lengths, kept, strict=True):
        first = sum(len(one.target) for one in rounds)
        tokens = [never if place == stays else first + place for place in range(length)]
        target = [one_hot(token, never + 1) for token in range(first, first + length + 1)]
        draft = [one_hot(token, never + 1) for token in tokens]
        rounds.append(Round(tokens, target, draft, [0.5] * length, 0.5))
    return rounds


def underflowed(law: Sequence[float], final_draw: float, short: float = 2.0**-31) -> Round:
    """A rejection whose residual has no mass, as rounding may leave it: no entry of the target is above the draft's.

    The target's largest entry falls `short` of the draft's.
    """
    token = max(range(len(law)), key=lambda one: law[one])
    target = [mass - short if one == token else mass for one, mass in enumerate(law)]
    return Round([token], [target, one_hot(0, len(law))], [law], [1.0 - 2.0**-40], final_draw)


def random_rounds(rng: random.Random, lengths: Sequence[int], vocabulary: int = 6) -> list[Round]:
    """Rounds of these lengths with laws of their own; each draft token is drawn from its draft law."""
    return [random_round(rng, length, vocabulary) for length in lengths]


def random_round(rng: random.Random, length: int, vocabulary: int) -> Round:
    target = [random_law(rng, vocabulary) for _ in range(length + 1)]
    draft = [random_law(rng, vocabulary) for _ in range(length)]
    tokens = [rng.choices(range(vocabulary), law)[0] for law in draft]
    return Round(tokens, target, draft, [rng.random() for _ in range(length)], rng.random())


RESULTS = Text(
    "the function returns (tokens, counts): an int64 tensor of shape (B, max K_b + 1), padded with -1, and an int64 "
    "tensor of shape (B,)",
    "函数要返回 (tokens, counts)：形状为 (B, max K_b + 1)、用 -1 填充的 int64 张量，以及形状为 (B,) 的 int64 张量",
)
