"""The start page: the law that the first pitfall gives."""
from __future__ import annotations

from lessons.figures import rules
from solutions.law import one_step_law
from tests.lessons.claims.kinds import Claim, Computed


def resampled_from_target(token: int) -> Computed:
    return Computed(lambda: one_step_law([0.7, 0.3], [0.4, 0.6], rules.rule("residual_is_target")).law[token])


CLAIMS: dict[str, Claim] = {"wrong_first": resampled_from_target(0), "wrong_second": resampled_from_target(1)}
