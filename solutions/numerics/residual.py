"""The residual's side: a small difference of rounded rows, and what code does where nothing is missing."""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from solutions.draws import pick
from solutions.numerics.finding import Finding
from solutions.numerics.precision import distance, pair, rounded

SIZE = 32_000
DRAWS = 1000  # evenly spaced uniforms


def half_precision(precision: str, noise: float, seed: int) -> Finding:
    """The residual of rows kept in that precision, draft near target: its total variation from the exact residual.

    noise: the standard deviation between the scores; the exact residual has about 0.4 times as much mass. extra: the
    mass that the rounded rows leave, in parts of the exact one. raised: where that is 0, what drawing from it raises.
    """
    rows = pair(SIZE, noise, seed)
    exact = np.maximum(rows.target - rows.draft, 0.0)
    target, draft = (rounded(row, precision) for row in rows)
    found = rounded(np.maximum(target - draft, 0.0), precision)
    mass = float(found.sum())
    part = mass / float(exact.sum())
    if mass == 0.0:
        return Finding(None, None, part, _raised(found))
    return Finding(distance(found / mass, exact / exact.sum()), None, part)


def nothing_missing(fallback: str) -> Finding:
    """A rejection by rounding, where the residual is zero everywhere: how often a token comes out that can't be.

    The target can't produce the first and the last of TARGET's tokens. predicted: by reading the code. extra: None.
    """
    residual = [0.0] * len(TARGET)
    try:
        tokens = [FALLBACKS[fallback](residual, (draw + 0.5) / DRAWS) for draw in range(DRAWS)]
    except ValueError as error:
        return Finding(None, None, None, str(error))
    return Finding(sum(TARGET[token] == 0.0 for token in tokens) / DRAWS, PREDICTED[fallback])


TARGET = (0.0, 0.4, 0.3, 0.2, 0.1, 0.0, 0.0, 0.0)


def _divide(residual: Sequence[float], uniform: float) -> int:
    with np.errstate(invalid="ignore"):
        weights = np.array(residual) / np.sum(residual)
    return int(np.random.default_rng(0).choice(len(residual), p=weights))


def _argmax(residual: Sequence[float], uniform: float) -> int:
    return int(np.argmax(residual))


def _last(residual: Sequence[float], uniform: float) -> int:
    sums = np.cumsum(residual)
    return min(int(np.searchsorted(sums, uniform * sums[-1], side="right")), len(residual) - 1)


def _uniform(residual: Sequence[float], uniform: float) -> int:
    return int(uniform * len(residual))


def _target(residual: Sequence[float], uniform: float) -> int:
    return pick(TARGET, uniform)


FALLBACKS: dict[str, Callable[[Sequence[float], float], int]] = {
    "divide": _divide, "argmax": _argmax, "last": _last, "uniform": _uniform, "target": _target,
}
PREDICTED = {"argmax": 1.0, "last": 1.0, "uniform": TARGET.count(0.0) / len(TARGET), "target": 0.0}


def _raised(weights: np.ndarray) -> str:
    """What NumPy says when it is asked to draw from weights that are divided by their sum of 0."""
    try:
        _divide(weights.tolist(), 0.5)
    except ValueError as error:
        return str(error)
    return ""
