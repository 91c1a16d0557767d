"""The experiments by name: which variants and sizes each has, and one run of it."""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import NamedTuple

from solutions.numerics import drawing, dropout, residual, rule
from solutions.numerics.finding import Finding
from solutions.numerics.precision import BITS

SIZES = ("1000", "32000", "128256")
NOISES = ("1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7")
EPSILONS = ("1e-12", "1e-10", "1e-8", "1e-6", "1e-5")


class Experiment(NamedTuple):
    """variants, sizes: what can be chosen. run: (variant, size, seed) -> what is found. seeded: whether a seed counts.

    wide: whether what is measured spans powers of ten, so that a picture of it needs a logarithmic axis.
    """

    variants: tuple[str, ...]
    sizes: tuple[str, ...]
    run: Callable[[str, str, int], Finding]
    seeded: bool = True
    wide: bool = False


EXPERIMENTS: Mapping[str, Experiment] = {
    "ratio_epsilon": Experiment(
        SIZES, EPSILONS, lambda v, s, seed: rule.ratio_epsilon(int(v), float(s), seed), wide=True
    ),
    "residual_epsilon": Experiment(
        SIZES, EPSILONS, lambda v, s, seed: rule.residual_epsilon(int(v), float(s), seed), wide=True
    ),
    "closed": Experiment(
        tuple(rule.COMPARISONS), tuple(BITS), lambda v, s, seed: rule.impossible_token(v, s), seeded=False, wide=True
    ),
    "uniform": Experiment(
        ("float16", "float32", "float64"), SIZES, lambda v, s, seed: drawing.coarse_uniform(int(s), v, seed), wide=True
    ),
    "cumsum": Experiment(
        drawing.SUMS, SIZES, lambda v, s, seed: drawing.rounded_sum(int(s), v, seed), wide=True
    ),
    "stall": Experiment(
        ("float16", "float32"), ("1024", "2048", "4096", "8192", "16384"),
        lambda v, s, seed: drawing.stalled_sum(int(s), v), seeded=False,
    ),
    "choice": Experiment(
        drawing.WEIGHTS, ("100", *SIZES), lambda v, s, seed: drawing.refused_rows(int(s), v, seed)
    ),
    "half": Experiment(
        ("bfloat16", "float16", "float32"), NOISES, lambda v, s, seed: residual.half_precision(v, float(s), seed)
    ),
    "zero": Experiment(
        ("here",), tuple(residual.FALLBACKS), lambda v, s, seed: residual.nothing_missing(s), seeded=False
    ),
    "dropout": Experiment(
        ("law", "pass", "kept"), ("0", "0.05", "0.1", "0.2", "0.5"),
        lambda v, s, seed: dropout.left_on(v, float(s), seed),
    ),
}


@functools.lru_cache(maxsize=4096)
def run(name: str, variant: str, size: str, seed: int) -> Finding:
    """One run, remembered. Raises KeyError for an unknown name, ValueError for what the experiment doesn't have."""
    experiment = EXPERIMENTS[name]
    if variant not in experiment.variants or size not in experiment.sizes:
        raise ValueError(f"{name} has no variant {variant!r} of size {size!r}")
    return experiment.run(variant, size, seed if experiment.seeded else 0)
