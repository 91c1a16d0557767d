"""The statistics of rounds that are read off a text, against the rounds themselves."""
from __future__ import annotations

import random

import numpy as np
import pytest

from lessons.models.alphabet import encode
from lessons.models.making.trace import PROMPT, accepted_shares
from lessons.models.ngrams import ORDERS
from lessons.models.play import play
from lessons.models.target import TEMPERATURES, target, tempered
from lessons.models.traces import MAX_DRAFTS, SCALE, TRACES, measured, statistics, traces
from solutions.expected_tokens.solution import expected_tokens
from solutions.joint_law import emitted_law, target_law
from solutions.rejection_rule.solution import rejection_rule
from solutions.speculative_step.solution import speculative_step
from solutions.trees import Tokens, Tree, positive_law, random_tree


def share(tree: Tree, text: Tokens, place: int) -> float:
    """How likely the token at this place was an accepted draft."""
    target_row, draft_row = (list(rows(text[:place])) for rows in tree)
    accept, _ = rejection_rule(target_row, draft_row, text[place])
    return draft_row[text[place]] * accept / target_row[text[place]]


@pytest.mark.parametrize("length", [1, 2])
def test_the_text_alone_gives_the_rounds_exactly(length: int) -> None:
    """Every text of 5 tokens, weighted, against every way that real rounds can go; the laws depend on all tokens."""
    count = 5
    tree = random_tree(random.Random(7), 2, count, positive_law)
    texts = target_law(tree, count)
    found = np.zeros(2)
    for text, probability in texts.items():
        shares = np.array([[share(tree, text, place) for place in range(count)]])
        statistic = statistics(shares, length)
        accepted = (statistic.tokens_per_pass - 1.0) * statistic.rounds
        found += probability * np.array([statistic.rounds, accepted])
    assert found == pytest.approx(np.array(played(tree, (), length, count)), abs=1e-12)


def played(tree: Tree, start: Tokens, length: int, count: int) -> tuple[float, float]:
    """Rounds and accepted drafts on average, of rounds that begin with room for K + 1 tokens."""
    if len(start) + length + 1 > count:
        return 0.0, 0.0
    after = Tree(lambda tokens: tree.target(start + tokens), lambda tokens: tree.draft(start + tokens))
    rounds, accepted = 1.0, 0.0
    for emitted, probability in emitted_law(speculative_step, after, length).items():
        more = played(tree, start + emitted, length, count)
        rounds += probability * more[0]
        accepted += probability * (len(emitted) - 1 + more[1])
    return rounds, accepted


def test_where_every_place_accepts_alike_the_formula_holds() -> None:
    found = statistics(np.full((1, 4000), 0.7), 4)
    assert found.accepted == pytest.approx([0.7] * 4, abs=1e-12)
    assert found.reached == pytest.approx([0.7**place for place in range(4)], abs=1e-12)
    assert found.tokens_per_pass == pytest.approx(expected_tokens(0.7, 4), abs=1e-12)
    assert found.gap == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_the_stored_shares_are_what_the_engine_gives(temperature: float) -> None:
    """For two of the texts; float32 sums in another order differ in the sixth digit, and the file has 1/65535."""
    at = TEMPERATURES.index(temperature)
    with np.load(TRACES) as file:
        texts, shares = file["texts"][at, :2].astype(np.int64), file["shares"][at, :, :2] / SCALE
    rows = target().logits(texts)[:, PROMPT - 1 : -1]
    laws = np.stack([tempered(row, text[PROMPT:-1], temperature) for row, text in zip(rows, texts, strict=True)])
    for order in (ORDERS[0], ORDERS[-1]):
        found = accepted_shares(texts, laws, order, temperature)
        assert found == pytest.approx(shares[ORDERS.index(order)], abs=1e-3)


def test_real_rounds_emit_as_many_tokens() -> None:
    """160 real rounds, five standard errors of 1.6 / sqrt(160) at most. The seed is fixed; the exact test is above."""
    rng = np.random.default_rng(11)
    emitted = [
        len(one.emitted)
        for start in ("kernel: The", "bug: A ", "hack: 1. ", "the root of ", "[from ", "see also ", "a Unix", "In the ")
        for one in play(encode(start), 4, 1.0, 4, 20, rng)
    ]
    assert np.mean(emitted) == pytest.approx(measured(4, 1.0, 4).tokens_per_pass, abs=0.6)


def test_a_longer_draft_context_and_a_longer_draft_never_emit_fewer() -> None:
    for temperature in TEMPERATURES[1:]:
        table = np.array([[measured(order, temperature, k).tokens_per_pass for k in range(6)] for order in ORDERS])
        assert (np.diff(table, axis=0)[:, 1:] > 0.0).all()
        assert (np.diff(table, axis=1) > 0.0).all()


def test_a_trace_knows_no_impossible_share() -> None:
    assert traces().min() >= 0.0 and traces().max() <= 1.0
    assert measured(4, 1.0, 0).tokens_per_pass == 1.0


@pytest.mark.parametrize(
    ("asked", "told"),
    [((6, 1.0, 4), "order is 6"), ((4, 0.7, 4), "temperature is 0.7"), ((4, 1.0, MAX_DRAFTS + 1), "drafts is 9")],
)
def test_what_was_not_traced_is_refused(asked: tuple[int, float, int], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        measured(*asked)
