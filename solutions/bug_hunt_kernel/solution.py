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
    def draw(weights: np.ndarray) -> int:
        cumulative = np.cumsum(weights / weights.sum())
        index = int(np.searchsorted(cumulative, final_draw, side="right"))
        return min(index, int(np.flatnonzero(weights)[-1]))

    num_drafts = len(draft_tokens)
    positions = np.arange(num_drafts)
    p = target_rows[positions, draft_tokens]
    q = draft_rows[positions, draft_tokens]

    # Accept each draft token with probability min(1, p / q).
    accepted = coins * q < p
    num_accepted = int(np.cumprod(accepted).sum())
    output = [int(token) for token in draft_tokens[:num_accepted]]

    # At the first rejection, recover a token from the residual.
    if num_accepted < num_drafts:
        residual = np.maximum(target_rows[num_accepted] - draft_rows[num_accepted], 0.0)
        if residual.sum() > 0.0:
            recovered = draw(residual)
        else:
            recovered = draw(target_rows[num_accepted])
        output.append(recovered)
    else:
        output.append(draw(target_rows[num_drafts]))
    return output
