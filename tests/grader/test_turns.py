"""So many at a time, and now and then one alone. Every step waits for an event, none for a clock."""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from grader.turns import Turns

LONG = 20.0  # seconds until a test that hangs fails


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


class Holder:
    """A turn that begins and ends when the test says so; `alone` while it is held."""

    def __init__(self, turns: Turns, threads: ThreadPoolExecutor, ask: bool = False) -> None:
        self.begun, self.may_ask, self.alone, self.may_end = (threading.Event() for _ in range(4))
        self.future: Future[Any] = threads.submit(self._run, turns, ask)

    def _run(self, turns: Turns, ask: bool) -> None:
        with turns:
            self.begun.set()
            if ask:
                assert self.may_ask.wait(LONG)
                with turns.alone():
                    self.alone.set()
                    assert self.may_end.wait(LONG)
            assert self.may_end.wait(LONG)

    def end(self) -> None:
        self.may_end.set()
        self.future.result(LONG)


def waits(holds: Callable[[], bool]) -> bool:
    """Whether it comes true; polled, as nobody tells when."""
    pause = threading.Event()
    return any(holds() or pause.wait(0.005) for _ in range(int(LONG / 0.005)))


def test_no_more_turns_than_places(threads: ThreadPoolExecutor) -> None:
    turns = Turns(2)
    first, second, third = (Holder(turns, threads) for _ in range(3))
    assert waits(lambda: turns._running == 2)
    begun = [one for one in (first, second, third) if one.begun.is_set()]
    assert len(begun) <= 2
    for one in (first, second, third):
        one.may_end.set()
    for one in (first, second, third):
        one.future.result(LONG)
    assert turns._running == 0


def test_alone_waits_for_those_that_run_and_holds_back_the_new(threads: ThreadPoolExecutor) -> None:
    turns = Turns(2)
    other, asker = Holder(turns, threads), Holder(turns, threads, ask=True)
    assert other.begun.wait(LONG) and asker.begun.wait(LONG)
    asker.may_ask.set()
    assert waits(lambda: turns._asking == 1)
    late = Holder(turns, threads)
    assert not asker.alone.is_set() and not late.begun.is_set()  # a place is free, and yet
    other.end()
    assert asker.alone.wait(LONG) and not late.begun.is_set() and turns._running == 0
    asker.end()
    assert late.begun.wait(LONG)
    late.end()


def test_two_that_ask_at_once_are_alone_one_after_the_other(threads: ThreadPoolExecutor) -> None:
    turns = Turns(2)
    both = [Holder(turns, threads, ask=True) for _ in range(2)]
    assert all(one.begun.wait(LONG) for one in both)
    for one in both:
        one.may_ask.set()
    assert waits(lambda: any(one.alone.is_set() for one in both))
    first = next(one for one in both if one.alone.is_set())
    second = next(one for one in both if one is not first)
    assert not second.alone.is_set()
    second.may_end.set()
    first.may_end.set()
    for one in both:
        one.future.result(LONG)
    assert second.alone.is_set() and turns._running == 0


def test_an_exception_gives_the_turn_and_the_rest_back() -> None:
    turns = Turns(1)
    for _ in range(2):
        with pytest.raises(KeyError), turns, turns.alone():
            raise KeyError
    with turns:
        assert turns._running == 1


def test_who_stops_waiting_to_be_alone_keeps_the_turn_and_holds_nobody_back(
    threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Turns(2)

    def interrupted(holds: Callable[[], bool]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), turns:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(turns._changed, "wait_for", interrupted)
            with turns.alone():
                raise AssertionError("it was interrupted")
    assert (turns._running, turns._asking) == (0, 0)
    Holder(turns, threads).end()
