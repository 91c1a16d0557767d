"""The slots of a round: against a cache that remembers what each slot was computed from."""
from __future__ import annotations

import itertools

import pytest

from grader.language import LANGUAGES, words
from lessons.figures.kv_slots.build import DRAFT, LAST, MAX_DRAFTS, TEXTS, State, build, committed, slots
from lessons.figures.stepper import Stepper
from solutions.commit_round.cache import Cache

STATES = [State(computed, drafts, accepted) for computed, drafts in itertools.product((1, 2, 10), range(1, 6))
          for accepted in range(drafts + 1)]  # fmt: skip


def kinds(state: State, moment: str) -> dict[int, str]:
    return {slot.number: slot.kind for slot in slots(state, moment)}


def test_the_lesson_s_round() -> None:
    state = State()
    assert [committed(state)[name] for name in ("num_computed_tokens", "num_rejected")] == [12, 2]
    assert kinds(state, "verdict") == {
        8: "own", 9: "own", 10: "own", 11: "own", 12: "stale", 13: "stale", 14: "free", 15: "free",
    }
    assert [slot.holds for slot in slots(state, "next")] == ["", "", "t", "d1", "r", "e1", "e2", "e3"]
    assert kinds(state, "next")[12] == kinds(state, "next")[13] == "over"


@pytest.mark.parametrize("state", STATES, ids=str)
def test_valid_slots_hold_the_request_s_own_tokens(state: State) -> None:
    """A cache that keeps the prefix of each slot agrees on which are worth reading."""
    cache = Cache(list(range(state.computed)), [0])
    cache.forward([DRAFT + place for place in range(1, state.drafts + 1)])
    cache.output = [0, *[DRAFT + place for place in range(1, state.accepted + 1)], LAST]
    drawn = kinds(state, "verdict")
    own = [number for number, kind in drawn.items() if kind == "own"]
    assert max(own) + 1 == cache.own() == committed(state)["num_computed_tokens"]
    assert sum(kind == "stale" for kind in drawn.values()) == state.drafts - state.accepted
    assert "stale" not in kinds(state, "next").values()


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_name_the_counts(language: str) -> None:
    (stepper,) = build(State(), words(TEXTS, language)).plots
    assert isinstance(stepper, Stepper)
    assert [all(number in step.sentence for number in shown) for step, shown in zip(
        stepper.steps, (("10",), ("13", "14", "10"), ("12", "14", "2"), ("12",)), strict=True)] == [True] * 4
    (all_stay,) = build(State(10, 3, 3), words(TEXTS, language)).plots
    assert isinstance(all_stay, Stepper) and " b" in all_stay.steps[2].sentence


def test_a_link_round_trip_and_what_it_can_t_have() -> None:
    for state in STATES:
        query = {f"slots.{name}": value for name, value in state.to_query().items()}
        assert State.from_query(query) == (state, [])
    state, problems = State.from_query({"slots.k": "1", "slots.accepted": "2"})
    assert state == State(10, 1, 1) and len(problems) == 1
    assert State.from_query({"slots.k": "0"})[0].drafts == State.drafts and MAX_DRAFTS == 5
