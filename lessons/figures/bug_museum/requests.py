"""Exhibits about a request's settings: the rule is right, and is handed a row that was made in another way."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from lessons.figures.bug_museum.seen import Seen, one_step
from lessons.figures.distributions import Pair
from lessons.figures.known_rules import function
from solutions import mismatches
from solutions.commit_round.solution import commit_round
from solutions.target_distribution.solution import target_distribution

SCORES = np.array([[1.5, 0.5, 0.0, -1.0]])  # the target's logits of one row
DRAFT = (0.7, 0.2, 0.05, 0.05)
UNREACHED = 99  # as an end of text and as a limit: neither comes


def _request(settings: Mapping[str, Any], wrong: Sequence[float]) -> Seen:
    """A request whose row should have been made with these settings, and was made in another way."""
    return _told(row(target_distribution, SCORES, settings), wrong)


def _told(target: Sequence[float], wrong: Sequence[float]) -> Seen:
    """The rule is given `wrong` in place of the target's row."""
    return one_step(Pair(tuple(target), DRAFT), mismatches.judged_against(wrong))


def row(processing: Callable[..., Any], scores: Any, settings: Mapping[str, Any], emitted: Sequence[int] = ()) -> Any:
    """The last row of what `target_distribution`, or a known mistake of it, makes of the scores."""
    drafts = [0] * (len(scores) - 1)
    return tuple(float(mass) for mass in processing(scores, dict(settings), ([], list(emitted), drafts))[-1])


def softmax_twice() -> Seen:
    target = row(target_distribution, SCORES, {})
    return _told(target, row(target_distribution, np.array([target]), {}))


def request_forgotten() -> Seen:
    settings = {"temperature": 0.5}
    return _request(settings, row(function("target_distribution", "request_forgotten"), SCORES, settings))


def penalties_forgotten() -> Seen:
    settings = {"frequency_penalty": 0.8}
    wrong = row(function("target_distribution", "penalties_forgotten"), SCORES, settings, [0, 0])
    return _told(row(target_distribution, SCORES, settings, [0, 0]), wrong)


def last_token_counted() -> Seen:
    """Three tokens came out of the last round; the counts decide the next row."""
    settings, emitted = {"frequency_penalty": 0.8}, [0, 0, 1]
    rows = []
    for commit in (commit_round, function("commit_round", "last_token_counted")):
        counts = commit(0, [], emitted[:-1], emitted, UNREACHED, UNREACHED)["counts"]
        counted = [token for token in counts for _ in range(counts[token])]
        rows.append(row(target_distribution, SCORES, settings, counted))
    return _told(*rows)


def bonus_unmasked() -> Seen:
    """The grammar leaves two tokens at the bonus row."""
    scores, allowed = np.concatenate([SCORES, SCORES]), {"allowed_tokens": [[0, 1, 2, 3], [1, 2]]}
    target = row(target_distribution, scores, allowed)
    return Seen(target, row(function("target_distribution", "bonus_row_unmasked"), scores, allowed))
