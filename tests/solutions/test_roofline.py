"""The roofline: lesson one's numbers, the formula where rows are free, a loss where none is, and the batch between."""
from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solutions.expected_tokens.solution import expected_tokens, speedup
from solutions.roofline import (
    Drafting,
    Server,
    full_batch,
    gain,
    largest_paying_batch,
    pays,
    seconds_a_token,
    tokens_a_second,
)

servers = st.builds(Server, st.floats(1e8, 1e12), st.floats(1e11, 1e13), st.floats(1e13, 1e16), st.integers(0, 100_000))
draftings = st.builds(Drafting, st.floats(0.0, 1.0), st.integers(1, 16), st.floats(0.0, 1.0))


def test_a_plain_pass_of_one_row_waits_for_memory() -> None:
    assert Server().reading(1) == pytest.approx(16e9 / 3.35e12)
    assert Server().calculating(1) == pytest.approx(16e9 / 989e12)
    assert full_batch(Server()) == pytest.approx(295.2, abs=0.1)
    assert full_batch(Server(), 5) == pytest.approx(full_batch(Server()) / 5)


@given(draftings)
def test_free_rows_are_the_formula(drafting: Drafting) -> None:
    assert gain(Server(operations=1e30), 8, drafting) == pytest.approx(
        speedup(drafting.alpha, drafting.K, drafting.c)
    )


@given(servers, draftings, st.integers(0, 30), st.integers(0, 30))
def test_the_gain_never_rises_with_the_batch(server: Server, drafting: Drafting, one: int, more: int) -> None:
    assert gain(server, 2 ** (one + more), drafting) <= gain(server, 2**one, drafting) * (1 + 1e-12)


@given(draftings)
def test_a_full_machine_never_gains(drafting: Drafting) -> None:
    limit = expected_tokens(drafting.alpha, drafting.K) / (drafting.K * drafting.c + drafting.K + 1)
    assert gain(Server(), 10**9, drafting) == pytest.approx(limit)
    assert limit <= 1.0 + 1e-12


@given(servers, draftings)
def test_the_largest_paying_batch_is_the_border(server: Server, drafting: Drafting) -> None:
    most = largest_paying_batch(server, drafting)
    if most == math.inf:
        assert pays(server, 2**40, drafting)
        return
    assert most == 0 or pays(server, int(most), drafting)
    assert not pays(server, int(most) + 1, drafting)


def test_the_lesson_s_case() -> None:
    """K = 4 takes 5 rows a request: full at 59 requests, and lost beyond E - K c = 3.16 times that."""
    drafting = Drafting(0.8, 4, 0.05)
    assert gain(Server(), 59, drafting) == gain(Server(), 1, drafting) == pytest.approx(3.3616 / 1.2)
    assert gain(Server(), 60, drafting) < gain(Server(), 59, drafting)
    assert largest_paying_batch(Server(), drafting) == 186
    assert tokens_a_second(Server(), 512) == pytest.approx(989e12 / 16e9)
    assert seconds_a_token(Server(), 1) == pytest.approx(0.004776, abs=1e-6)


def test_long_contexts_keep_a_full_batch_waiting_for_memory() -> None:
    long = Server(context=8000)
    assert full_batch(long) == math.inf
    assert largest_paying_batch(long, Drafting(0.8, 4, 0.05)) == math.inf


@pytest.mark.parametrize(
    ("drafting", "most"),
    [
        (Drafting(0.0, 4, 0.0), 0),  # as fast while rows are free
        (Drafting(1.0, 4, 1.0), 0),
        (Drafting(1.0, 4, 0.0), 295),  # with a full machine it's as fast
    ],
)
def test_as_fast_is_no_gain(drafting: Drafting, most: int) -> None:
    assert largest_paying_batch(Server(), drafting) == most
    assert gain(Server(), most + 1, drafting) == pytest.approx(1.0)


def test_a_cost_that_never_pays() -> None:
    assert largest_paying_batch(Server(), Drafting(0.2, 4, 0.5)) == 0
    with pytest.raises(ValueError, match="alpha is 1.5"):
        Drafting(1.5, 4, 0.1)
