"""How long the convergence figure computes for one rerun: `python -m tests.benchmarks.convergence`.

Prints milliseconds (best and median of 20) from a change of the slider to the finished figure, drawing in the browser
not included. The course asks for less than 300 ms at 10^6 draws.
"""
from __future__ import annotations

import statistics
import time

from grader.language import words
from lessons.figures.convergence.build import TEXTS, State, build
from lessons.figures.distributions import EXAMPLES, Pair

EIGHT = Pair((0.125,) * 8, (0.3, 0.1, 0.05, 0.05, 0.1, 0.1, 0.2, 0.1))


def main() -> None:
    for name, pair in (*EXAMPLES.items(), ("eight tokens", EIGHT)):
        for draws in (1000, 10**6, 10**7):
            times = [_one(State(pair, draws=draws, seed=seed)) for seed in range(20)]
            print(f"{name:12} n = {draws:>10,}: best {min(times):6.1f} ms, median {statistics.median(times):6.1f} ms")


def _one(state: State) -> float:
    started = time.perf_counter()
    build(state, words(TEXTS, "en"))
    return 1000 * (time.perf_counter() - started)


if __name__ == "__main__":
    main()
