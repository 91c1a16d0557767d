"""Real text: what the steps say is what the engine's rounds did, and every state can be drawn."""
from __future__ import annotations

import re

import plotly.graph_objects as go
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.language import Words, words
from lessons.figures.frame import Drawn
from lessons.figures.real_text.build import TEXTS, build
from lessons.figures.real_text.picture import LINE, _lines
from lessons.figures.real_text.state import PROMPTS, ROUNDS, State, rounds
from lessons.figures.real_text.tokens import tokens
from lessons.figures.stepper import Stepper
from lessons.models.alphabet import decode
from lessons.models.ngrams import ORDERS
from lessons.models.target import TEMPERATURES
from lessons.models.traces import MAX_DRAFTS, measured
from lessons.models.transformer import CONTEXT
from solutions.draws import accepts
from solutions.expected_tokens.solution import expected_tokens
from tests.lessons.figures.drawing_bounds import assert_inside

EN, ZH = words(TEXTS, "en"), words(TEXTS, "zh")
states = st.builds(
    State, st.sampled_from(list(PROMPTS)), st.sampled_from(ORDERS), st.sampled_from(TEMPERATURES),
    st.integers(1, MAX_DRAFTS), st.integers(0, 999),
)  # fmt: skip


def stepper(drawn: Drawn) -> Stepper:
    plot, chart = drawn.plots
    assert isinstance(plot, Stepper) and isinstance(chart, go.Figure)
    return plot


def test_the_chips_tell_what_the_rounds_did() -> None:
    for one in rounds(State(drafts=5)):
        chips = tokens(one, 5, ended=True)
        said = [token.number for token in chips if token.kind in ("accepted", "resampled", "bonus")]
        assert tuple(said) == one.emitted
        for token in chips:
            if token.kind in ("accepted", "rejected"):
                masses = one.target_rows[token.row, token.number], one.draft_rows[token.row, token.number]
                assert accepts(one.coins[token.row], *masses) == (token.kind == "accepted")
        kinds = [token.kind for token in chips]
        assert ("rejected" in kinds) == ("resampled" in kinds) == ("bonus" not in kinds)


def test_no_chip_tells_the_outcome_before_its_coin() -> None:
    for one in rounds(State()):
        for judged in range(5):
            kinds = [token.kind for token in tokens(one, judged)]
            assert len(kinds) == 4
            if judged <= one.kept:
                assert kinds == ["accepted"] * judged + ["proposed"] * (4 - judged)


def test_the_first_look_shows_every_kind_of_chip() -> None:
    kinds = {token.kind for one in rounds(State()) for token in tokens(one, 4, ended=True)}
    assert kinds == {"accepted", "rejected", "resampled", "bonus", "unreached"}


def test_the_texts_follow_each_other() -> None:
    played = rounds(State())
    assert len(played) == ROUNDS
    for before, after in zip(played, played[1:], strict=False):
        assert after.text.tolist() == [*before.text.tolist(), *before.emitted]


def test_the_longest_text_fits_the_target() -> None:
    longest = max(map(len, PROMPTS.values()))
    assert longest + ROUNDS * (MAX_DRAFTS + 1) <= CONTEXT


def test_a_round_button_goes_to_where_rounds_begin() -> None:
    plot = stepper(build(State(), EN))
    titles = [plot.steps[at].title for at in plot.leaps]
    assert titles == [f"Round {place}: the drafts" for place in range(1, ROUNDS + 1)]


def test_the_question_is_answered_by_what_was_measured() -> None:
    """At temperature 0 the text repeats itself, so there a place may do anything; the figure says so."""
    assert "(4-gram draft, temperature 1, K = 4)" in EN("predict.question")
    for order in ORDERS[1:]:
        for temperature in TEMPERATURES[1:]:
            found = measured(order, temperature, 4)
            assert min(found.accepted) == found.accepted[0] < found.alpha
    assert "repeats itself" in build(State(temperature=0.0), EN).alt


def test_the_formula_is_the_engine_s() -> None:
    found = measured(4, 1.0, 4)
    told = build(State(), EN).alt
    assert f"emits {found.tokens_per_pass:.2f} characters" in told
    assert f"says {expected_tokens(found.alpha, 4):.2f}" in told


def test_the_table_has_a_row_a_place() -> None:
    table = build(State(drafts=6), EN).table
    assert [row["Place"] for row in table] == [1, 2, 3, 4, 5, 6]
    assert table[0]["Judged"] == table[0]["By the formula"] == 1.0


def test_temperature_zero_is_certain() -> None:
    for one in rounds(State(temperature=0.0)):
        assert set(one.target_rows.ravel().tolist()) == set(one.draft_rows.ravel().tolist()) == {0.0, 1.0}
    plot = stepper(build(State(temperature=0.0), EN))
    assert "At temperature 0" in plot.steps[0].sentence


def test_a_link_brings_the_state_back() -> None:
    state = State("bug", 3, 0.5, 7, 12)
    query = {f"real.{name}": value for name, value in state.to_query().items()}
    assert State.from_query(query) == (state, [])
    wrong = {"real.text": "x", "real.n": "6", "real.t": "0.7", "real.k": "0", "real.seed": "-1"}
    found, problems = State.from_query(wrong)
    assert found == State() and len(problems) == 5


@settings(deadline=None, max_examples=25)
@given(states, st.sampled_from([EN, ZH]))
def test_every_state_can_be_drawn(state: State, texts: Words) -> None:
    drawn = build(state, texts)
    assert not re.search(r"[{}]", drawn.alt)
    for step in stepper(drawn).steps:
        assert 0 <= step.chosen < len(step.chips)
        assert PROMPTS[state.prompt] in step.alt
        assert_inside(step)



def test_the_text_so_far_is_read_out() -> None:
    plot = stepper(build(State(), EN))
    played = rounds(State())
    assert decode(played[-1].text) + decode(list(played[-1].emitted)) in plot.steps[-1].alt


def test_lines_break_behind_a_space() -> None:
    lines = _lines([(character, "prompt") for character in "kernel: The part of the transmission of use"])
    assert [line.characters for line in lines] == ["kernel: The part of the transmission ", "of use"]
    (line, rest) = _lines([("x", "accepted")] * (LINE + 2))
    assert line.accepted == [(0, LINE)] and rest.accepted == [(0, 2)]


def test_small_products_are_not_told_as_zero() -> None:
    told = [chip.told for step in stepper(build(State(), EN)).steps for chip in step.chips]
    assert not [sentence for sentence in told if "= 0.000," in sentence]


def test_a_place_that_no_round_reaches_has_no_share() -> None:
    drawn = build(State(order=2, temperature=0.0, drafts=8), EN)
    assert measured(2, 0.0, 8).reached[-1] == 0.0
    assert "the last place is never reached" in drawn.alt and drawn.table[-1]["Accepted, of these"] is None
    figure = drawn.plots[1]
    assert isinstance(figure, go.Figure) and figure.layout.yaxis.ticktext[-1] == "8: <b>–</b>"
