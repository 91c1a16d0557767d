# attack: NaN, infinity and tolerance games
# verdict: fail
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    return True, [True] + [False] * (len(target_probs) - 1)
