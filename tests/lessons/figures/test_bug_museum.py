"""The museum: every exhibit's law is a law, its question can be answered from the picture, its reports have links."""
from __future__ import annotations

import itertools
import math
import re

import pytest

from grader.language import LANGUAGES, words
from lessons.figures.bug_museum.build import EXACT, TEXTS, State, build, choice
from lessons.figures.bug_museum.exhibits import CLASSES, EXHIBITS, IDS, Exhibit, offered
from lessons.figures.bug_museum.laws import ANOTHER_ROW, LAWS, seen
from solutions.law import one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from tests.lessons.figures.test_controls import opened, press, said, shown

PLACES = range(len(EXHIBITS))
RIGHT = {"draft_dropped"}  # the faults that leave the law as it is


def test_at_least_fifteen_sorted_by_class_and_every_law_is_shown() -> None:
    assert len(EXHIBITS) >= 15 and set(IDS) == set(LAWS) and len(set(IDS)) == len(IDS)
    groups = [exhibit.group for exhibit in EXHIBITS]
    assert groups == sorted(groups, key=CLASSES.index) and set(groups) == set(CLASSES)


@pytest.mark.parametrize("name", IDS)
def test_what_comes_out_is_a_law_over_the_same_outcomes(name: str) -> None:
    one = seen(name)
    for law in (one.target, one.law):
        assert math.isclose(sum(law), 1.0, abs_tol=1e-9) and min(law) >= 0.0
    assert len(one.target) == len(one.law) and len(one.outcomes) in (0, len(one.law))
    assert (one.distance <= EXACT) == (name in RIGHT)
    assert one.rates is None or all(0.0 <= rate <= 1.0 for rate in one.rates)


@pytest.mark.parametrize(("name", "law"), [
    ("greedy_scored", (0.75, 0.25)), ("shared_noise", (0.2, 16 / 45, 4 / 9)), ("pad_residual", (0.75, 0.25, 0.0, 0.0)),
    ("constant_coin", (0.2, 0.35, 0.1, 0.35)), ("argmax_verifier", (1.0, 0.0, 0.0, 0.0)),
    ("coin_reused", (0.4, 0.3, 0.25, 0.05)), ("block_token_residual", (0.4, 0.38, 0.22)),
])  # fmt: skip
def test_laws_that_can_be_worked_by_hand(name: str, law: tuple[float, ...]) -> None:
    assert seen(name).law == pytest.approx(law, abs=1e-12)


def test_an_acceptance_rate_tells_nothing_about_the_law() -> None:
    """The same rate with another law, another rate with the same law, a higher one with a wrong law."""
    rates = {name: seen(name).rates for name in IDS}
    same = {name for name, rate in rates.items() if rate and abs(rate[0] - rate[1]) <= EXACT}
    assert {"shared_noise", "coin_reused", "softmax_residual"} <= same
    assert rates["draft_dropped"] == pytest.approx((0.65, 0.2325))
    assert rates["raw_scores"] is not None and rates["raw_scores"][1] > rates["raw_scores"][0]


def test_exhibits_of_one_case_can_be_told_apart() -> None:
    """No two faults that are offered together give the same law."""
    for place in PLACES:
        names = [name for name in offered(place) if EXHIBITS[IDS.index(name)].case == EXHIBITS[place].case]
        for one, other in itertools.combinations(names, 2):
            assert seen(one).target == seen(other).target
            assert total_variation(seen(one).law, seen(other).law) > 1e-6, (one, other)


@pytest.mark.parametrize("place", PLACES, ids=IDS)
def test_each_question_offers_the_fault_once_and_the_right_one_moves_about(place: int) -> None:
    names = offered(place)
    assert len(set(names)) == 4 and EXHIBITS[place].id in names


def test_another_row_would_explain_the_picture_wherever_it_is_kept_from_the_choice() -> None:
    """Judged against what comes out as if it were the target's row: the same law and the same acceptance rate."""
    for name in ("raw_scores", "stale_draft_row"):
        one = seen(name)
        really = (0.0, 0.5, 0.0, 0.5) if name == "raw_scores" else one.draft
        assert really is not None and one.rates is not None
        again = one_step_law(one.law, really, rejection_rule)
        assert again.law == pytest.approx(one.law) and sum(again.accepted) == pytest.approx(one.rates[1])
        assert "wrong_row" not in offered(IDS.index(name))


def test_the_right_answer_stands_at_every_place() -> None:
    assert {offered(place).index(EXHIBITS[place].id) for place in PLACES} == {0, 1, 2, 3}


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=IDS)
def test_every_fault_has_a_public_report(exhibit: Exhibit) -> None:
    assert exhibit.reports
    for report in exhibit.reports:
        assert re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/(pull|issues)/\d+", report.address)
        assert report.state in ("open", "merged", "closed") and (report.kind == "pull" or report.state != "merged")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", PLACES, ids=IDS)
def test_the_picture_does_not_name_the_fault_and_the_answer_does(place: int, language: str) -> None:
    text, state = words(TEXTS, language), State(place)
    drawn, asked = build(state, text), choice(state, text)
    assert text(f"fault.{state.exhibit.id}") not in drawn.alt and str(place + 1) in drawn.alt
    why = asked.options[asked.right].why
    assert all(report.address in why for report in state.exhibit.reports)
    assert text(f"story.{state.exhibit.id}") in why and text(f"group.{state.exhibit.group}") in why
    assert all(option.why for option in asked.options.values()) and len(drawn.table) == len(seen(state.exhibit.id).law)


def test_a_wrong_choice_is_told_its_own_law_where_the_case_is_the_same() -> None:
    state = State(IDS.index("constant_coin"))
    others = [name for name in offered(state.place) if name != state.exhibit.id]
    same = next(name for name in others if EXHIBITS[IDS.index(name)].case == state.exhibit.case)
    why = choice(state, words(TEXTS, "en")).options[same].why
    assert f"{seen(same).law[0]:.3f}" in why and f"exhibit {IDS.index(same) + 1}" in why


def test_the_signs_of_faults_are_true_of_their_own_pictures() -> None:
    """What a reader is told of a fault that isn't the one shown."""
    exact = {"draft_dropped": seen("draft_dropped").target, "constant_coin": seen("constant_coin").draft}
    assert all(seen(name).law == pytest.approx(law) for name, law in exact.items())
    assert max(seen("softmax_twice").law) / min(seen("softmax_twice").law) < math.e
    assert sorted(seen("argmax_verifier").law)[-2:] == [0.0, 1.0]
    for name in ("greedy_scored", "pad_as_token", "last_token_counted", "penalties_forgotten"):
        assert seen(name).law[0] > seen(name).target[0]
    liked = seen("token_zeroed")
    assert liked.draft is not None
    for target, law, draft in zip(liked.target, liked.law, liked.draft, strict=True):
        assert (law > target) == (draft > target)
    kept = seen("raw_scores")
    assert kept.law[1] + kept.law[3] > kept.target[1] + kept.target[3]
    for name in ("shared_noise", "coin_reused", "token_zeroed", "softmax_residual", "residual_floor"):
        rates = seen(name).rates
        assert rates is not None and rates[0] == pytest.approx(rates[1]) and "rate would be right" in _said_of(name)
    wanted = seen("pad_residual")
    assert wanted.draft is not None
    for target, law, draft in zip(wanted.target, wanted.law, wanted.draft, strict=True):
        assert (law > 0.0) == (target > draft)
    stale = seen("stale_draft_row")
    assert stale.draft is not None
    for target, law, now, before in zip(stale.target, stale.law, stale.draft, ANOTHER_ROW, strict=True):
        assert (law > target) == (now > before)


def _said_of(name: str) -> str:
    return words(TEXTS, "en")(f"sign.{name}")


def test_a_link_counts_exhibits_from_one() -> None:
    for place in PLACES:
        query = {f"museum.{name}": value for name, value in State(place).to_query().items()}
        assert State.from_query(query) == (State(place), [])
    assert [State.from_query({"museum.exhibit": text})[0] for text in ("0", "99", "x")] == [State()] * 3


def test_readers_go_from_exhibit_to_exhibit_and_past_the_last_to_the_first() -> None:
    app = shown("bug_museum")
    assert "Exhibit 1." in said(app)
    app = press(app, "bug_museum", "next")
    assert "Exhibit 2." in said(app) and app.selectbox(key="figure.bug_museum.exhibit.en").value == 1
    app = press(press(app, "bug_museum", "back"), "bug_museum", "back")
    assert f"Exhibit {len(EXHIBITS)}." in said(app)


def test_the_fault_is_chosen_below_the_picture_and_kept_for_each_exhibit() -> None:
    app = shown("bug_museum")
    app = app.radio[0].set_value(EXHIBITS[0].id).run()
    assert EXHIBITS[0].reports[0].address in app.success[0].value
    app = press(app, "bug_museum", "next")
    assert not app.success and app.radio[0].value is None
    app = press(app, "bug_museum", "back")
    assert app.radio[0].value == EXHIBITS[0].id and app.success


def test_a_link_opens_its_exhibit() -> None:
    app = press(opened("bug_museum", query={"museum.exhibit": "11"}), "bug_museum", "show")
    assert "Exhibit 11." in said(app) and "museum.exhibit=11" in app.code[0].value
