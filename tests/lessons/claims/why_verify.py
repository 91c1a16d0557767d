"""What “Why verify” claims: the times of one pass, the look-up, the two drafts, and what others have measured."""
from __future__ import annotations

import numpy as np

from solutions.expected_tokens.solution import expected_tokens, speedup
from solutions.rejection_rule.solution import rejection_rule
from solutions.speculative_step.solution import speculative_step
from tests.lessons.claims.kinds import Claim, Computed, Sourced, Written

WEIGHTS, BYTES_A_WEIGHT, OPERATIONS_A_WEIGHT = 8e9, 2, 2  # the lesson's example
BANDWIDTH, OPERATIONS = 3.35e12, 989e12  # NVIDIA's data sheet of the H100 SXM: bytes a second; dense, 16 bits
BYTES = WEIGHTS * BYTES_A_WEIGHT
READING, CALCULATING = BYTES / BANDWIDTH, WEIGHTS * OPERATIONS_A_WEIGHT / OPERATIONS  # seconds
STUDY = "2601.11580"
K = 4


def rows_of_a_round() -> int:
    """How many target rows the engine asks for: with fewer or more it refuses the round."""
    for rows in range(1, 2 * K):
        try:
            emitted(np.zeros(K), rows)
        except ValueError:
            continue
        return rows
    raise AssertionError("no number of rows suits the engine")


def emitted(coins: np.ndarray, rows: int = K + 1) -> int:
    """Tokens of a round whose drafts each have the draft probability 1 and the target probability a half."""
    target, draft = np.full((rows, 2), 0.5), np.tile([1.0, 0.0], (K, 1))
    return len(speculative_step(np.zeros(K, dtype=int), target, draft, coins, 0.5))


def look_up() -> tuple[float, list[float]]:
    """The copied token is certain: its draft probability is 1."""
    return rejection_rule([0.7, 0.3], [0.0, 1.0], 1)


CLAIMS: dict[str, Claim] = {
    "h100_rates": Sourced("nvidia.com/en-us/data-center/h100"),
    "gigabytes_a_pass": Computed(lambda: BYTES / 1e9),
    "reading_ms": Computed(lambda: 1e3 * READING),
    "calculating_ms": Computed(lambda: 1e3 * CALCULATING),
    "reading_over_calculating": Computed(lambda: READING / CALCULATING),
    "look_up_kept": Computed(lambda: look_up()[0]),
    "look_up_residual": Written(lambda: "$(" + ", ".join(f"{mass:g}" for mass in look_up()[1]) + ")$"),
    "slow_tokens": Computed(lambda: expected_tokens(0.9, K)),
    "slow_time": Computed(lambda: expected_tokens(0.9, K) / speedup(0.9, K, 0.6)),
    "slow_draft": Computed(lambda: speedup(0.9, K, 0.6)),
    "fast_tokens": Computed(lambda: expected_tokens(0.7, K)),
    "fast_time": Computed(lambda: expected_tokens(0.7, K) / speedup(0.7, K, 0.1)),
    "fast_draft": Computed(lambda: speedup(0.7, K, 0.1)),
    "measured_alone": Sourced(STUDY, 1.96),
    "measured_in_a_batch": Sourced(STUDY, 1.21),
    "sampling_share": Sourced(STUDY, 0.017),
    "rows_in_the_time_of_reading": Computed(lambda: READING / CALCULATING),
    "quiz_rows": Computed(rows_of_a_round),
    "quiz_emitted": Computed(lambda: emitted(np.array([0.1, 0.2, 0.9, 0.1]))),
    "quiz_sampling_share": Sourced(STUDY, 0.017),
}
