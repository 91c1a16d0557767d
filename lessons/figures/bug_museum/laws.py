"""The exhibits' laws: what the target wants and what comes out under each fault, computed by the engine.

Wrong rules are the exercises' known mistakes wherever there is one; the others are in solutions.
"""
from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from grader.catalogue import load
from grader.known_mistakes import wrong_function
from lessons.figures.distributions import EXAMPLES, Pair
from solutions import faults
from solutions.block_verification import block_verify
from solutions.commit_round.solution import commit_round
from solutions.joint_law import Law, emitted_law, joint_law, target_law
from solutions.law import Rule, one_step_law, total_variation
from solutions.rejection_rule.solution import rejection_rule
from solutions.shared_noise import shared_noise_ledger
from solutions.speculative_step.solution import speculative_step
from solutions.target_distribution.solution import target_distribution
from solutions.trees import Tokens, Tree, chain_law


@dataclass(frozen=True)
class Seen:
    """What an exhibit shows: V outcomes, how likely each should be and is, and the acceptance rates.

    outcomes: names of outcomes that are no single tokens, or none. rates: (right, under the fault), or None where
    the fault doesn't touch acceptance. draft: the law that the draft reports, where there is a single one.
    """

    target: tuple[float, ...]
    law: tuple[float, ...]
    rates: tuple[float, float] | None = None
    outcomes: tuple[str, ...] = ()
    draft: tuple[float, ...] | None = None

    @property
    def distance(self) -> float:
        return total_variation(self.law, self.target)


FOUR = EXAMPLES["four"]
EDGE = Pair((0.5, 0.3, 0.2, 0.0), (0.2, 0.2, 0.2, 0.4))  # the last token must never come
GREEDY = Pair((0.6, 0.4), (0.8, 0.2))  # the example of the report
NOISE = Pair((0.2, 0.4, 0.4), (0.6, 0.3, 0.1))
SCORES = np.array([[1.5, 0.5, 0.0, -1.0]])  # the target's logits of one row, for faults in a request's settings
REQUEST_DRAFT = (0.7, 0.2, 0.05, 0.05)
ANOTHER_ROW = (0.1, 0.2, 0.3, 0.4)
END = 2  # the token that ends a text, in the exhibit about that


def known(exercise: str, *names: str) -> Callable[..., Any]:
    """The exercise's function with these known mistakes in it."""
    every = load(exercise)
    return wrong_function(every, *(mistake for mistake in every.mistakes if mistake.id in names))


def _one_step(pair: Pair, wrong: Rule, drawn_from: Sequence[float] | None = None) -> Seen:
    """A single place. drawn_from: what the draft really draws from, where that isn't what it says."""
    really = tuple(drawn_from or pair.draft)
    right = one_step_law(pair.target, really, rejection_rule)
    seen = one_step_law(pair.target, really, wrong)
    rates = math.fsum(right.accepted), math.fsum(seen.accepted)
    return Seen(pair.target, seen.law, rates, draft=pair.draft)


def _known_rule(*names: str, pair: Pair = FOUR) -> Seen:
    return _one_step(pair, known("rejection_rule", *names))


def _known_round(name: str, pair: Pair = FOUR) -> Seen:
    """The first token of a round with one draft token, under a known mistake of the whole round."""
    tree = Tree(lambda tokens: pair.target, lambda tokens: pair.draft)
    wrong = [0.0] * len(pair.target)
    for tokens, probability in emitted_law(known("speculative_step", name), tree, 1).items():
        wrong[tokens[0]] += probability
    rate = math.fsum(one_step_law(pair.target, pair.draft, rejection_rule).accepted)
    return Seen(pair.target, tuple(wrong), (rate, rate), draft=pair.draft)


def _request(settings: Mapping[str, Any], wrong: Sequence[float]) -> Seen:
    """A request whose row should have been made with these settings, and was made in another way."""
    return _told(_row(target_distribution, SCORES, settings), wrong)


def _told(target: Sequence[float], wrong: Sequence[float]) -> Seen:
    """The rule is given `wrong` in place of the target's row."""
    return _one_step(Pair(tuple(target), REQUEST_DRAFT), faults.judged_against(wrong))


def _row(function: Callable[..., Any], scores: Any, settings: Mapping[str, Any], emitted: Sequence[int] = ()) -> Any:
    """The last row of what `target_distribution`, or a known mistake of it, makes of the scores."""
    drafts = [0] * (len(scores) - 1)
    return tuple(float(mass) for mass in function(scores, dict(settings), ([], list(emitted), drafts))[-1])


def greedy_scored() -> Seen:
    return _one_step(GREEDY, faults.scored_with(GREEDY.draft), drawn_from=faults.one_hot(0, 2))


def raw_scores() -> Seen:
    """The draft draws after top-k with k = 2, and reports what it had before."""
    scores = np.log(np.array([[0.2, 0.35, 0.1, 0.35]]))
    return _one_step(FOUR, faults.scored_with(FOUR.draft), drawn_from=_row(target_distribution, scores, {"top_k": 2}))


def softmax_twice() -> Seen:
    target = _row(target_distribution, SCORES, {})
    return _told(target, _row(target_distribution, np.array([target]), {}))


def request_forgotten() -> Seen:
    settings = {"temperature": 0.5}
    return _request(settings, _row(known("target_distribution", "request_forgotten"), SCORES, settings))


def penalties_forgotten() -> Seen:
    settings = {"frequency_penalty": 0.8}
    wrong = _row(known("target_distribution", "penalties_forgotten"), SCORES, settings, [0, 0])
    return _told(_row(target_distribution, SCORES, settings, [0, 0]), wrong)


def last_token_counted() -> Seen:
    """Three tokens came out of the last round; the counts decide the next row."""
    settings = {"frequency_penalty": 0.8}
    counted = [commit([0, 0, 1])["counts"] for commit in (_commit(commit_round), _commit(known(
        "commit_round", "last_token_counted")))]
    rows = [_row(target_distribution, SCORES, settings, [t for t in counts for _ in range(counts[t])])
            for counts in counted]
    return _told(*rows)


def _commit(function: Callable[..., Any]) -> Callable[[list[int]], Any]:
    return lambda sampled: function(0, [], sampled[:-1], sampled, 99, 99)


def bonus_unmasked() -> Seen:
    """The grammar leaves two tokens at the bonus row."""
    scores, allowed = np.concatenate([SCORES, SCORES]), {"allowed_tokens": [[0, 1, 2, 3], [1, 2]]}
    target = _row(target_distribution, scores, allowed)
    return Seen(target, _row(known("target_distribution", "bonus_row_unmasked"), scores, allowed))


def pad_as_token() -> Seen:
    """Nothing was proposed; the place is filled with token 0, and that is judged with a row it was not drawn from."""
    wrong = _one_step(EDGE, faults.scored_with(EDGE.draft), drawn_from=faults.one_hot(0, 4))
    return Seen(EDGE.target, wrong.law, draft=EDGE.draft)


def pad_residual() -> Seen:
    return Seen(EDGE.target, _one_step(EDGE, faults.nothing_was_proposed).law, draft=EDGE.draft)


def shared_noise() -> Seen:
    exact = shared_noise_ledger(*([Fraction(str(mass)) for mass in row] for row in (NOISE.target, NOISE.draft)))
    rate = float(sum(exact.accepted))
    return Seen(NOISE.target, tuple(map(float, exact.law)), (rate, rate), draft=NOISE.draft)


BLOCK = Pair((0.4, 0.4, 0.2), (0.8, 0.1, 0.1))  # the same two rows after every prefix


def block_token_residual() -> Seen:
    """The law of the second token of a round with two draft tokens."""
    tree = Tree(lambda tokens: BLOCK.target, lambda tokens: BLOCK.draft)
    wrong = [0.0] * len(BLOCK.target)
    for tokens, probability in joint_law(partial(block_verify, token_residual=True), tree, 2).items():
        wrong[tokens[1]] += probability
    return Seen(BLOCK.target, tuple(wrong), draft=BLOCK.draft)


URN = Tree(
    lambda tokens: ((2 + tokens.count(0)) / (4 + len(tokens)), (2 + tokens.count(1)) / (4 + len(tokens))),
    lambda tokens: (0.9, 0.1),
)


def stale_state() -> Seen:
    """A target that takes up what it has read: each token makes itself more likely."""
    return _of_texts(target_law(URN, 2), faults.after_a_stale_state(URN), _pairs(2))


ENDING = Tree(lambda tokens: (0.5, 0.3, 0.2), lambda tokens: (0.4, 0.3, 0.3))


def end_inside() -> Seen:
    wrong = faults.committed_law(speculative_step, known("commit_round", "last_token_only"), ENDING, 2, END)
    right = chain_law(ENDING.target, 3, eos=END)
    names = ("end_1", "end_2", "end_3", "no_end", "goes_on")
    return _of_texts(_by_ending(right), _by_ending(wrong), {(name,): name for name in names})


def _by_ending(law: Law) -> Law:
    found: dict[tuple[Any, ...], Any] = {}
    for text, probability in law.items():
        place = text.index(END) + 1 if END in text else 0
        name = "no_end" if not place else f"end_{place}" if place == len(text) else "goes_on"
        found[(name,)] = found.get((name,), 0.0) + probability
    return found


def _pairs(size: int) -> dict[Tokens, str]:
    return {(one, other): f"pair_{one}{other}" for one in range(size) for other in range(size)}


def _of_texts(target: Law, law: Law, names: Mapping[tuple[Any, ...], str]) -> Seen:
    wanted, got = (tuple(float(one.get(event, 0.0)) for event in names) for one in (target, law))
    return Seen(wanted, got, outcomes=tuple(names.values()))


LAWS: Mapping[str, Callable[[], Seen]] = {
    "greedy_scored": greedy_scored,
    "raw_scores": raw_scores,
    "draft_dropped": lambda: _known_rule("accepts_with_target", "rejected_token_zeroed"),
    "request_forgotten": request_forgotten,
    "softmax_twice": softmax_twice,
    "wrong_row": lambda: _one_step(FOUR, faults.judged_against(ANOTHER_ROW)),
    "argmax_verifier": lambda: _one_step(FOUR, faults.judged_against(faults.one_hot(0, 4))),
    "constant_coin": lambda: _known_rule("always_accepts"),
    "closed_at_zero": lambda: _one_step(EDGE, faults.closed_on_grid(24)),
    "block_token_residual": block_token_residual,
    "shared_noise": shared_noise,
    "coin_reused": lambda: _known_round("coin_reused"),
    "token_zeroed": lambda: _known_rule("rejected_token_zeroed"),
    "softmax_residual": lambda: _known_rule("softmax_of_residual"),
    "residual_floor": lambda: _known_round("residual_floor", EDGE),
    "pad_as_token": pad_as_token,
    "pad_residual": pad_residual,
    "end_inside": end_inside,
    "bonus_unmasked": bonus_unmasked,
    "penalties_forgotten": penalties_forgotten,
    "last_token_counted": last_token_counted,
    "stale_draft_row": lambda: _one_step(FOUR, faults.scored_with(ANOTHER_ROW)),
    "stale_state": stale_state,
}


@functools.cache
def seen(name: str) -> Seen:
    return LAWS[name]()
