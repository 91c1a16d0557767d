"""The instructor's password: wrong guesses wait ever longer, across sessions and addresses."""
from __future__ import annotations

import pytest

from grader.instructor import gate
from grader.instructor.gate import Gate


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setenv(gate.SETTING, "right · 对")
    return Clock()


def test_the_right_password_enters_and_others_do_not(clock: Clock) -> None:
    door = Gate(clock)
    assert [door.enter("a", guess) for guess in ("", "right", "right · 对 ", "\ud800", "right · 对")] == [False] * 3 + [
        False,
        False,  # the fourth wrong guess came during the waiting time, and the right one too
    ]
    clock.now += 1
    assert door.enter("a", "right · 对")


def test_waiting_doubles_and_a_right_guess_clears_it(clock: Clock) -> None:
    door, waits = Gate(clock), []
    for _ in range(7):
        door.enter("a", "wrong")
        waits.append(door.wait("a"))
        clock.now += waits[-1]
    assert waits == [0, 0, 1, 2, 4, 8, 16]
    assert door.enter("a", "right · 对") and door.wait("a") == 0


def test_one_guesser_does_not_lock_out_another_client(clock: Clock) -> None:
    door = Gate(clock)
    for _ in range(6):
        door.enter("a", "wrong")
        clock.now += door.wait("a")
    door.enter("a", "wrong")
    assert door.wait("a") > 0 == door.wait("b") and door.enter("b", "right · 对")


def test_many_addresses_are_slowed_together_but_never_for_long(clock: Clock) -> None:
    door = Gate(clock)
    for number in range(200):
        door.enter(f"client {number}", "wrong")
        clock.now += door.wait("new")
    door.enter("new", "wrong")
    assert 0 < door.wait("another") <= gate.LONGEST_WAIT_OF_ALL


def test_old_misses_are_forgotten_and_memory_is_bounded(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "CLIENTS", 3)
    door = Gate(clock)
    for number in range(10):
        door.enter(str(number), "wrong")
    assert len(door._clients) == 3
    clock.now += gate.FORGET_AFTER + 1
    for _ in range(2):
        door.enter("9", "wrong")
    assert door.wait("9") == 0


@pytest.mark.parametrize("value", ["", None])
def test_no_password_set_lets_nobody_in(value: str | None, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv(gate.SETTING)
    else:
        monkeypatch.setenv(gate.SETTING, value)
    assert not gate.is_set() and not Gate(clock).enter("a", "")


def test_another_password_makes_old_tickets_worthless(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    before = gate.ticket()
    monkeypatch.setenv(gate.SETTING, "another")
    assert gate.ticket() != before and "another" not in gate.ticket()
