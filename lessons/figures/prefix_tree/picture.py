"""The drawings of the tree of prefixes, as SVG. Positions only; every number comes from laws.py."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from grader.language import Words
from lessons.figures.frame import number, token_name
from lessons.figures.prefix_tree.laws import DRAFTS, SIZE
from lessons.figures.stepper import rendered
from solutions.trees import Tokens, Tree

BOX = 62  # units that a prefix's box is high, with the gap below it
EQUAL = 1e-9  # the engine's rounding is far below


class Box(NamedTuple):
    """A prefix with its rows; x: where its box begins, y: its upper edge, above: that of the box it hangs on."""

    prefix: Tokens
    target: Sequence[float]
    draft: Sequence[float] | None
    x: int

    @property
    def y(self) -> float:
        return _middle(self.prefix)

    @property
    def above(self) -> float:
        return _middle(self.prefix[:-1])


def sequences(length: int) -> list[Tokens]:
    return list(product(range(SIZE), repeat=length))


def tables(tree: Tree, words: Words) -> str:
    """Every prefix with its rows: the target's, and the draft's where a draft token is judged."""
    boxes = [
        Box(prefix, tree.target(prefix), tree.draft(prefix) if count < DRAFTS else None, 1 + 118 * count)
        for count in range(DRAFTS + 1)
        for prefix in sequences(count)
    ]
    return _render("tables", words, boxes=boxes, height=BOX * SIZE**DRAFTS)


def bars(found: Mapping[Tokens, float], wanted: Mapping[Tokens, float], words: Words, *, compare: bool) -> str:
    """A bar for each sequence; with `compare`, the rule's law against target's marks."""
    length = len(next(iter(wanted)))
    rows = [(tokens, found.get(tokens, 0.0), wanted.get(tokens, 0.0)) for tokens in sequences(length)]
    most = max(max(one, other) for _, one, other in rows)
    return _render(
        "bars", words, rows=rows, compare=compare, along=lambda share: round(336 * share / max(most, 1e-9), 1),
        same=lambda one, other: abs(one - other) < EQUAL,
    )


def _middle(prefix: Tokens) -> float:
    """Where the box of this prefix stands: in the middle of its children's."""
    first = last = 0
    for at in range(DRAFTS):
        token = prefix[at] if at < len(prefix) else None
        first = first * SIZE + (0 if token is None else token)
        last = last * SIZE + (SIZE - 1 if token is None else token)
    return 34 + BOX * (first + last) / 2


def _render(template: str, words: Words, **values: object) -> str:
    return rendered(
        Path(__file__).parent, template, words,
        **values, number=number, spoken=lambda tokens: spoken(tokens, words.language)
    )


def spoken(tokens: Tokens, language: str) -> str:
    """The tokens' words, one after the other; Chinese puts no space between them."""
    return ("" if language == "zh" else " ").join(token_name(token, language) for token in tokens)
