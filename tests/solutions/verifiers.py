"""One round of verification as plain loops, right and wrong, for the tests of the engine. Fractions stay Fractions."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from solutions.draws import accepts, pick

Part = Callable[[Any, Any], Any]


def missing(wanted: Any, offered: Any) -> Any:
    return max(wanted - offered, 0)


def shares(masses: Sequence[Any], fallback: Sequence[Any]) -> list[Any]:
    total = sum(masses)
    return [mass / total for mass in masses] if total else list(fallback)


def with_residual(part: Part) -> Callable[..., list[int]]:
    """The right verifier, but for what it draws from after a rejection: `part(target, draft)` of each token."""

    def verify(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
        for k, token in enumerate(drafts):
            if not accepts(coins[k], target[k][token], draft[k][token]):
                return [*drafts[:k], pick(shares(list(map(part, target[k], draft[k])), target[k]), final)]
        return [*drafts, pick(target[len(drafts)], final)]

    return verify


right = with_residual(missing)


def bonus_from_the_draft(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    return right(drafts, [*target[:-1], draft[-1]], draft, coins, final)


def row_before(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    """The residual of the row before: the same where the rows do not depend on the tokens."""
    emitted = right(drafts, target, draft, coins, final)
    k = len(emitted) - 1
    if k == len(drafts) or k == 0:
        return emitted
    return [*emitted[:k], pick(shares(list(map(missing, target[k - 1], draft[k - 1])), target[k - 1]), final)]


def one_coin(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    return right(drafts, target, draft, [coins[0]] * len(coins), final)


def coin_reused(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    """The coin of the rejected token draws its replacement."""
    kept = len(right(drafts, target, draft, coins, final)) - 1
    return right(drafts, target, draft, coins, coins[kept] if kept < len(drafts) else final)


def coin_recycled(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    """The coin of the rejected token, stretched over [0, 1): a uniform again, so the law is right."""
    kept = len(right(drafts, target, draft, coins, final)) - 1
    if kept == len(drafts):
        return right(drafts, target, draft, coins, final)
    accept = target[kept][drafts[kept]] / draft[kept][drafts[kept]]
    return right(drafts, target, draft, coins, (coins[kept] - accept) / (1 - accept))


def no_bonus(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    return right(drafts, target, draft, coins, final)[: len(drafts)]


def target_only(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    """Accepts with the target's probability: lossless, but it accepts less."""
    for k, token in enumerate(drafts):
        if not coins[k] < target[k][token]:
            others = [mass if other != token else 0 for other, mass in enumerate(target[k])]
            return [*drafts[:k], pick(shares(others, target[k]), final)]
    return [*drafts, pick(target[len(drafts)], final)]


def keeps_going(drafts: Any, target: Any, draft: Any, coins: Any, final: Any) -> list[int]:
    """Leaves rejected tokens out, and goes on with the next."""
    kept = [x for k, x in enumerate(drafts) if accepts(coins[k], target[k][x], draft[k][x])]
    return [*kept, pick(target[len(drafts)], final)]
