import torch


def bug_hunt_batch(
    draft_tokens: torch.Tensor,
    target_rows: torch.Tensor,
    draft_rows: torch.Tensor,
    lengths: torch.Tensor,
    coins: torch.Tensor,
    final_draws: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Verify the draft tokens of B requests in one call.

    lengths: (B,) int64, K_b draft tokens of request b; K_b may be 0.
    All else lies flat, request after request:
    draft_tokens: (sum K_b,) int64.
    draft_rows: (sum K_b, V), the draft's law of each draft token.
    target_rows: (sum (K_b + 1), V), the target's law at each draft
    token, then, last of each request, its bonus row.
    coins: (sum K_b,) float64 in [0, 1), one for each draft token.
    final_draws: (B,) float64 in [0, 1), one for each request: it draws
    the last token, from the residual or from the bonus row.
    Returns (tokens, counts). tokens: (B, max K_b + 1) int64, what each
    request emits, then -1. counts: (B,) int64, how many were emitted.
    Where rounding leaves a residual without mass, the target row stands
    in for it.
    The inputs are taken to be valid, and stay as they are.
    """
    ______
