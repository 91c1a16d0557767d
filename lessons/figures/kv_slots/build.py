"""One round slot by slot: what the pass writes, what stays valid, and how the next round writes over the rest."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.language import Words
from lessons.figures.distributions import Problem
from lessons.figures.frame import Drawn, sentences
from lessons.figures.query import Query, within
from lessons.figures.stepper import Step, Stepper, rendered
from solutions.commit_round.solution import PADDING, commit_round

HERE = Path(__file__).parent
TEXTS = HERE / "texts"
PREFIX = "slots"
MAX_COMPUTED, MAX_DRAFTS = 40, 5
BEFORE = 2  # computed slots that are drawn, at most
DRAFT, LAST, NEXT = 100, 200, 300  # token numbers: draft tokens, what came out of the pass, the next round's drafts
UNREACHED = 10**6  # as an end of text and as a limit: neither comes


@dataclass(frozen=True)
class State:
    """computed: positions computed before the round. drafts: K. accepted: how many of the draft tokens stay."""

    computed: int = 10
    drafts: int = 3
    accepted: int = 1

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        computed = link.whole("computed", 1, MAX_COMPUTED, cls.computed)
        drafts = link.whole("k", 1, MAX_DRAFTS, cls.drafts)
        default = min(cls.accepted, drafts)
        return cls(computed, drafts, link.read("accepted", lambda t: within(int(t), 0, drafts), default)), link.problems

    def to_query(self) -> dict[str, str]:
        return {"computed": str(self.computed), "k": str(self.drafts), "accepted": str(self.accepted)}


def committed(state: State) -> dict[str, Any]:
    """What commit_round notes after the round; the prompt is all that was computed before."""
    draft = [DRAFT + place for place in range(1, state.drafts + 1)]
    row = [*draft[: state.accepted], LAST, *[PADDING] * (state.drafts - state.accepted)]
    return commit_round(state.computed, [0], draft, row, UNREACHED, UNREACHED)


@dataclass(frozen=True)
class Slot:
    """number: its position. holds: a short name of the token, or "". kind: own, written, stale, free or over."""

    number: int
    holds: str
    kind: str


def slots(state: State, moment: str) -> list[Slot]:
    """The slots around the round at a moment: before, pass, verdict or next."""
    told = committed(state)
    valid, stale, following = told["valid_slots"], told["stale_slots"], told["next_slots"]
    last = max(stale[1], following[1])
    return [
        _slot(number, state, moment, valid[1], stale, following)
        for number in range(max(0, state.computed - BEFORE), last)
    ]


def _slot(
    number: int, state: State, moment: str, valid: int, stale: tuple[int, int], following: tuple[int, int]
) -> Slot:
    place = number - state.computed  # 0: the newest token; 1 to K: the draft tokens
    if place < 0:
        return Slot(number, "", "own")
    if moment == "next" and number in range(*following):
        after = number - following[0]
        return Slot(number, f"e{after}" if after else _extra(state), "over" if number < stale[1] else "written")
    if moment == "before" or number >= stale[1]:
        return Slot(number, "", "free")
    holds = f"d{place}" if place else "t"
    if moment == "pass":
        return Slot(number, holds, "written")
    return Slot(number, holds, "own" if number < valid else "stale")


def _extra(state: State) -> str:
    """The short name of what came out of the pass: r for a replacement, b for the bonus token."""
    return "b" if state.accepted == state.drafts else "r"


def build(state: State, words: Words) -> Drawn:
    told = committed(state)
    numbers = {
        "computed": state.computed, "drafts": state.drafts, "accepted": state.accepted,
        "rows": state.drafts + 1, "end": told["stale_slots"][1], "last": told["stale_slots"][1] - 1,
        "rejected": told["num_rejected"], "sampled": told["num_sampled"], "now": told["num_computed_tokens"],
        "extra": _extra(state),
    }
    counts = {
        "before": (state.computed, state.computed), "pass": (numbers["end"], state.computed),
        "verdict": (numbers["now"], numbers["now"]), "next": (told["next_slots"][1], numbers["now"]),
    }
    steps = [
        _step(moment, slots(state, moment), counts[moment], numbers, words) for moment in counts
    ]
    alt = sentences(words.language, *(step.sentence for step in steps))
    return Drawn((Stepper(tuple(steps), run=PREFIX),), alt, _table(state, words))


def _step(moment: str, drawn: list[Slot], counts: tuple[Any, Any], numbers: dict[str, Any], words: Words) -> Step:
    told = words(f"step.{moment}.{_case(moment, numbers)}", **numbers)
    pointer = counts[1] - drawn[0].number
    picture = rendered(
        HERE, "slots", words, slots=drawn, pointer=pointer, scheduler=counts[0], gpu=counts[1], moment=moment,
        width=min(40, 336 // len(drawn)),
    )
    kinds = [kind for kind in ("own", "written", "over", "stale", "free") if any(one.kind == kind for one in drawn)]
    return Step(words(f"step.{moment}.title"), told, told, ((picture,), (rendered(HERE, "key", words, kinds=kinds),)))


def _case(moment: str, numbers: dict[str, Any]) -> str:
    """Which of a step's sentences fits; a round in which everything stays leaves nothing stale."""
    everything = numbers["rejected"] == 0
    return {"verdict": "all" if everything else "some", "next": "all" if everything else "some"}.get(moment, "told")


def _table(state: State, words: Words) -> list[dict[str, object]]:
    moments = {moment: slots(state, moment) for moment in ("before", "pass", "verdict", "next")}
    return [
        {words("table.slot"): one.number}
        | {words(f"table.{name}"): _cell(moment[place], words) for name, moment in moments.items()}
        for place, one in enumerate(moments["before"])
    ]


def _cell(slot: Slot, words: Words) -> str:
    return " ".join(part for part in (slot.holds, words(f"kind.{slot.kind}")) if part)
