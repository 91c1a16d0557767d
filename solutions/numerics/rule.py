"""The coin's side: a small constant in the ratio or in the residual, and a comparison that allows equality.

The laws are those of `solutions.law.one_step_law`, summed for long rows; a test compares them on short ones.
Source of the constants: vLLM pull request 13933, whose first version clamped the residual at 1e-5.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from solutions.draws import accepts
from solutions.law import Rule
from solutions.numerics.finding import Finding
from solutions.numerics.precision import BITS, Floats, Pair, distance, pair
from solutions.rejection_rule.solution import rejection_rule

NOISE = 0.5  # between the scores of target and draft: about 0.8 is accepted
IMPOSSIBLE = 0.01  # draft mass on tokens that the target can't produce


def ratio_epsilon(size: int, epsilon: float, seed: int) -> Finding:
    """Accepting with target / (draft + epsilon): total variation of the emitted token.

    predicted: epsilon times the sum of target / draft over the tokens that can be rejected; right as long as epsilon
    is far below them. extra: the share of its acceptance that the token hit hardest loses; a rare token with
    target far above draft may lose nothing, as its ratio stays above 1.
    """
    target, draft = rows = pair(size, NOISE, seed)
    law = law_with_ratio_epsilon(rows, epsilon)
    rejectable = target < draft
    predicted = epsilon * float((target[rejectable] / draft[rejectable]).sum())
    left = acceptance(rows, epsilon) / acceptance(rows, 0.0)
    return Finding(distance(law, target), predicted, float((1.0 - left).max()))


def acceptance(rows: Pair, epsilon: float) -> Floats:
    """(V,) how likely each draft token is accepted. The draft must have mass at every token where epsilon is 0."""
    accepted: Floats = np.minimum(1.0, rows.target / (rows.draft + epsilon))
    return accepted


def law_with_ratio_epsilon(rows: Pair, epsilon: float) -> Floats:
    """(V,) what comes out of one step."""
    return emitted(rows.draft * acceptance(rows, epsilon), np.maximum(rows.target - rows.draft, 0.0))


def emitted(accepted: Floats, residual: Floats) -> Floats:
    """(V,) what comes out of one step: the accepted mass, and what it lacks of 1 in the proportions of `residual`."""
    law: Floats = accepted + (1.0 - accepted.sum()) * residual / residual.sum()
    return law


def residual_epsilon(size: int, epsilon: float, seed: int) -> Finding:
    """A residual clamped at epsilon instead of 0: total variation of the emitted token.

    predicted: epsilon times the number of tokens that it lifts. extra: the mass that goes to tokens without residual.
    """
    target, draft = rows = pair(size, NOISE, seed)
    law = law_with_residual_epsilon(rows, epsilon)
    lifted = target - draft < epsilon
    leaked = float((law - np.minimum(target, draft))[target <= draft].sum())
    return Finding(distance(law, target), epsilon * float(lifted.sum()), leaked)


def law_with_residual_epsilon(rows: Pair, epsilon: float) -> Floats:
    """(V,) what comes out of one step."""
    return emitted(np.minimum(rows.target, rows.draft), np.maximum(rows.target - rows.draft, epsilon))


Comparison = Callable[[float, float, float], bool]


def closed(coin: float, target_mass: float, draft_mass: float) -> bool:
    """The wrong comparison: it holds at equality too."""
    return coin * draft_mass <= target_mass


COMPARISONS: dict[str, Comparison] = {"closed": closed, "strict": accepts}


def impossible_token(comparison: str, precision: str) -> Finding:
    """How likely a draft token that the target can't produce stays, coins being made in that precision.

    predicted: the one coin in 2^bits that is 0, or none. extra: the draft tokens until it has happened once on
    average, where 1 in 100 is impossible; None for never.
    """
    coins = 2 ** BITS[precision]
    chance = accepted_coins(COMPARISONS[comparison], 0.0, IMPOSSIBLE, coins) / coins
    predicted = 1.0 / coins if comparison == "closed" else 0.0
    return Finding(chance, predicted, 1.0 / (IMPOSSIBLE * chance) if chance else None)


def accepted_coins(comparison: Comparison, target_mass: float, draft_mass: float, coins: int) -> int:
    """How many of the coins 0, 1 / coins, 2 / coins, ... below 1 keep the token: found by halving, as they are the
    lowest ones. coins: a power of two up to 2^53, so that each coin is a float64.
    """
    low, high = 0, coins
    while low < high:
        middle = (low + high) // 2
        if comparison(middle / coins, target_mass, draft_mass):
            low = middle + 1
        else:
            high = middle
    return low


def closed_on_grid(bits: int) -> Rule:
    """The wrong comparison as a rule for `solutions.law`, with coins that are multiples of 2^-bits; 0 is one."""
    coins = 2**bits

    def rule(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
        _, residual = rejection_rule(target, draft, token)
        return accepted_coins(closed, target[token], draft[token], coins) / coins, residual

    return rule
