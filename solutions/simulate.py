"""Simulated draws of one verification step, counted rather than drawn one by one."""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solutions.law import Rule, answer

Counts = NDArray[np.int64]


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
