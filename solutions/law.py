"""The exact output law of one verification step, for the right rule and for any wrong one.

Source: Leviathan et al., arXiv 2211.17192, appendix A.1; Chen et al., arXiv 2302.01318, theorem 1.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Rule = Callable[[list[float], list[float], int], tuple[float, Sequence[float]]]
"""(target, draft, draft token) -> (accept probability, residual). Each call gets lists of its own."""


@dataclass(frozen=True)
class Ledger:
    """Where the probability mass of one step goes; each tuple has V entries.

    accepted: mass that comes out as the accepted draft token. rejected: draft mass that is rejected, by draft token.
    resampled: mass that arrives through the residual. law: accepted + resampled, the output law.
    problem: "" or why there is no law: "accept-not-a-number", "residual-not-a-distribution", "division-by-zero".
    """

    accepted: tuple[float, ...]
    rejected: tuple[float, ...]
    resampled: tuple[float, ...]
    law: tuple[float, ...]
    problem: str = ""


class NoLaw(Exception):
    """The rule's answer gives no output law; the text is one of Ledger.problem's codes."""


def one_step_law(target: Sequence[float], draft: Sequence[float], rule: Rule) -> Ledger:
    """The exact law of the token that comes out, summed over every draft token that can be proposed.

    target, draft: (V,) probabilities. The accept probability is clamped to [0, 1], as the coin `u < a` would.
    The error is rounding only: below 1e-12 for V up to 1000. Where the rule gives no law, the ledger names the problem
    and holds what had been counted until then. The rule's ZeroDivisionError is such a problem; its other errors pass.
    """
    accepted, rejected, resampled = ([0.0] * len(target) for _ in range(3))
    problem = ""
    for token, proposed in enumerate(draft):
        if proposed == 0.0:
            continue
        try:
            accept, residual = answer(rule, target, draft, token)
        except NoLaw as reason:
            problem = str(reason)
            break
        accepted[token] = proposed * accept
        rejected[token] = proposed - accepted[token]
        for index, share in enumerate(residual):
            resampled[index] += rejected[token] * share
    law = tuple(kept + drawn for kept, drawn in zip(accepted, resampled, strict=True))
    return Ledger(tuple(accepted), tuple(rejected), tuple(resampled), law, problem)


def answer(rule: Rule, target: Sequence[float], draft: Sequence[float], token: int) -> tuple[float, Sequence[float]]:
    """The rule's (accept probability in [0, 1], residual); the residual is empty where nothing can be rejected.

    Raises NoLaw where the answer can't be acted on.
    """
    try:
        accept, residual = rule(list(target), list(draft), token)
    except ZeroDivisionError:
        raise NoLaw("division-by-zero") from None
    if accept != accept:  # NaN
        raise NoLaw("accept-not-a-number")
    accept = min(1.0, max(0.0, accept))
    if accept == 1.0:
        return accept, ()
    if not is_distribution(residual, len(target)):
        raise NoLaw("residual-not-a-distribution")
    return accept, residual


def is_distribution(probs: Sequence[float], size: int) -> bool:
    """`size` numbers that sum to one (within 1e-9), none of them negative (beyond rounding, 1e-12). NaN is none."""
    return len(probs) == size and all(mass >= -1e-12 for mass in probs) and abs(sum(probs) - 1.0) <= 1e-9


def total_variation(one: Sequence[float], other: Sequence[float]) -> float:
    """Half the sum of absolute differences: the largest difference in probability of any event, from 0 to 1."""
    return 0.5 * math.fsum(abs(a - b) for a, b in zip(one, other, strict=True))
