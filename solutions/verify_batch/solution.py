import torch


def verify_batch(
    draft_tokens: torch.Tensor,
    target_rows: torch.Tensor,
    draft_rows: torch.Tensor,
    lengths: torch.Tensor,
    coins: torch.Tensor,
    final_draws: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Verify the draft tokens of B requests in one call, on the device of its tensors.

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
    Rows may be float64, float32, bfloat16 or float16.
    Raises ValueError where the inputs don't fit together.
    Source: Leviathan et al., arXiv 2211.17192, algorithm 1.
    """
    check_batch(draft_tokens, target_rows, draft_rows, lengths, coins, final_draws)
    requests = torch.arange(len(lengths), device=lengths.device)
    drafts = torch.arange(len(draft_tokens), device=lengths.device)

    # Where each request's rows begin: draft_starts, target_starts, (B,) int64
    draft_starts = lengths.cumsum(dim=0) - lengths
    target_starts = draft_starts + requests

    # Of each draft token: its request, and its position there, from 0
    owner = requests.repeat_interleave(lengths)
    position = drafts - draft_starts[owner]

    # Of each draft token: whether its coin lets it stay, (sum K_b,) bool
    accepted = coins * draft_rows[drafts, draft_tokens] < target_rows[target_starts[owner] + position, draft_tokens]

    # Of each request: how many stay, up to its first rejection, (B,) int64
    run = lengths.scatter_reduce(0, owner, torch.where(accepted, lengths[owner], position), "amin")

    # Of each request: what its last token is drawn from, weights, (B, V)
    # float64; they need not sum to 1
    weights = target_rows[target_starts + run].double()
    stopped = run < lengths
    residual = (weights[stopped] - draft_rows[(draft_starts + run)[stopped]].double()).clamp(min=0)
    weights[stopped] = torch.where(residual.sum(dim=1, keepdim=True) > 0, residual, weights[stopped])

    # Of each request: its last token, final_tokens, (B,) int64, by inverse
    # CDF; the draws as a column, (B, 1)
    draws = final_draws[:, None]
    cumulative = weights.cumsum(dim=1) * (weights > 0)
    total = cumulative.amax(dim=1, keepdim=True)
    reached = (cumulative > draws * total) | (cumulative == total)
    final_tokens = reached.to(torch.uint8).argmax(dim=1)

    # The results, tokens and counts. A width must be known on the CPU, so
    # here it waits for the device.
    width = int(lengths.max()) + 1
    kept = position < run[owner]
    tokens = draft_tokens.new_full((len(lengths), width), -1)
    tokens[owner[kept], position[kept]] = draft_tokens[kept]
    tokens[requests, run] = final_tokens
    counts = run + 1

    return tokens, counts


def check_batch(
    draft_tokens: torch.Tensor,
    target_rows: torch.Tensor,
    draft_rows: torch.Tensor,
    lengths: torch.Tensor,
    coins: torch.Tensor,
    final_draws: torch.Tensor,
) -> None:
    """Raise ValueError where the tensors of a batch don't fit together, or hold no probabilities, tokens or uniforms.

    A row's sum may be off by the rounding of its own dtype: the root of its epsilon, 1.5e-8 for float64.
    """
    drafts, batch, vocabulary = draft_tokens.numel(), lengths.numel(), target_rows.shape[-1]
    for name, tensor, shape, kind in (
        ("draft_tokens", draft_tokens, (drafts,), torch.int64),
        ("target_rows", target_rows, (drafts + batch, vocabulary), target_rows.dtype),
        ("draft_rows", draft_rows, (drafts, vocabulary), target_rows.dtype),
        ("lengths", lengths, (batch,), torch.int64),
        ("coins", coins, (drafts,), torch.float64),
        ("final_draws", final_draws, (batch,), torch.float64),
    ):
        if tensor.shape != shape:
            fit = f"{drafts} draft tokens of {batch} requests need {shape}"
            raise ValueError(f"{name} has shape {tuple(tensor.shape)}; {fit}")
        if tensor.dtype != kind:
            raise ValueError(f"{name} is {tensor.dtype}; it must be {kind}")
    if batch == 0 or (lengths < 0).any() or lengths.sum() != drafts:
        rule = f"it must hold a count for each request, at least one, and they must sum to {drafts}"
        raise ValueError(f"lengths is {lengths.tolist()}; {rule}")
    for name, tensor, limit in (
        ("draft_tokens", draft_tokens, vocabulary),
        ("coins", coins, 1),
        ("final_draws", final_draws, 1),
    ):
        wrong = ~((tensor >= 0) & (tensor < limit))
        if wrong.any():
            place = int(wrong.nonzero()[0])
            raise ValueError(f"{name}[{place}] is {tensor[place].item()}; it must be at least 0 and below {limit}")
    for name, rows in (("target", target_rows), ("draft", draft_rows)):
        sums, tolerance = rows.sum(dim=1, dtype=torch.float64), torch.finfo(rows.dtype).eps ** 0.5
        wrong = (rows < 0).any(dim=1) | ~((sums - 1).abs() <= tolerance)
        if wrong.any():
            place = int(wrong.nonzero()[0])
            found = f"sums to {sums[place].item()}, its least entry is {rows[place].min().item()}"
            rule = f"probabilities must not be negative and must sum to 1 (within {tolerance:.2g})"
            raise ValueError(f"{name} row {place} {found}; {rule}")
