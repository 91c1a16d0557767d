"""What the messages of the exercise speculative_generate quote: its worked runs, and how far off the law is."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from exercises.speculative_generate.checks import ACCEPTED, DRAFT, REJECTED, TARGET
from solutions.joint_law import distance
from solutions.speculative_generate import hidden
from solutions.symbolic import outcomes
from solutions.trees import chain_law

Function = Callable[..., Any]
WORKED = (([0], 2, 3, None, ACCEPTED), ([0], 2, 3, None, REJECTED), ([0], 2, 3, 0, ACCEPTED))
TOKENS, DRAFTS, MOST_UNIFORMS = 3, 2, 40  # a wrong loop may take more uniforms than the right one


def law_of(function: Function, target: Any, draft: Any, eos: int | None = None, tokens: int = TOKENS) -> dict[Any, Any]:
    """The exact law of the texts after the prompt [0]."""
    law: Counter[tuple[int, ...]] = Counter()
    for way in outcomes(lambda u: tuple(function(target, draft, [0], DRAFTS, tokens, eos, u)[0]), MOST_UNIFORMS):
        law[way.value] += way.probability
    return dict(law)


def sampled_law(target: Any, eos: int | None = None, tokens: int = TOKENS) -> dict[Any, Any]:
    """The law of plain sampling from the target."""
    return {text[1:]: mass for text, mass in chain_law(lambda t: target[t[-1]], tokens, (0,), eos).items()}


def numbers_of_generating(function: Function) -> set[float]:
    law = law_of(function, hidden.TARGET, hidden.DRAFT)
    return {distance(law, sampled_law(hidden.TARGET))}


def worked_texts(function: Function) -> list[list[int]]:
    return [function(TARGET, DRAFT, *run)[0] for run in WORKED]
