"""Hypothesis strategies for two distributions over the same tokens."""
from __future__ import annotations

from hypothesis import strategies as st

from lessons.figures.distributions import Pair


def rows(size: int) -> st.SearchStrategy[tuple[float, ...]]:
    """Whole numbers divided by their sum: zeros and equal entries come up often."""
    counts = st.lists(st.integers(0, 1000), min_size=size, max_size=size).filter(any)
    return counts.map(lambda row: tuple(count / sum(row) for count in row))


pairs = st.integers(2, 8).flatmap(lambda size: st.builds(Pair, rows(size), rows(size)))
