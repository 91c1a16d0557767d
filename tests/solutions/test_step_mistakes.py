"""The mistakes of speculative_step: what their messages quote is true, and a mistake is known however it is written."""
from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from grader.catalogue import Mistake, load
from grader.known_mistakes import match, solution_blanks, wrong_function
from tests.solutions.round_numbers import emitted_by

EXERCISE = load("speculative_step")
TOKENS = re.compile(r"\[\d+(?:, \d+)*\]")
WITH_COINS = re.compile(r"(?:coins|硬币为) (\[[\d., ]+\])")
COINS = ("[0.4, 0.3]", "[0.4, 0.5]", "[0.7, 0.1]")


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_tokens_in_messages_come_out_of_the_visible_round(mistake: Mistake) -> None:
    """Every list of tokens is what the wrong or the right function emits with the coins that the message speaks of."""
    wrong, right = emitted_by(wrong_function(EXERCISE, mistake)), emitted_by(EXERCISE.solution)
    for text in mistake.message:
        lists = [json.loads(found) for found in TOKENS.findall(text)]
        spoken_of = [COINS.index(coins) for coins in WITH_COINS.findall(text)]
        assert bool(lists) <= bool(spoken_of)
        assert all(any(tokens in (wrong[at], right[at]) for at in spoken_of) for tokens in lists)
        assert not lists or any(wrong[at] in lists and wrong[at] != right[at] for at in spoken_of)


def test_both_languages_quote_the_same_tokens() -> None:
    for mistake in EXERCISE.mistakes:
        assert sorted(TOKENS.findall(mistake.message.en)) == sorted(TOKENS.findall(mistake.message.zh))


def recognised(blanks: dict[str, str], preamble: str = "") -> list[str]:
    space: dict[str, Any] = {}
    exec(EXERCISE.fill(solution_blanks(EXERCISE) | blanks, preamble), space)
    return [mistake.id for mistake in match(EXERCISE, space["speculative_step"])]


@pytest.mark.parametrize("epsilon", ["1e-5", "1e-8", "1e-12", "1e-20"])
@pytest.mark.parametrize(
    ("blank", "written", "mistake"),
    [
        ("passes", "coins < target_mass / (draft_mass + EPSILON)", "ratio_epsilon"),
        ("passes", "coins < np.minimum(1.0, target_mass / np.maximum(draft_mass, EPSILON))", "ratio_epsilon"),
        (
            "residual",
            "row = np.maximum(target_rows[kept] - draft_rows[kept], EPSILON)\nrow = row / row.sum()",
            "residual_floor",
        ),
        (
            "residual",
            "row = np.maximum(target_rows[kept] - draft_rows[kept], 0) + EPSILON\nrow = row / row.sum()",
            "residual_floor",
        ),
    ],
)
def test_any_usual_epsilon_is_recognised(epsilon: str, blank: str, written: str, mistake: str) -> None:
    assert recognised({blank: written.replace("EPSILON", epsilon)}) == [mistake]


@pytest.mark.parametrize(
    ("blank", "written", "mistake"),
    [
        ("passes", "~(coins * draft_mass > target_mass)", "closed_comparison"),
        ("passes", "target_mass > 0", "coin_ignored"),
        ("passes", "coins[0] * draft_mass < target_mass if K else np.array([], bool)", "one_coin"),
        ("passes", "[t == row.argmax() for t, row in zip(draft_tokens, target_rows)]", "greedy_match"),
        ("kept", "kept = sum(passes)", "counts_all_passes"),
        ("kept", "kept = len(draft_tokens)", "all_kept"),
        ("kept", "kept = K if np.min(passes) else int(np.argmin(passes))", "crashes_without_drafts"),
        ("kept", "kept = max([k + 1 for k in range(K) if passes[k]], default=0)", "last_success"),
        ("bonus", "target_rows[-2 if K else -1]", "bonus_from_row_before"),
        ("residual", "row = target_rows[kept].copy()", "from_target"),
        (
            "residual",
            "row = np.maximum(target_rows[kept] - draft_rows[kept], 0)\n"
            "row = row / row.sum() if row.any() else np.eye(V)[0]",
            "no_fallback",
        ),
        ("token", "token = int(np.argmax(np.append(np.cumsum(row) > final_draw, True)))", "beyond_the_last"),
        ("token", "token = int(row.argmax())", "always_argmax"),
        ("emitted", "draft_tokens[:kept].tolist() + ([token] if kept < K else [])", "no_bonus"),
        ("emitted", "draft_tokens.tolist()[:kept] + [token] + draft_tokens.tolist()[kept + 1:]", "replaced_in_place"),
    ],
)
def test_a_mistake_written_in_another_way_is_recognised(blank: str, written: str, mistake: str) -> None:
    assert recognised({blank: written}) == [mistake]


@pytest.mark.parametrize(
    ("blanks", "mistakes"),
    [
        (
            {"passes": "coins * draft_mass <= target_mass", "bonus": "draft_rows[K - 1]"},
            ["closed_comparison", "bonus_from_draft"],
        ),
        (
            {"kept": "kept = K", "emitted": "draft_tokens[:kept] if kept == K else [*draft_tokens[:kept], token]"},
            ["all_kept", "no_bonus"],
        ),
        (
            {"residual": "row = target_rows[kept]", "token": "token = row.argmax()"},
            ["from_target", "always_argmax"],
        ),
    ],
)
def test_mistakes_in_two_blanks_are_named_one_by_one(blanks: dict[str, str], mistakes: list[str]) -> None:
    assert recognised(blanks) == mistakes


def test_every_mutant_of_the_table_is_a_known_mistake_or_a_tried_wrong_answer() -> None:
    tried = tomllib.loads((Path(__file__).parent / "answers/speculative_step.toml").read_text("utf-8"))["wrong"]
    found = [mutant for mistake in EXERCISE.mistakes for mutant in mistake.mutants]
    found += [mutant for answer in tried for mutant in answer.get("mutants", ())]
    assert sorted(found) == [f"M{number:02}" for number in range(1, 48)]
