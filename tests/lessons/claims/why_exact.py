"""What “Why it is exact” claims: distances, overlaps, two independent draws, and the numbers of the quiz."""
from __future__ import annotations

from lessons.figures.distributions import DEFAULT, EXAMPLES, Pair
from lessons.figures.overlap.build import by_the_rule, by_two_draws, kept
from solutions.law import Ledger, one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from tests.lessons.claims.kinds import Claim, Computed, Sourced, Written

QUIZ = Pair((0.5, 0.3, 0.2), (0.2, 0.2, 0.6))
UNPROPOSED = Pair((0.5, 0.3, 0.2), (0.4, 0.6, 0.0))  # the last token is never proposed


def ledger(pair: Pair) -> Ledger:
    return one_step_law(pair.target, pair.draft, rejection_rule)


def all_kept() -> Ledger:
    """A rule that keeps every draft token."""
    return one_step_law(DEFAULT.target, DEFAULT.draft, lambda target, draft, token: (1.0, target))


def distance(pair: Pair) -> float:
    return total_variation(pair.target, pair.draft)


def halved() -> str:
    apart = [abs(p - q) for p, q in zip(DEFAULT.target, DEFAULT.draft, strict=True)]
    return rf"$\frac{{1}}{{2}}({apart[0]:g} + {apart[1]:g}) = {distance(DEFAULT):.2g}$"


def overlap(pair: Pair) -> str:
    accepted = ledger(pair).accepted
    return "$" + " + ".join(f"{mass:g}" for mass in accepted) + f" = {sum(accepted):.2g}$"


def agreement() -> str:
    terms = " + ".join(rf"{p:g} \cdot {q:g}" for p, q in zip(DEFAULT.target, DEFAULT.draft, strict=True))
    return f"${terms} = {kept(by_two_draws(DEFAULT)):.2g}$"


CLAIMS: dict[str, Claim] = {
    "distance": Written(halved),
    "worked_rate": Written(lambda: overlap(DEFAULT)),
    "four_rate": Written(lambda: overlap(EXAMPLES["four"])),
    "agree": Written(agreement),
    "kept": Computed(lambda: kept(by_the_rule(DEFAULT))),
    "several_guesses": Sourced("2310.15141"),
    "judged_together": Sourced("2403.10444"),
    "all_kept": Computed(lambda: sum(all_kept().accepted)),
    "all_kept_distance": Computed(lambda: total_variation(all_kept().law, DEFAULT.target)),
    "afterwards": Written(lambda: f" {total_variation(ledger(DEFAULT).law, DEFAULT.target):.12g}"),
    "hardware_numerics": Sourced("2302.01318"),
    "quiz_agree": Computed(lambda: kept(by_two_draws(QUIZ))),
    "quiz_distance": Computed(lambda: distance(QUIZ)),
    "quiz_rate": Computed(lambda: kept(by_the_rule(QUIZ))),
    "quiz_emitted": Computed(lambda: ledger(UNPROPOSED).law[2]),
    "quiz_resampled": Computed(lambda: ledger(UNPROPOSED).resampled[2]),
}
