"""The way of one round through vLLM, station by station: who owns what, and what each station changes."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from grader.language import Words
from lessons.figures.distributions import Problem
from lessons.figures.frame import Drawn
from lessons.figures.query import Query
from lessons.figures.stepper import Step, Stepper, rendered
from lessons.figures.vllm_route.stations import COMMIT, GROUPS, STATIONS, Station
from solutions.commit_round.solution import PADDING, commit_round

HERE = Path(__file__).parent
TEXTS = HERE / "texts"
PREFIX = "route"
IDS = [station.id for station in STATIONS]
COMPUTED, DRAFTS = 10, 3  # before the round: positions 0 to 9; the newest token is at position 10
TOKENS = {21: "d1", 22: "d2", 23: "d3", 31: "r"}  # the draft tokens, and what replaces the first rejected one
DRAFT, ROW = [21, 22, 23], [21, 31, PADDING, PADDING]
UNREACHED = 10**6  # as an end of text and as a limit: neither comes


@dataclass(frozen=True)
class State:
    """station: the one that is shown first."""

    station: str = IDS[0]

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[State, list[Problem]]:
        """The state in a link, and what in the link could not be used."""
        link = Query(query, PREFIX)
        return cls(link.one_of("station", IDS, cls.station)), link.problems

    def to_query(self) -> dict[str, str]:
        return {"station": self.station}


@dataclass(frozen=True)
class Line:
    """A piece of state after a station: its name and value, and whether this station has changed it."""

    name: str
    value: str
    changed: bool


def board() -> list[list[Line]]:
    """The state after each station, in the order of STATIONS; the arithmetic is commit_round's."""
    told = commit_round(COMPUTED, [0], DRAFT, ROW, UNREACHED, UNREACHED)
    end = told["num_computed_tokens"] + told["num_rejected"]
    text = COMPUTED + 1
    after = {
        "scheduler": {"schedule": f"{COMPUTED}", "optimistic": f"{end}", "correct": f"{told['num_computed_tokens']}"},
        "gpu": {"schedule": f"{COMPUTED}", "commit": f"{told['num_computed_tokens']}"},
        "inputs": {"inputs": "t d1 d2 d3"},
        "slots": {"schedule": f"0–{COMPUTED - 1}", "forward": f"0–{end - 1}"},
        "rows": {"logits": f"{DRAFTS + 1}"},
        "sampled": {"rule": " ".join(TOKENS[token] for token in told["emitted"])},
        "rejected": {"count": f"{told['num_rejected']}"},
        "drafts": {"schedule": "d1 d2 d3", "keep": "e1 e2 e3"},
        "text": {"schedule": f"{text}", "append": f"{text + len(told['emitted'])}"},
    }
    shown: list[list[Line]] = []
    for place, station in enumerate(IDS):
        lines = []
        for name, values in after.items():
            reached = [values[one] for one in IDS[: place + 1] if one in values]
            lines.append(Line(name, reached[-1] if reached else "–", place > 0 and station in values))
        shown.append(lines)
    return shown


def build(state: State, words: Words) -> Drawn:
    """All stations as steps; the one of the state comes first."""
    graph = rendered(HERE, "graph", words, groups=GROUPS, stations=STATIONS)
    steps = [_step(place, lines, graph, words) for place, lines in enumerate(board())]
    first = IDS.index(state.station)
    plot = Stepper(tuple(steps), run=f"{PREFIX}-{state.station}", start=first, menu=words("control.station"))
    return Drawn((plot,), words("alt", stations=len(STATIONS)), [_row(station, words) for station in STATIONS])


def _step(place: int, lines: list[Line], graph: str, words: Words) -> Step:
    station = STATIONS[place]
    name = f"station.{station.id}"
    title = words("step.title", place=place + 1, name=words(f"{name}.title"))
    sentence = words("step.sentence", object=words(f"{name}.object"), owns=words(f"{name}.owns"),
                     changes=words(f"{name}.changes"))
    told = "; ".join(words("step.line", name=words(f"board.{line.name}"), value=line.value) for line in lines)
    alt = words("step.alt", label=station.function, group=words(f"group.{station.group}"), board=told)
    drawn = ((graph,), (rendered(HERE, "board", words, lines=lines),))
    return Step(title, sentence, alt, drawn, _links(station, words))


def _links(station: Station, words: Words) -> tuple[tuple[str, str], ...]:
    code = words("link.code", file=station.file.rpartition("/")[2], line=station.line, commit=COMMIT[:7])
    here = "?" + urlencode({"lang": words.language, f"{PREFIX}.station": station.id}) + f"#{PREFIX}"
    return (code, station.code), (words("link.docs"), station.docs), (words("link.here"), here)


def _row(station: Station, words: Words) -> dict[str, object]:
    name = f"station.{station.id}"
    return {
        words("table.station"): words(f"{name}.title"),
        words("table.object"): words(f"{name}.object"),
        words("table.owns"): words(f"{name}.owns"),
        words("table.where"): f"{station.function}, {station.file}, L{station.line}",
    }
