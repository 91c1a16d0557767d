"""Simulated draws of one verification step: counted where a histogram is shown, one by one where a path is."""
from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solutions.guide_table import GuideTable
from solutions.law import Rule, answer

Counts = NDArray[np.int64]
Uniforms = NDArray[np.float64]
CHUNK = 65_536  # trials at a time: their arrays stay in the processor's cache


class Trials(NamedTuple):
    """n trials, each array (n,): the draft token, whether it was accepted, and the token that came out."""

    draft_tokens: NDArray[np.int64]
    accepted: NDArray[np.bool_]
    outputs: NDArray[np.int64]


def emitted_counts(
    target: Sequence[float], draft: Sequence[float], rule: Rule, draws: int, rng: np.random.Generator
) -> Counts:
    """How often each token comes out in `draws` independent steps: (V,) counts, with exactly the law of single steps.

    The drafts of n steps are Multinomial(n, draft), those accepted are Binomial by token, those rejected are
    Multinomial over the residual: O(V) numbers rather than O(n); at small V, 10^7 steps take well under a millisecond.
    Raises solutions.law.NoLaw where the rule's answer gives no law.
    """
    counts = np.zeros(len(target), dtype=np.int64)
    for token, proposed in enumerate(_multinomial(rng, draws, draft).tolist()):
        if proposed == 0:
            continue
        accept, residual = answer(rule, target, draft, token)
        kept = int(rng.binomial(proposed, accept))
        counts[token] += kept
        if kept < proposed:
            counts += _multinomial(rng, proposed - kept, residual)
    return counts


def trials(
    target: Sequence[float], draft: Sequence[float], rule: Rule, draws: int, rng: np.random.Generator
) -> Trials:
    """`draws` independent steps, one by one, with exactly the law of `emitted_counts`.

    Takes some 50 ns a trial, after O(V) for every draft token that occurs. Raises solutions.law.NoLaw where the rule's
    answer gives no law.
    """
    stepper = Stepper(target, draft, rule)
    sizes = [CHUNK] * (draws // CHUNK) + [draws % CHUNK]
    chunks = [stepper.run(*rng.random((3, size))) for size in sizes]
    return Trials(*(np.concatenate(parts) for parts in zip(*chunks, strict=True)))


class Stepper:
    """Runs many steps of one rule with given uniforms; remembers what the rule said about each draft token."""

    def __init__(self, target: Sequence[float], draft: Sequence[float], rule: Rule) -> None:
        self._ask = partial(answer, rule, target, draft)
        self._drafts = GuideTable(draft)
        self._accept = np.full(len(draft), np.nan)  # NaN: not asked yet
        self._table_of = np.full(len(draft), -1)  # -1: never rejected
        self._tables: dict[tuple[float, ...], GuideTable] = {}  # by residual; the right rule has only one

    def run(self, draft_draws: Uniforms, coins: Uniforms, redraws: Uniforms) -> Trials:
        """One step per column of uniforms, each (n,): one draws the draft token, one accepts it, one replaces it."""
        draft_tokens = self._drafts.draw(draft_draws)
        for token in np.flatnonzero(np.bincount(draft_tokens, minlength=len(self._accept))):
            self._learn(int(token))
        accepted = coins < self._accept[draft_tokens]
        outputs = draft_tokens.copy()
        tables = np.where(accepted, -1, self._table_of[draft_tokens])
        for number, table in enumerate(self._tables.values()):
            rejected = np.flatnonzero(tables == number)
            outputs[rejected] = table.draw(redraws[rejected])
        return Trials(draft_tokens, accepted, outputs)

    def _learn(self, token: int) -> None:
        if not np.isnan(self._accept[token]):
            return
        self._accept[token], residual = self._ask(token)
        if len(residual):
            shares = tuple(float(max(share, 0.0)) for share in residual)  # rounding can leave -1e-17
            if shares not in self._tables:
                self._tables[shares] = GuideTable(shares)
            self._table_of[token] = list(self._tables).index(shares)


def expected_total_variation(law: Sequence[float], draws: int) -> float:
    """The mean total variation distance between the shares of `draws` >= 1 draws from `law` and `law` itself.

    Exact up to rounding, by de Moivre's formula for the mean absolute deviation of a binomial count. For large n it
    behaves like sum(sqrt(p (1 - p))) / sqrt(2 pi n). Source: Diaconis and Zabell, Statistical Science 6(3), 1991.
    """
    return 0.5 * math.fsum(_mean_deviation(draws, p) for p in law) / draws


def _mean_deviation(draws: int, p: float) -> float:
    """E|X - n p| for X ~ Binomial(n, p): 2 m C(n, m) p^m (1 - p)^(n - m + 1) with m = floor(n p) + 1."""
    if p <= 0.0 or p >= 1.0:
        return 0.0
    m = math.floor(draws * p) + 1
    log_choose = math.lgamma(draws + 1) - math.lgamma(m + 1) - math.lgamma(draws - m + 1)
    return 2.0 * m * math.exp(log_choose + m * math.log(p) + (draws - m + 1) * math.log1p(-p))


def _multinomial(rng: np.random.Generator, draws: int, probs: ArrayLike) -> Counts:
    """Counts over the support only: NumPy gives its last entry what rounding leaves over, even at probability 0."""
    weights = np.maximum(np.asarray(probs, dtype=np.float64), 0.0)  # rounding can leave -1e-17
    support = np.flatnonzero(weights)
    counts = np.zeros(len(weights), dtype=np.int64)
    counts[support] = rng.multinomial(draws, weights[support] / weights.sum())
    return counts
