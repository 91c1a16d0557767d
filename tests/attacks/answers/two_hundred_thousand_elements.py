# attack: hostile structure
# verdict: fail
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    return 0.25, [0] * 200_000
