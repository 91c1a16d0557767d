"""Every number of “Numbers that break”: the runs of the figure with its seed 0, and what a row itself tells."""
from __future__ import annotations

import numpy as np

from lessons.figures.known_rules import function
from solutions.numerics.drawing import TOLERANCE
from solutions.numerics.experiments import run
from solutions.numerics.precision import pair, rounded, scores
from solutions.numerics.residual import SIZE
from solutions.numerics.rule import accepted_coins
from solutions.rounds import arguments, round_of
from solutions.target_distribution.solution import softmax
from tests.lessons.claims.kinds import Claim, Computed


def computed(name: str, variant: str, size: str) -> Computed:
    return Computed(lambda: _number(run(name, variant, size, 0).computed))


def extra(name: str, variant: str, size: str) -> Computed:
    return Computed(lambda: _number(run(name, variant, size, 0).extra))


def _number(found: float | None) -> float:
    assert found is not None
    return found


def sum_off(kind: str) -> float:
    return _number(run("cumsum", kind, "128256", 0).computed)


def refused(variant: str) -> Computed:
    """More than 75% of the rows: the exact share hangs on the last digit of a machine's float32 exponential."""
    return Computed(lambda: 0.75 if _number(run("choice", variant, "1000", 0).computed) > 0.75 else 0.0)


def rejected_mass() -> float:
    rows = pair(SIZE, 1e-3, 0)
    return float(np.maximum(rows.target - rows.draft, 0.0).sum())


def flushed() -> float:
    """The share of tokens that float16 turns into 0."""
    return float((rounded(softmax(scores(SIZE, 0)), "float16") == 0.0).mean())


def largest_error() -> float:
    """Of rounding to bfloat16, relative to the number: over all float32 numbers with an exponent of 0."""
    numbers = 1.0 + np.arange(1 << 16) / (1 << 16)
    return float((np.abs(rounded(numbers, "bfloat16") - numbers) / numbers).max())


def kept_beside(epsilon: float) -> float:
    """How often the bug hunt's code, whose ratio has a constant, keeps a token as rare as that for both models."""
    faulty = function("bug_hunt_kernel", "epsilon_left")
    row = [1.0 - epsilon, epsilon]
    given = round_of([1], [row, row], [row])

    def keeps(coin: float, target_mass: float, draft_mass: float) -> bool:
        return len(faulty(*arguments(given, [coin], 0.5))) == 2

    return accepted_coins(keeps, epsilon, epsilon, 1024) / 1024


CLAIMS: dict[str, Claim] = {
    "ratio_12": computed("ratio_epsilon", "32000", "1e-12"),
    "residual_12": computed("residual_epsilon", "32000", "1e-12"),
    "ratio_8": computed("ratio_epsilon", "32000", "1e-8"),
    "residual_8": computed("residual_epsilon", "32000", "1e-8"),
    "ratio_5": computed("ratio_epsilon", "32000", "1e-5"),
    "residual_5": computed("residual_epsilon", "32000", "1e-5"),
    "hit_hardest": extra("ratio_epsilon", "32000", "1e-10"),
    "closed_32": computed("closed", "closed", "float32"),
    "closed_often": extra("closed", "closed", "float32"),
    "closed_64": computed("closed", "closed", "float64"),
    "strict": computed("closed", "strict", "float32"),
    "grid_distance": computed("uniform", "float32", "128256"),
    "grid_lost": extra("uniform", "float32", "128256"),
    "sum_distance": computed("cumsum", "float32", "128256"),
    "sum_lost": extra("cumsum", "float32", "128256"),
    "double_distance": computed("cumsum", "float64", "128256"),
    "stall": extra("stall", "float16", "16384"),
    "tolerance": Computed(lambda: TOLERANCE),
    "refused": refused("cast"),
    "refused_after": refused("renormalised"),
    "refused_never": computed("choice", "divided_last", "1000"),
    "half_distance": computed("half", "bfloat16", "1e-3"),
    "half_mass": Computed(rejected_mass),
    "flushed": Computed(flushed),
    "uniform_impossible": computed("zero", "here", "uniform"),
    "dropout_pass": computed("dropout", "pass", "0.1"),
    "dropout_law": computed("dropout", "law", "0.1"),
    "dropout_kept": computed("dropout", "kept", "0.1"),
    "bfloat16_error": Computed(largest_error),
    "total_12": computed("ratio_epsilon", "32000", "1e-12"),
    "zeros": computed("closed", "closed", "float32"),
    "zero_every": Computed(lambda: 1.0 / (_number(run("closed", "closed", "float32", 0).computed) * 10_000 * 60)),
    "sorted_gain": Computed(lambda: 10.0 if sum_off("float32") > 10.0 * sum_off("sorted") else 0.0),
    "quiz_half": Computed(lambda: kept_beside(1e-10)),
}
