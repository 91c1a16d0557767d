"""The exact law of one round of verification with K draft tokens, for the right verifier and for any wrong one.

The theorem: whatever the draft is, the emitted tokens, completed by plain sampling from the target to K + 1 tokens,
have the target's own law. It is checked with tables that depend on the tokens so far; with the same row everywhere, a
verifier that mixes up its rows would pass. Source: Leviathan et al., arXiv 2211.17192, appendix A.1.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from solutions.law import total_variation
from solutions.symbolic import array_of, outcomes
from solutions.trees import Round, Tokens, Tree, chain_law, rounds

Law = dict[tuple[Any, ...], Any]
"""Tokens -> probability. Probabilities are exact where the tree has Fractions, else exact up to rounding."""

Verifier = Callable[..., Any]
"""(draft_tokens, target_rows, draft_rows, coins, final_draw) -> the emitted tokens, a sequence of integers.

Shapes: (K,), (K + 1, V), (K, V), (K,), scalar.
"""

BROKEN = -1  # stands for every token that a wrong verifier leaves undecided


def emitted_law(verifier: Verifier, tree: Tree, length: int) -> Law:
    """The law of the tokens that one round of `length` = K draft tokens emits: the draft's choices and all uniforms.

    The verifier is run in this process with symbolic uniforms: it may scale, shift and compare them, and draw with
    searchsorted, argmax, bisect or a loop. Raises solutions.symbolic.NotTraceable where it does more; the functions of
    solutions.scripted take any verifier. The error is rounding only, below 1e-12 for V**K up to some thousand.
    """
    law: defaultdict[tuple[Any, ...], Any] = defaultdict(int)
    for given in rounds(tree, length):
        for outcome in outcomes(partial(emitted_by, verifier, given), length + 1):
            law[outcome.value] += given.probability * outcome.probability
    return dict(law)


def joint_law(verifier: Verifier, tree: Tree, length: int) -> Law:
    """The law of K + 1 tokens: those that one round emits, completed by plain sampling from the target."""
    return completed(emitted_law(verifier, tree, length), tree, length + 1)


def completed(law: Mapping[tuple[Any, ...], Any], tree: Tree, count: int) -> Law:
    """The law of `count` tokens: those given, cut or completed by plain sampling from the target.

    After something that is no token (a wrong verifier's -1, or V) nothing can be sampled: BROKEN stands for the rest.
    """
    size = len(tree.target(()))
    whole: defaultdict[tuple[Any, ...], Any] = defaultdict(int)
    for tokens, probability in law.items():
        start = tokens[:count]
        if all(0 <= token < size for token in start):
            ways: Mapping[tuple[Any, ...], Any] = chain_law(tree.target, count - len(start), start)
        else:
            ways = {(*start, *[BROKEN] * (count - len(start))): 1}
        for way, share in ways.items():
            whole[way] += probability * share
    return dict(whole)


def target_law(tree: Tree, count: int) -> dict[Tokens, Any]:
    """The law of `count` tokens that are sampled from the target one by one: what `joint_law` has to be."""
    return chain_law(tree.target, count)


def length_law(law: Mapping[tuple[Any, ...], Any]) -> dict[int, Any]:
    """How likely each number of emitted tokens is. A lossless verifier may still be slow; only this law shows it."""
    lengths: defaultdict[int, Any] = defaultdict(int)
    for tokens, probability in law.items():
        lengths[len(tokens)] += probability
    return dict(sorted(lengths.items()))


def distance(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> float:
    """The total variation distance of two laws given as dictionaries; what is missing has probability 0."""
    events = list({**one, **other})
    return total_variation([one.get(event, 0) for event in events], [other.get(event, 0) for event in events])


def emitted_by(verifier: Verifier, given: Round, uniforms: Sequence[Any]) -> tuple[int, ...]:
    """What the verifier emits in this round. uniforms: the K coins and the final draw, symbolic ones or floats.

    It gets arrays of its own: one that writes into them must not spoil the next run.
    """
    arrays = (given.draft_tokens.copy(), given.target_rows.copy(), given.draft_rows.copy())
    return tuple(int(token) for token in verifier(*arrays, array_of(uniforms[:-1]), uniforms[-1]))
