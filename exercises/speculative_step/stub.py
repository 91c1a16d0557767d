import numpy as np


def speculative_step(
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
    final_draw: a uniform in [0, 1) for the one token that is drawn here.
    float16 and float32 inputs are upcast to float64 before any sum.
    Returns the token ids: the draft tokens that stay, and one that is
    drawn, from the residual or from the bonus row.
    Raises ValueError where an input has the wrong shape or is no
    probability distribution, token id or uniform.
    Source: Leviathan et al., arXiv 2211.17192, algorithm 1.
    """
    draft_tokens, target_rows, draft_rows, coins = checked_round(
        draft_tokens, target_rows, draft_rows, coins, final_draw
    )
    K, V = draft_rows.shape

    # the probability of each draft token: (K,) each
    target_mass = target_rows[np.arange(K), draft_tokens]
    draft_mass = draft_rows[np.arange(K), draft_tokens]
    # (K,) booleans: does draft token k pass its own test?
    passes = ______

    # kept: how many draft tokens stay
    ______

    # row: (V,) probabilities, the law of the one token that is drawn here
    if kept == K:
        row = ______
    else:
        ______

    # token: drawn from row, with final_draw
    ______

    emitted = ______
    return [int(one) for one in emitted]


def speculative_step_verification(
    draft_tokens: np.ndarray,
    p_probs: np.ndarray,
    q_probs: np.ndarray,
    rng: np.random.Generator | int | None = None,
) -> list[int]:
    """The same round with random numbers of its own, and without a bonus row: at most K tokens come out.

    draft_tokens: (K,) token ids. p_probs, q_probs: (K, V) probabilities
    of the target model and of the draft model.
    rng: a generator, a seed for one, or None. It gives K coins, then the
    final draw.
    """
    K = len(draft_tokens)
    if K == 0:
        return []
    rng = np.random.default_rng(rng)
    coins, final_draw = rng.random(K), rng.random()
    target_rows = np.concatenate([p_probs, p_probs[-1:]])
    return speculative_step(draft_tokens, target_rows, q_probs, coins, final_draw)[:K]


def checked_round(
    draft_tokens: np.ndarray,
    target_rows: np.ndarray,
    draft_rows: np.ndarray,
    coins: np.ndarray,
    final_draw: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The four arrays, token ids as int64 and the rows as float64. Raises ValueError as `speculative_step` says."""
    draft_tokens = np.asarray(draft_tokens)
    target_rows = np.asarray(target_rows, dtype=np.float64)
    draft_rows = np.asarray(draft_rows, dtype=np.float64)
    coins = np.asarray(coins)  # as they are: times a float64 mass they are float64
    K = draft_tokens.size
    V = target_rows.shape[-1] if target_rows.ndim else 0
    for name, part, shape in (
        ("draft_tokens", draft_tokens, (K,)),
        ("target_rows", target_rows, (K + 1, V)),
        ("draft_rows", draft_rows, (K, V)),
        ("coins", coins, (K,)),
    ):
        if part.shape != shape:
            raise ValueError(f"{name} has shape {part.shape}; with K = {K} and V = {V} it must be {shape}")
    if K and draft_tokens.dtype.kind not in "iu":
        raise ValueError(f"draft_tokens holds {draft_tokens.dtype}; a token id is an integer")
    draft_tokens = draft_tokens.astype(np.int64)
    for k, token in enumerate(draft_tokens):
        if not 0 <= token < V:
            raise ValueError(f"draft_tokens[{k}] is {token}; a token id must be from 0 to {V - 1}")
    for name, rows in (("target", target_rows), ("draft", draft_rows)):
        for k, row in enumerate(rows):
            if not np.all(row >= 0.0):
                bad = int(np.argmin(row >= 0.0))
                place = f"{name} row {k} has {row[bad]} for token {bad}"
                raise ValueError(f"{place}; a probability must be a number that is not negative")
            if not abs(row.sum() - 1.0) <= 1e-6:
                raise ValueError(f"{name} row {k} sums to {row.sum()}; probabilities must sum to 1 (within 1e-6)")
    uniforms = {f"coins[{k}]": u for k, u in enumerate(coins)} | {"final_draw": final_draw}
    for name, u in uniforms.items():
        if not 0.0 <= u < 1.0:
            raise ValueError(f"{name} is {u}; a uniform must be at least 0 and below 1")
    return draft_tokens, target_rows, draft_rows, coins
