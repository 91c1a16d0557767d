"""The numbers of “The bug museum”: counted over its exhibits, whose laws the engine computes."""
from __future__ import annotations

from lessons.figures.bug_museum.exhibits import EXHIBITS, IDS
from lessons.figures.bug_museum.laws import seen
from tests.lessons.claims.kinds import Claim, Computed

SIX_DIGITS = 5e-7
EXACT = 1e-12
REPORTS = {report for exhibit in EXHIBITS for report in exhibit.reports}


def biased() -> list[str]:
    return [name for name in IDS if seen(name).distance > EXACT]


def rates(name: str) -> tuple[float, float]:
    found = seen(name).rates
    assert found is not None
    return found


def moves() -> list[float]:
    """How far each fault that bends the law moves the acceptance rate."""
    every = [seen(name).rates for name in biased()]
    return [rate[1] - rate[0] for rate in every if rate is not None]


CLAIMS: dict[str, Claim] = {
    "exhibits": Computed(lambda: len(EXHIBITS)),
    "biased": Computed(lambda: len(biased())),
    "same": Computed(lambda: sum(abs(move) < SIX_DIGITS for move in moves())),
    "higher": Computed(lambda: sum(move >= SIX_DIGITS for move in moves())),
    "lower": Computed(lambda: sum(move <= -SIX_DIGITS for move in moves())),
    "reports": Computed(lambda: len({report.address for report in REPORTS})),
    "repositories": Computed(lambda: len({report.repository for report in REPORTS})),
    "dropped_rate": Computed(lambda: rates("draft_dropped")[1]),
    "full_rate": Computed(lambda: rates("draft_dropped")[0]),
    "quiz_place": Computed(lambda: IDS.index("constant_coin") + 1),
    "quiz_coin": Computed(lambda: seen("constant_coin").distance),
    "quiz_zero": Computed(lambda: seen("closed_at_zero").distance),
}
