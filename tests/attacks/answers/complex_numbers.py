# attack: NaN, infinity and tolerance games
# verdict: fail
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    return 0.5 + 0j, [1 + 0j, 0j]
