"""The law of whole texts where a round is right, and what is kept of it for the next one is not."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from solutions.commit_round.solution import PADDING
from solutions.joint_law import Law, Verifier, emitted_by
from solutions.rejection_rule.solution import rejection_rule
from solutions.symbolic import outcomes
from solutions.trees import Tokens, Tree, chain_law, rounds


def after_a_stale_state(tree: Tree) -> Law:
    """The law of two tokens where a rejected draft token stays in the model's state: it is read before the next row.

    The first token comes out of an exact step with one draft token; the second is sampled from the target after
    (rejected token, replacement) where there was a rejection.
    """
    target, draft = list(tree.target(())), list(tree.draft(()))
    law: defaultdict[tuple[Any, ...], Any] = defaultdict(int)
    for proposed, mass in enumerate(draft):
        if not mass > 0:
            continue
        accept, residual = rejection_rule(target, draft, proposed)
        starts: list[tuple[Tokens, int, Any]] = [((proposed,), proposed, accept)]
        starts += [((proposed, token), token, (1 - accept) * share) for token, share in enumerate(residual)]
        for state, first, probability in starts:
            for second, share in enumerate(tree.target(state) if probability > 0 else ()):
                law[first, second] += mass * probability * share
    return dict(law)


def committed_law(
    verifier: Verifier, commit: Callable[..., Mapping[str, Any]], tree: Tree, length: int, eos: int
) -> Law:
    """The law of a text of at most K + 1 tokens: one round is verified and committed, then the target goes on alone.

    commit: as solutions.commit_round; where it says that the request is finished, the text ends.
    """
    law: defaultdict[tuple[Any, ...], Any] = defaultdict(int)
    for given in rounds(tree, length):
        for outcome in outcomes(partial(emitted_by, verifier, given), length + 1):
            row = [*outcome.value, *[PADDING] * (length + 1 - len(outcome.value))]
            told = commit(0, [], given.draft_tokens.tolist(), row, eos, length + 2)
            text = tuple(told["emitted"])
            going = told["finish_reason"] is None
            ways = chain_law(tree.target, length + 1 - len(text), text, eos) if going else {text: 1}
            for way, share in ways.items():
                law[way] += given.probability * outcome.probability * share
    return dict(law)
