"""What “The rejection rule” claims: its worked case, the tempting mistake, and the numbers of the quiz."""
from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from lessons.figures.rules import rule
from solutions.law import Ledger, one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from tests.lessons.claims.kinds import Claim, Computed, Written

TARGET, DRAFT = (0.7, 0.3), (0.4, 0.6)
QUIZ_TARGET, QUIZ_DRAFT = (0.5, 0.3, 0.2), (0.2, 0.2, 0.6)
COIN_TARGET, COIN_DRAFT = (0.2, 0.8), (0.5, 0.5)


@cache
def ledger(name: str = "correct") -> Ledger:
    """The worked case under a rule."""
    return one_step_law(TARGET, DRAFT, rule(name))


def accept(token: int) -> str:
    ratio = rejection_rule(list(TARGET), list(DRAFT), token)[0]
    return f"min(1, {TARGET[token]:g}/{DRAFT[token]:g}) = {ratio:g}"


def residual(target: Sequence[float], draft: Sequence[float], token: int) -> Sequence[float]:
    return rejection_rule(list(target), list(draft), token)[1]


def above() -> list[float]:
    """What the quiz's target has above the draft: what isn't accepted of it."""
    accepted = one_step_law(QUIZ_TARGET, QUIZ_DRAFT, rejection_rule).accepted
    return [mass - kept for mass, kept in zip(QUIZ_TARGET, accepted, strict=True)]


def row(masses: Sequence[float]) -> str:
    return "(" + ", ".join(f"{round(mass, 9):g}" for mass in masses) + ")$"


CLAIMS: dict[str, Claim] = {}
for token in (0, 1):
    CLAIMS |= {
        f"accept_{token}": Written(partial(accept, token)),
        f"kept_{token}": Written(lambda token=token: f"| {ledger().accepted[token]:g}"),
        f"rejected_{token}": Written(lambda token=token: f"| {ledger().rejected[token]:g}"),
    }
CLAIMS |= {
    "missing": Written(lambda: row([p - kept for p, kept in zip(TARGET, ledger().accepted, strict=True)])),
    "residual": Written(lambda: row(residual(TARGET, DRAFT, 1))),
    "mass_to_spread": Computed(lambda: sum(ledger("residual_is_target").rejected)),
    "too_often": Computed(lambda: ledger("residual_is_target").law[1]),
    "right_share": Computed(lambda: ledger().law[1]),
    "bias": Computed(lambda: total_variation(ledger("residual_is_target").law, TARGET)),
    "quiz_surplus": Computed(lambda: one_step_law(COIN_TARGET, COIN_DRAFT, rejection_rule).rejected[0]),
    "quiz_coin": Computed(lambda: rejection_rule(list(COIN_TARGET), list(COIN_DRAFT), 0)[0]),
    "quiz_residual": Written(lambda: row(residual(QUIZ_TARGET, QUIZ_DRAFT, 2))),
    "quiz_missing": Written(lambda: row(above())),
    "quiz_missing_sum": Computed(lambda: sum(above())),
    "quiz_without": Written(lambda: row([mass / (1 - QUIZ_TARGET[2]) for mass in QUIZ_TARGET[:2]] + [0.0])),
}
