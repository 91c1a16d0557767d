"""One running answer a learner: a second one is told so, others don't notice."""
from __future__ import annotations

import threading

import pytest

from lessons.running import OneEach


def test_a_learner_has_one_turn_and_others_have_theirs() -> None:
    turns = OneEach()
    with turns.turn("ann") as first, turns.turn("ben") as other, turns.turn("ann") as second:
        assert (first, other, second) == (True, True, False)
    with turns.turn("ann") as again:
        assert again


def test_a_refused_turn_does_not_end_the_running_one() -> None:
    turns = OneEach()
    with turns.turn("ann"):
        with turns.turn("ann"):
            pass
        with turns.turn("ann") as still:
            assert not still


def test_a_turn_ends_with_an_error_too() -> None:
    turns = OneEach()
    with pytest.raises(ValueError), turns.turn("ann"):
        raise ValueError
    with turns.turn("ann") as free:
        assert free


def test_who_waits_gets_the_turn_when_it_is_free() -> None:
    turns, got = OneEach(), []

    def wait() -> None:
        with turns.turn("ann", wait=10) as free:
            got.append(free)

    with turns.turn("ann"):
        waiter = threading.Thread(target=wait)
        waiter.start()
        waiter.join(0.05)
        assert waiter.is_alive() and not got
    waiter.join(10)
    assert got == [True]
