"""Many draws at once: the same token as one draw, for every uniform."""
from __future__ import annotations

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solutions.cases import random_law
from solutions.draws import pick
from solutions.guide_table import GuideTable

BELOW_ONE = float(np.nextafter(1.0, 0.0))


@settings(deadline=None)
@given(seed=st.integers(0, 2**32), size=st.sampled_from([1, 2, 3, 4, 5, 31, 200]))
def test_every_draw_is_that_of_pick(seed: int, size: int) -> None:
    """At the cumulative sums themselves and at their neighbours too."""
    law, rng = random_law(random.Random(seed), size), np.random.default_rng(seed)
    sums = np.cumsum(law)
    near = np.concatenate([sums, np.nextafter(sums, 0.0), np.nextafter(sums, 2.0), [0.0, BELOW_ONE], rng.random(50)])
    uniforms = near[near < 1.0]
    assert GuideTable(law).draw(uniforms).tolist() == [pick(law, uniform) for uniform in uniforms.tolist()]


@pytest.mark.parametrize("bits", [3, 6])
def test_a_dyadic_law_is_drawn_exactly(bits: int) -> None:
    parts = [3, 0, 1, 2**bits - 4, 0]
    uniforms = (np.arange(2**bits) + 0.5) / 2**bits
    drawn = GuideTable([part / 2**bits for part in parts]).draw(uniforms)
    assert np.bincount(drawn, minlength=5).tolist() == parts


def test_a_law_with_one_heavy_token_among_many_light_ones() -> None:
    """Many cumulative sums in one cell of the guide: the search goes on to the right one."""
    law = [1e-9] * 2000 + [1.0 - 2e-6]
    uniforms = np.array([0.0, 1e-9, 1.5e-9, 1.9995e-6, 0.5, BELOW_ONE])
    assert GuideTable(law).draw(uniforms).tolist() == [pick(law, uniform) for uniform in uniforms.tolist()]


def test_draws_are_fast_at_any_size() -> None:
    rng = np.random.default_rng(1)
    table, uniforms = GuideTable(rng.dirichlet(np.ones(32_000))), rng.random(65_536)
    start = time.perf_counter()
    table.draw(uniforms)
    assert time.perf_counter() - start < 0.1  # some 2 ms where nothing else runs
