"""The route through vLLM: its stations, the state after each, and what the browser gets of it."""
from __future__ import annotations

import re

import pytest

from grader.language import LANGUAGES, words
from lessons.figures.stepper import Stepper
from lessons.figures.vllm_route.build import IDS, TEXTS, State, board, build
from lessons.figures.vllm_route.stations import COMMIT, GROUPS, STATIONS


def plot(state: State | None = None, language: str = "en") -> Stepper:
    (drawn,) = build(state or State(), words(TEXTS, language)).plots
    assert isinstance(drawn, Stepper)
    return drawn


def value(station: str, name: str) -> str:
    return next(line.value for line in board()[IDS.index(station)] if line.name == name)


def test_two_stations_a_group_in_the_order_of_a_round() -> None:
    assert [station.group for station in STATIONS] == [group for group in GROUPS for _ in range(2)]
    assert len(set(IDS)) == len(IDS)


@pytest.mark.parametrize("station", STATIONS, ids=IDS)
def test_every_station_links_to_its_line_and_to_the_documentation(station: object) -> None:
    place = STATIONS.index(station)  # type: ignore[arg-type]
    (_, code), (_, docs), (_, here) = plot().steps[place].links
    assert re.fullmatch(rf"https://github\.com/vllm-project/vllm/blob/{COMMIT}/vllm/v1/[\w/]+\.py#L\d+", code)
    assert re.fullmatch(r"https://docs\.vllm\.ai/en/latest/api/vllm/v1/[\w/]+/", docs)
    assert here == f"?lang=en&route.station={IDS[place]}#route"


def test_the_scheduler_is_ahead_until_it_is_corrected_and_both_counts_agree_at_the_end() -> None:
    scheduler = [int(value(station, "scheduler")) for station in IDS]
    gpu = [int(value(station, "gpu")) for station in IDS]
    assert (scheduler[0], scheduler[1], scheduler[-1]) == (10, 14, 12) and gpu[0] == 10 and gpu[-1] == 12
    assert scheduler == sorted(scheduler[:-2]) + scheduler[-2:] and gpu == sorted(gpu)
    assert IDS[gpu.index(12)] == "commit" and IDS[scheduler.index(12)] == "correct"
    assert int(value("append", "text")) - int(value("append", "gpu")) == 1


def test_every_station_but_the_plan_says_what_it_changes() -> None:
    changed = {IDS[place]: [line.name for line in lines if line.changed] for place, lines in enumerate(board())}
    assert {name for name, lines in changed.items() if not lines} == {"schedule", "layout", "parameters", "propose"}
    assert all(len(lines) <= 1 for lines in changed.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_in_the_texts_are_those_of_the_board(language: str) -> None:
    text = words(TEXTS, language)
    ahead, after, rejected = value("optimistic", "scheduler"), value("append", "gpu"), value("append", "rejected")
    assert re.search(rf"10 \S+ {ahead}", text("station.optimistic.changes"))
    assert f"{value('logits', 'rows')} − 2 = {rejected}" in text("station.count.changes")
    assert f"10 + {value('logits', 'rows')} − {rejected} = {after}" in text("station.commit.changes")
    assert f"{ahead} − (3 − 1) = {after}" in text("station.correct.changes")


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_graph_for_all_steps_with_a_place_to_click_for_each(language: str) -> None:
    stepper = plot(language=language)
    data = stepper.as_data({"position": "{step}/{steps}"})
    assert data["menu"] and len({step.columns[0] for step in stepper.steps}) == 1
    (graph,) = stepper.steps[0].columns[0]
    assert re.findall(r'data-step="(\d+)"', graph) == [str(place) for place in range(len(STATIONS))]


def test_a_link_opens_at_its_station_and_another_name_is_told() -> None:
    state, problems = State.from_query({"route.station": "rule"})
    assert state == State("rule") and not problems
    assert (plot(state).start, plot(state).run) == (IDS.index("rule"), "route-rule")
    assert State.from_query(state.to_query() | {"route.station": "engine"})[0] == State()
    assert len(State.from_query({"route.station": "engine"})[1]) == 1
