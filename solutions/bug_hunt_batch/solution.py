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
    batch, width = len(lengths), int(lengths.max()) + 1
    requests = torch.arange(batch, device=lengths.device)
    target, draft = target_rows.double(), draft_rows.double()

    # where each request's rows begin; of each draft token its request and place
    draft_starts = lengths.cumsum(dim=0) - lengths
    target_starts = (lengths + 1).cumsum(dim=0) - (lengths + 1)
    owner = requests.repeat_interleave(lengths)
    position = torch.arange(len(draft_tokens), device=lengths.device) - draft_starts[owner]

    # the accept test, u * draft < target, for all draft tokens at once
    target_mass = target[target_starts[owner] + position, draft_tokens]
    draft_mass = draft[draft_starts[owner] + position, draft_tokens]
    u = coins[draft_starts[owner] + position]
    accepted = u * draft_mass < target_mass

    # the leading run of each request: up to its first rejection
    run = lengths.scatter_reduce(0, owner, torch.where(accepted, lengths[owner], position), "amin")
    stopped = run < lengths

    # the row of the last token: of the first rejection, or the bonus row
    rows = target_starts + run

    # after a rejection the residual; one without mass falls back to the target row
    weights = target[rows]
    weights[stopped] -= draft[(draft_starts + run)[stopped]]
    weights = weights.clamp(min=0)
    weights = torch.where(weights.sum(dim=1, keepdim=True) > 0, weights, target_rows[rows].double())

    # inverse CDF: the first token whose running sum is greater than the draw,
    # but never one behind the last with mass
    reach = weights.cumsum(dim=1)
    drawn = torch.searchsorted(reach, final_draws[:, None] * reach[:, -1:], right=True).squeeze(1)
    drawn = drawn.minimum((weights > 0).long().cumsum(dim=1).argmax(dim=1))

    # the draft tokens of the run, then the last token
    kept = position < run[owner]
    tokens = draft_tokens.new_full((batch, width), -1)
    tokens[owner[kept], position[kept]] = draft_tokens[kept]
    tokens[requests, run] = drawn
    return tokens, run + 1
