import numpy as np


def bug_hunt_kernel(
    draft_tokens: np.ndarray,
    target_rows: np.ndarray,
    draft_rows: np.ndarray,
    coins: np.ndarray,
    final_draw: float,
) -> list[int]:
    """One verification round: K draft tokens are judged, and 1 to K + 1 tokens come out.

    draft_tokens: (K,) token ids; K may be 0.
    target_rows: (K + 1, V) probabilities; the last row is the bonus row.
    draft_rows: (K, V) probabilities, the laws that the draft tokens were
    drawn from.
    coins: (K,) uniforms in [0, 1); coins[k] judges draft_tokens[k].
    final_draw: a uniform in [0, 1) for the one token that is drawn here:
    the first whose cumulative probability is greater.
    Returns the token ids: the draft tokens that stay, and one that is
    drawn. The caller has checked the inputs; the rows are float64.
    """
    ______
