"""What “Many tokens” claims, computed by the engine."""
from __future__ import annotations

import math
from functools import partial

from lessons.figures.known_rules import CORRECT
from lessons.figures.prefix_tree.laws import State, laws
from solutions.expected_tokens.solution import expected_tokens
from tests.lessons.claims.kinds import Claim, Computed

ALPHA = 0.8
WRONG = {
    "goes_on": "replaced_in_place",
    "one_coin": "one_coin",
    "after": "bonus_after_rejection",
    "before": "bonus_from_row_before",
    "counts": "counts_all_passes",
    "from_target": "from_target",
}


def apart(rule: str, count: int, tables: str = "own") -> float:
    """The total variation distance of the law of `count` tokens from the target's."""
    return laws(State(tables, rule)).apart[count - 1]


def proposed(alpha: float, K: int) -> float:
    """The accepted share of the proposed draft tokens: all tokens of a round but one are accepted drafts."""
    return (expected_tokens(alpha, K) - 1.0) / K


def tokens(rule: str) -> float:
    """How many tokens a round of the figure's own rows emits on average."""
    return laws(State("own", rule)).tokens


def alpha_of(share: float, K: int) -> float:
    """The acceptance rate at which this share of the proposed draft tokens is accepted."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if proposed(middle, K) < share else (low, middle)
    return low


def place(i: int) -> float:
    """The share of rounds in which draft token i is accepted: what a round gains by it."""
    return expected_tokens(ALPHA, i) - expected_tokens(ALPHA, i - 1)


TOKENS = {str(K): K for K in (1, 2, 4, 8, 16)} | {"limit": math.inf}

CLAIMS: dict[str, Claim] = {
    f"{short}_{count}": Computed(partial(apart, rule, count)) for short, rule in WRONG.items() for count in (1, 2, 3)
}
CLAIMS |= {f"{short}_same": Computed(partial(apart, WRONG[short], 3, "same")) for short in ("after", "before")}
CLAIMS |= {
    "no_bonus_3": Computed(lambda: max(laws(State("own", "no_bonus")).apart)),
    "no_bonus_tokens": Computed(partial(tokens, "no_bonus")),
    "right_tokens": Computed(partial(tokens, CORRECT)),
}
CLAIMS |= {f"tokens_{name}": Computed(partial(expected_tokens, ALPHA, K)) for name, K in TOKENS.items()}
CLAIMS |= {f"passes_{name}": Computed(lambda K=K: 1 / expected_tokens(ALPHA, K)) for name, K in TOKENS.items()}
CLAIMS |= {
    "box_tokens": Computed(lambda: expected_tokens(ALPHA, 4)),
    "box_passes": Computed(lambda: 1 / expected_tokens(ALPHA, 4)),
    "box_limit": Computed(lambda: 1 / expected_tokens(ALPHA, math.inf)),
    "box_times": Computed(lambda: expected_tokens(ALPHA, math.inf) / expected_tokens(ALPHA, 4)),
    "proposed_4": Computed(lambda: proposed(ALPHA, 4)),
    "proposed_8": Computed(lambda: proposed(ALPHA, 8)),
    "length_4": Computed(lambda: expected_tokens(ALPHA, 4)),
    "length_8": Computed(lambda: expected_tokens(ALPHA, 8)),
    "place_4": Computed(lambda: place(4)),
    "quiz_alpha": Computed(lambda: alpha_of(0.42, 8)),
    "quiz_unjudged": Computed(lambda: 8 - expected_tokens(alpha_of(0.42, 8), 7)),  # judged: the accepted of 7, and one
}
