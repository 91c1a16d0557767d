"""The state of the figure: which experiment, in which variant, with which rows."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.figures.distributions import Problem
from lessons.figures.query import Query
from solutions.numerics.experiments import EXPERIMENTS

PREFIX = "num"


@dataclass(frozen=True)
class State:
    """`variant`: one that the experiment has. `seed` makes the rows, where an experiment has random ones."""

    experiment: str = "uniform"
    variant: str = "float32"
    seed: int = 0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        experiment = link.one_of("experiment", EXPERIMENTS, cls.experiment)
        variant = link.one_of("variant", EXPERIMENTS[experiment].variants, usual(experiment))
        return cls(experiment, variant, link.seed(cls.seed)), link.problems

    def to_query(self) -> dict[str, str]:
        return {"experiment": self.experiment, "variant": self.variant, "seed": str(self.seed)}


def usual(experiment: str) -> str:
    """The variant that an experiment starts with: the one in the middle of the course's story."""
    return {"uniform": "float32", "ratio_epsilon": "32000", "residual_epsilon": "32000"}.get(
        experiment, EXPERIMENTS[experiment].variants[0]
    )
