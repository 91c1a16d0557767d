from typing import Any

PADDING = -1  # fills a row up to the length of the batch's longest


def commit_round(
    num_computed_tokens: int,
    output_tokens: list[int],
    draft_tokens: list[int],
    sampled_tokens: list[int],
    eos_token: int,
    max_new_tokens: int,
) -> dict[str, Any]:
    """What scheduler and KV cache note of a request after a verification round.

    num_computed_tokens: how many positions of the request, counted from
    the start of its prompt, had their K/V computed before the round: all
    its tokens but the newest one.
    output_tokens: the tokens emitted so far, without the prompt.
    draft_tokens: the K draft tokens of the round; K may be 0. The target
    has run over the newest token and over all of them, and has written
    the K/V of K + 1 positions.
    sampled_tokens: the verifier's row: the accepted draft tokens, one
    resampled or bonus token, then PADDING; at least K + 1 entries.
    eos_token: ends the request as soon as it is emitted, and is kept.
    max_new_tokens: how many tokens the request may emit in all rounds.
    Returns a dict; every pair of slots is (start, stop), as in range:
    num_sampled, num_rejected: the verifier's count, before any cut.
    num_computed_tokens: corrected by what was rejected, before any cut.
    emitted: the tokens that this round adds to the output.
    finish_reason: "eos", "length", or None while the request goes on.
    output_tokens: the tokens emitted so far and in this round.
    valid_slots: the slots that hold the K/V of the request's own tokens.
    stale_slots: the slots behind them that this round wrote for nothing.
    next_slots: the slots that the next round writes if it has K drafts
    again; None once the request is finished.
    counts: how often each token was emitted, for the penalties.
    Raises ValueError where the arguments contradict each other.
    """
    prompt_length = num_computed_tokens + 1 - len(output_tokens)
    if prompt_length < 1:
        raise ValueError(
            f"num_computed_tokens is {num_computed_tokens} with {len(output_tokens)} output tokens; "
            "a prompt of at least 1 token must be left"
        )
    if len(sampled_tokens) < len(draft_tokens) + 1 or sampled_tokens[0] == PADDING:
        raise ValueError(
            f"sampled_tokens is {sampled_tokens} for {len(draft_tokens)} draft tokens; "
            "it must start with a token and have at least one entry more than draft_tokens"
        )
    if eos_token in output_tokens or len(output_tokens) >= max_new_tokens:
        raise ValueError(f"output_tokens is {output_tokens}; the request has ended before this round")

    scheduled = len(draft_tokens) + 1  # the newest token and every draft token
    # Noted before the round ran, as if every draft token stayed.
    optimistic = num_computed_tokens + scheduled

    num_sampled = ______
    num_rejected = ______
    num_computed = ______

    emitted: list[int] = []
    finish_reason: str | None = None
    ______

    num_tokens = prompt_length + len(output_tokens) + len(emitted)
    ______

    counts: dict[int, int] = {}
    for counted in ______:
        counts[counted] = counts.get(counted, 0) + 1

    return {
        "num_sampled": num_sampled,
        "num_rejected": num_rejected,
        "num_computed_tokens": num_computed,
        "emitted": emitted,
        "finish_reason": finish_reason,
        "output_tokens": [*output_tokens, *emitted],
        "valid_slots": valid_slots,
        "stale_slots": stale_slots,
        "next_slots": next_slots,
        "counts": counts,
    }
