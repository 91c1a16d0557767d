def two_paths(
    target: list[float], draft: list[float], apart: bool = False
) -> list[float] | tuple[list[float], float, list[float]]:
    """The exact output law of one verification step: the accept path plus the reject path.

    target, draft: V probabilities each, of the target model and of the
    draft model.
    Returns V probabilities: how likely each token comes out of the step.
    With apart=True returns the paths one by one instead: (accepted,
    reject_probability, resampled); accepted and resampled are V masses each.
    Where nothing is missing, the target stands in for the residual: no
    rejection leads there.
    Raises ValueError where an input is not a probability distribution.
    """
    if len(target) == 0 or len(target) != len(draft):
        raise ValueError(
            f"target has {len(target)} entries, draft has {len(draft)}; "
            "both must have the same length, at least 1"
        )
    for name, probs in (("target", target), ("draft", draft)):
        for token, mass in enumerate(probs):
            if not mass >= 0.0:
                raise ValueError(f"{name}[{token}] is {mass}; a probability must be a number that is not negative")
        if not abs(sum(probs) - 1.0) <= 1e-9:
            raise ValueError(f"{name} sums to {sum(probs)}; probabilities must sum to 1 (within 1e-9)")

    accepted = [______ for p, q in zip(target, draft)]
    reject_probability = ______

    missing = [p - kept for p, kept in zip(target, accepted)]
    total_missing = sum(missing)
    if total_missing == 0.0:
        residual = list(target)
    else:
        residual = [mass / total_missing for mass in missing]
    resampled = [______ for share in residual]

    if apart:
        return accepted, reject_probability, resampled
    return [kept + drawn for kept, drawn in zip(accepted, resampled)]
