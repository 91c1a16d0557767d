"""A figure's link: what goes in comes out, and what nobody can use is named and left out."""
from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.figures import rules
from lessons.figures.accept_dart import build as dart
from lessons.figures.convergence import build as conv
from lessons.figures.distributions import DEFAULT, Pair
from lessons.figures.frame import say
from lessons.figures.overlap import build as overlap
from lessons.figures.proof import build as proof
from lessons.figures.query import MAX_SEED, link
from lessons.figures.timeline import simulate as time
from lessons.figures.two_paths import build as paths
from tests.lessons.figures.random_pairs import pairs

seeds = st.integers(0, MAX_SEED)


def sent(prefix: str, values: Mapping[str, str], language: str = "en") -> dict[str, str]:
    """The query that a browser sends for the link."""
    address = link("http://course.example/rejection-rule?old=1", prefix, values, language)
    assert address.startswith("http://course.example/rejection-rule?lang=")
    return {name: found[0] for name, found in parse_qs(urlsplit(address).query, strict_parsing=True).items()}


@settings(deadline=None)
@given(pairs, seeds, st.none() | st.floats(0.0, 1.0, exclude_max=True), st.data())
def test_dart_round_trip(pair: Pair, seed: int, u: float | None, data: st.DataObject) -> None:
    draftable = [token for token in pair.tokens if pair.draft[token] > 0.0]
    state = dart.State(pair, data.draw(st.sampled_from([None, *draftable])), u, seed)
    assert dart.State.from_query(sent("dart", state.to_query())) == (state, [])


@settings(deadline=None)
@given(pairs, st.sampled_from([rules.CORRECT, *rules.wrong_names()]))
def test_paths_round_trip(pair: Pair, rule: str) -> None:
    state = paths.State(pair, rule)
    assert paths.State.from_query(sent("paths", state.to_query())) == (state, [])


@settings(deadline=None)
@given(pairs, st.sampled_from(list(rules.wrong_names())), st.sampled_from(conv.DRAWS), seeds)
def test_conv_round_trip(pair: Pair, wrong: str, draws: int, seed: int) -> None:
    state = conv.State(pair, wrong, draws, seed)
    assert conv.State.from_query(sent("conv", state.to_query())) == (state, [])


@settings(deadline=None)
@given(pairs, st.integers(0, len(proof.LINES)))
def test_overlap_and_proof_round_trips(pair: Pair, line: int) -> None:
    assert overlap.State.from_query(sent("overlap", overlap.State(pair).to_query())) == (overlap.State(pair), [])
    state = proof.State(pair, line)
    assert proof.State.from_query(sent("proof", state.to_query())) == (state, [])


percents = st.integers(0, 100).map(lambda percent: percent / 100)


@settings(deadline=None)
@given(st.integers(1, time.MAX_DRAFTS), percents, percents, percents, seeds)
def test_time_round_trip(drafts: int, alpha: float, draft_cost: float, row_cost: float, seed: int) -> None:
    state = time.State(drafts, alpha, draft_cost, row_cost, seed)
    assert time.State.from_query(sent("time", state.to_query())) == (state, [])


@pytest.mark.parametrize(
    "query",
    [
        {"time.k": "0"}, {"time.k": "9"}, {"time.alpha": "1.5"}, {"time.alpha": "nan"}, {"time.c": "0.123"},
        {"time.row": "x"},
    ],
)
def test_costs_that_no_slider_has_fall_back(query: dict[str, str]) -> None:
    state, problems = time.State.from_query(query)
    assert state == time.State() and len(problems) == 1


def test_a_link_keeps_the_language_and_only_one_figure() -> None:
    assert sent("paths", {"rule": "correct"}, "zh") == {"lang": "zh", "paths.rule": "correct"}


def test_a_link_to_the_start_page_has_a_path() -> None:
    assert link("http://127.0.0.1:8501", "dart", {"seed": "7"}, "en") == "http://127.0.0.1:8501/?lang=en&dart.seed=7#dart"


@pytest.mark.parametrize(
    "query",
    [
        {"dart.seed": "abc"},
        {"dart.seed": "-1"},
        {"dart.seed": "9" * 5000},
        {"dart.u": "1.0"},
        {"dart.u": "nan"},
        {"dart.token": "2"},
        {"dart.token": "-1"},
        {"dart.token": "1", "dart.target": "0.5,0.5", "dart.draft": "1,0"},
    ],
)
def test_a_bad_value_falls_back_and_is_named(query: dict[str, str]) -> None:
    state, problems = dart.State.from_query(query)
    assert (state.token, state.u, state.seed) == (None, None, dart.State.seed)
    assert next(iter(query)) in say(problems[0], "en")
    assert say(problems[0], "zh") != say(problems[0], "en")


def test_bad_distributions_fall_back_to_the_worked_case_and_say_why() -> None:
    state, problems = paths.State.from_query({"paths.target": "0.5,0.4", "paths.draft": "0.5,0.5"})
    assert state.pair == DEFAULT
    assert "worked case" in say(problems[0], "en") and "sums to 0.9" in say(problems[1], "en")


def test_one_row_alone_is_no_pair() -> None:
    state, problems = conv.State.from_query({"conv.draft": "0.5,0.5"})
    assert state.pair == DEFAULT and len(problems) == 2


@pytest.mark.parametrize("query", [{"conv.n": "17"}, {"conv.n": "1e6"}, {"conv.rule": "correct"}, {"conv.rule": "?"}])
def test_bad_draws_and_rules_fall_back(query: dict[str, str]) -> None:
    state, problems = conv.State.from_query(query)
    assert state == conv.State() and len(problems) == 1


def test_the_reader_s_own_rule_exists_only_where_the_page_has_one() -> None:
    assert paths.State.from_query({"paths.rule": "yours"})[0].rule == rules.CORRECT
    assert paths.State.from_query({"paths.rule": "yours"}, first="yours") == (paths.State(rule="yours"), [])
    assert paths.State.from_query({}, first="yours")[0].rule == "yours"


def test_another_figure_s_values_are_not_read() -> None:
    assert dart.State.from_query({"conv.seed": "5", "lang": "zh"}) == (dart.State(), [])
