"""Rows and draft tokens that don't fit together, as rules for `solutions.law`: what comes out of such a step.

In each the rejection rule itself is right; what it is handed is not what the models did. Public reports of the kinds:
huggingface/transformers issues 32867 and 47932 (scored), vllm-project/vllm pull request 46533 (a missing token).
"""
from __future__ import annotations

from collections.abc import Collection, Sequence

from solutions.law import Rule
from solutions.rejection_rule.solution import rejection_rule


def scored(reported: Sequence[float]) -> Rule:
    """The draft token was drawn from the draft row, but coin and residual use `reported`, another law over (V,) tokens.

    Each token that the draft can draw must have reported mass; the rule raises ValueError for another.
    """

    def rule(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
        return rejection_rule(target, list(reported), token)

    return rule


def judged_against(row: Sequence[float]) -> Rule:
    """Coin and residual use `row`, another law over (V,) tokens, in place of the target's."""

    def rule(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
        return rejection_rule(list(row), draft, token)

    return rule


def removed_then_residual(removed: Collection[int]) -> Rule:
    """Right: a token was drawn, then taken out because the request forbids it; that is a rejection."""

    def rule(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
        accept, residual = rejection_rule(target, draft, token)
        return (0.0 if token in removed else accept), residual

    return rule


def removed_then_target(removed: Collection[int]) -> Rule:
    """Wrong: the same, but what replaces a removed token is drawn from the target row, as if none had been drawn."""

    def rule(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
        return (0.0, target) if token in removed else rejection_rule(target, draft, token)

    return rule


def never_drawn_then_target(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
    """Right: no token was drawn (padding), so nothing is judged and the target row gives one, whatever `token` is."""
    return 0.0, target


def never_drawn_then_residual(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
    """Wrong: the same, but the token comes from the residual, as if a draft token had been rejected."""
    return 0.0, rejection_rule(target, draft, token)[1]


def match_or_own(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
    """Exact, but keeps less: the target draws a token of its own, and that comes out, the draft token or not."""
    rest = [0.0 if other == token else mass for other, mass in enumerate(target)]
    total = sum(rest)
    return target[token], [mass / total for mass in rest] if total > 0.0 else rest


def match_or_fresh(target: list[float], draft: list[float], token: int) -> tuple[float, Sequence[float]]:
    """Wrong: the target draws a token of its own; where it isn't the draft token, another one is drawn afresh."""
    return target[token], target
