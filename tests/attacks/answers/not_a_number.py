# attack: NaN, infinity and tolerance games
# verdict: fail
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    nan = float("nan")
    return nan, [nan for _ in target_probs]
