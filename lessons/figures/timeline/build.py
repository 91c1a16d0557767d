"""Plain and speculative decoding on one time axis: what a round drafts, judges and emits, and what that costs."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.language import Words
from lessons.figures.frame import Drawn, sentences
from lessons.figures.stepper import Step, Stepper
from lessons.figures.timeline.picture import costs, length, one_pass, timeline
from lessons.figures.timeline.simulate import LONG_RUN, PREFIX, Round, State, rounds, tokens_a_round

TEXTS = Path(__file__).parent / "texts"
SAME = 0.005  # speeds closer than this read as the same


@dataclass(frozen=True)
class Bill:
    """What the drawn rounds emit and cost, against plain decoding: one pass of length one a token."""

    tokens: int
    drafting: float
    judging: float
    mean_tokens: float  # a round, over the long run
    round_time: float

    @property
    def time(self) -> float:
        return self.drafting + self.judging

    @property
    def speed(self) -> float:
        return self.tokens / self.time

    @property
    def mean_speed(self) -> float:
        return self.mean_tokens / self.round_time


def bill(state: State) -> Bill:
    played = rounds(state)
    return Bill(
        tokens=sum(one.emitted for one in played),
        drafting=sum(one.drafting for one in played),
        judging=sum(one.judging for one in played),
        mean_tokens=tokens_a_round(state),
        round_time=played[0].drafting + played[0].judging,
    )


def build(state: State, words: Words) -> Drawn:
    """The figure in `words`' language: plain decoding, each round, the bill."""
    played, total = rounds(state), bill(state)
    plain = words("step.plain.sentence", tokens=total.tokens)
    longest = max(float(total.tokens), total.time)
    steps = [Step(words("step.plain.title"), plain, plain, ((timeline(total.tokens, [], longest, words),), ()))]
    for place, one in enumerate(played, start=1):
        told = _told_round(state, one, place, words)
        drawn = ((timeline(total.tokens, played[:place], longest, words),), (one_pass(state.drafts, one, words),))
        steps.append(Step(words("step.round.title", round=place), told, told, drawn))
    told = _told_bill(total, len(played), words)
    whole = timeline(total.tokens, played, longest, words, current=False)
    steps.append(Step(words("step.bill.title"), told, told, ((whole,), (costs(total.speed, total.mean_speed, words),))))
    alt = sentences(words.language, *(step.sentence for step in steps))
    # One run for all: a reader at the bill stays there, and sees what another cost does to it.
    return Drawn((Stepper(tuple(steps), run=PREFIX),), alt, _table(played, total, words))


def _told_round(state: State, one: Round, place: int, words: Words) -> str:
    slots = {
        "round": place, "drafts": state.drafts, "rows": state.drafts + 1, "accepted": one.accepted,
        "emitted": one.emitted, "drafting": length(one.drafting), "time": length(one.drafting + one.judging),
    }
    ending = "all" if one.accepted == state.drafts else "none" if one.accepted == 0 else "some"
    return sentences(words.language, words("step.round.pass", **slots), words(f"step.round.{ending}", **slots))


def _told_bill(total: Bill, count: int, words: Words) -> str:
    slots = {
        "rounds": count, "tokens": total.tokens, "time": length(total.time), "speed": f"{total.speed:.2f}",
        "verdict": words(f"verdict.{_verdict(total.speed)}"), "many": f"{LONG_RUN:,}",
        "mean": f"{total.mean_tokens:.2f}", "mean_speed": f"{total.mean_speed:.2f}",
        "mean_verdict": words(f"verdict.{_verdict(total.mean_speed)}"),
    }
    return words("step.bill.sentence", **slots)


def _verdict(speed: float) -> str:
    return "same" if abs(speed - 1.0) < SAME else "faster" if speed > 1.0 else "slower"


def _table(played: list[Round], total: Bill, words: Words) -> list[dict[str, object]]:
    def row(name: str, accepted: int | None, emitted: int, drafting: float, judging: float) -> dict[str, object]:
        values = (name, accepted, emitted, drafting, judging, drafting + judging)
        headings = ("part", "accepted", "emitted", "drafting", "judging", "time")
        return {words(f"table.{heading}"): value for heading, value in zip(headings, values, strict=True)}

    rows = [
        row(words("table.round", round=place), one.accepted, one.emitted, one.drafting, one.judging)
        for place, one in enumerate(played, start=1)
    ]
    accepted = sum(one.accepted for one in played)
    rows.append(row(words("table.sum"), accepted, total.tokens, total.drafting, total.judging))
    return [*rows, row(words("table.plain"), None, total.tokens, 0.0, float(total.tokens))]
