"""Exhibits that show only in more than one token: runs that are judged together, states, ends."""
from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from lessons.figures.bug_museum.seen import Seen
from lessons.figures.distributions import Pair
from lessons.figures.known_rules import function
from solutions import state_faults
from solutions.block_verification import block_verify, mean_accepted
from solutions.joint_law import Law, Verifier, emitted_law, joint_law, target_law
from solutions.speculative_step.solution import speculative_step
from solutions.trees import Tokens, Tree, chain_law, everywhere

END = 2  # the token that ends a text
BLOCK = Pair((0.4, 0.4, 0.2), (0.8, 0.1, 0.1))  # the same two rows after every prefix


def block_token_residual() -> Seen:
    """The law of the second token of a round with two draft tokens. The rates are accepted out of drafted."""
    tree = everywhere(BLOCK.target, BLOCK.draft)
    faulty = partial(block_verify, token_residual=True)
    wrong = [0.0] * len(BLOCK.target)
    for tokens, probability in joint_law(faulty, tree, 2).items():
        wrong[tokens[1]] += probability
    return Seen(BLOCK.target, tuple(wrong), (_rate(block_verify, tree), _rate(faulty, tree)), draft=BLOCK.draft)


def _rate(verifier: Verifier, tree: Tree) -> float:
    return float(mean_accepted(emitted_law(verifier, tree, 2))) / 2


URN = Tree(
    lambda tokens: ((2 + tokens.count(0)) / (4 + len(tokens)), (2 + tokens.count(1)) / (4 + len(tokens))),
    lambda tokens: (0.9, 0.1),
)


def stale_state() -> Seen:
    """A target that takes up what it has read: each token makes itself more likely."""
    return _of_texts(target_law(URN, 2), state_faults.after_a_stale_state(URN), _pairs(2))


ENDING = everywhere((0.5, 0.3, 0.2), (0.4, 0.3, 0.3))


def end_inside() -> Seen:
    wrong = state_faults.committed_law(speculative_step, function("commit_round", "last_token_only"), ENDING, 2, END)
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
