"""The same quantities in exact fractions, for hidden checks and tests: sums term by term, no closed form."""
from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

EXACT_UP_TO = 1000  # draft tokens; the digits of the fraction grow with them
DIGITS = 80


def exact_mean(alpha: float, K: int) -> Fraction:
    """1 + alpha + ... + alpha ** K for the very number that the float is; beyond EXACT_UP_TO to about sixty digits."""
    if K > EXACT_UP_TO and alpha < 1.0:
        with localcontext() as context:
            context.prec = DIGITS
            rate = Decimal(alpha)
            return Fraction((1 - rate ** (K + 1)) / (1 - rate))
    above, below = alpha.as_integer_ratio()
    total = scale = 1
    for _ in range(K):
        scale *= below
        total = scale + above * total
    return Fraction(total, scale)


def exact_speedup(alpha: float, K: int, c: float) -> Fraction:
    """Tokens of a round over what it costs, in passes of the target."""
    return exact_mean(alpha, K) / (1 + K * Fraction(c))


def mean_by_enumeration(alpha: float, K: int) -> Fraction:
    """Over all 2 ** K outcomes of the coins: the accepted run before the first rejection, and one token more."""
    mean = Fraction(0)
    for coins in product((True, False), repeat=K):
        weight = Fraction(1)
        for accepted in coins:
            weight *= Fraction(alpha) if accepted else 1 - Fraction(alpha)
        mean += weight * ([*coins, False].index(False) + 1)
    return mean
