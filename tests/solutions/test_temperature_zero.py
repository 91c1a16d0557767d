"""Temperature 0, from logits to tokens: the exercise target_distribution, then the engine."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solutions.target_distribution.solution import target_distribution
from tests.solutions.batches import ENGINES, batch_of, emitted

each_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
few = settings(max_examples=40, deadline=None)


@each_engine
@given(data=st.data())
@few
def test_temperature_zero_is_the_argmax_however_large_the_logits_and_no_division(engine: Any, data: Any) -> None:
    """Rows of the exercise target_distribution at temperature 0, then verified: the greedy text, whatever the draft."""
    size, length = data.draw(st.integers(2, 6)), data.draw(st.integers(0, 4))
    numbers = st.floats(-1e99, 1e99)
    row = st.lists(numbers, min_size=size, max_size=size)
    logits = np.array(data.draw(st.lists(row, min_size=length + 1, max_size=length + 1)))
    drafts = data.draw(st.lists(st.integers(0, size - 1), min_size=length, max_size=length))
    with np.errstate(all="raise"):
        rows = target_distribution(logits, {"temperature": 0}, ([], [], drafts))
    best = logits.argmax(axis=1).tolist()
    assert (rows == np.eye(size)[best]).all()
    even = np.full((length, size), 1 / size)
    coins = np.full(length, data.draw(st.floats(0, 1, exclude_max=True)))
    (got,) = emitted(engine(batch_of([length], drafts, rows, even, coins, [0.5])))
    assert got == best[: len(got)]
