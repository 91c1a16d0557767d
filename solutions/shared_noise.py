"""The law that comes out where the draft and the residual draw use the same Gumbel noise, in closed form.

The draft takes the token with the largest log q + g; after a rejection the replacement is the one with the largest
log r + g, r the residual, with the same g. With E = exp(-g), exponential of mean 1, these are the races that min E / q
and min E / r win. Given that the draft's race ended at time t, the losers' E lie above q t and, by forgetfulness, are
q t plus fresh exponentials. So in the second race token v starts at time t q / r, and then goes at rate r. Between two
starts the rates are constant, and t is exponential of mean 1, whoever won: every integral is a fraction.

Source of the defect: github.com/vllm-project/vllm/pull/47386 and /54282. The coin there comes from the word that seeds
the noise, not from the noise; it is taken to be independent of it here.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solutions.law import Ledger


def shared_noise_ledger(target: Sequence[Any], draft: Sequence[Any]) -> Ledger:
    """The exact ledger of one step: what is accepted is right, what is resampled is not. (V,) each; or Fractions."""
    accepted = [min(p, q) for p, q in zip(target, draft, strict=True)]
    rejected = [q - kept for q, kept in zip(draft, accepted, strict=True)]
    total = sum(rejected)
    resampled = [total * share for share in replacement_law(target, draft)] if total > 0 else [0 * p for p in target]
    law = tuple(kept + drawn for kept, drawn in zip(accepted, resampled, strict=True))
    return Ledger(tuple(accepted), tuple(rejected), tuple(resampled), law)


def replacement_law(target: Sequence[Any], draft: Sequence[Any]) -> list[Any]:
    """The law of the replacement, given a rejection, under the shared noise. It ought to be the residual."""
    excess = [max(p - q, 0) for p, q in zip(target, draft, strict=True)]
    missing = sum(excess)
    rate = [mass / missing for mass in excess]
    start = {token: draft[token] / rate[token] for token in range(len(rate)) if rate[token] > 0}  # in units of t
    ends = sorted(set(start.values()))
    law = [0 * missing for _ in rate]
    for place, begin in enumerate(ends):
        running = [token for token in start if start[token] <= begin]
        speed = sum(rate[token] for token in running)
        lost = _alive(rate, start, begin)
        if place + 1 < len(ends):
            lost -= _alive(rate, start, ends[place + 1])
        for token in running:
            law[token] += rate[token] / speed * lost
    return law


def _alive(rate: Sequence[Any], start: dict[int, Any], moment: Any) -> Any:
    """P(nobody has won before `moment` t): the mean of exp(-a t) over t ~ Exp(1) is 1 / (1 + a)."""
    run = sum((rate[token] * (moment - begin) for token, begin in start.items() if begin < moment), 0 * moment)
    return 1 / (1 + run)
