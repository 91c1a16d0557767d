def rejection_rule(
    target_probs: list[float], draft_probs: list[float], draft_token: int
) -> tuple[float, list[float]]:
    """The rejection rule for one draft token.

    target_probs, draft_probs: V probabilities each, of the target model
    and of the draft model.
    draft_token: the token drawn from draft_probs, 0 <= draft_token < V.
    Returns (accept_probability, residual): the probability of keeping the
    draft token, and the V probabilities to draw from after a rejection.
    Raises ValueError where an input is not a probability distribution, or
    where the draft token can't have been drawn.
    """
    if len(target_probs) == 0 or len(target_probs) != len(draft_probs):
        raise ValueError(
            f"target_probs has {len(target_probs)} entries, draft_probs has {len(draft_probs)}; "
            "both must have the same length, at least 1"
        )
    for name, probs in (("target_probs", target_probs), ("draft_probs", draft_probs)):
        for token, mass in enumerate(probs):
            if not mass >= 0.0:
                raise ValueError(f"{name}[{token}] is {mass}; a probability must be a number that is not negative")
        if not abs(sum(probs) - 1.0) <= 1e-9:
            raise ValueError(f"{name} sums to {sum(probs)}; probabilities must sum to 1 (within 1e-9)")
    if draft_token not in range(len(draft_probs)):
        raise ValueError(f"draft_token is {draft_token}; it must be an index from 0 to {len(draft_probs) - 1}")
    qx = draft_probs[draft_token]
    if qx == 0.0:
        raise ValueError(f"draft_probs[{draft_token}] is {qx}; a draft token must have positive draft probability")

    accept_probability = min(1.0, target_probs[draft_token] / qx)
    residual_mass = [max(p - q, 0.0) for p, q in zip(target_probs, draft_probs)]

    total_mass = sum(residual_mass)
    if total_mass == 0.0:
        return accept_probability, list(target_probs)
    return accept_probability, [mass / total_mass for mass in residual_mass]
