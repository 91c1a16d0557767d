# attack: stateful answers
# verdict: fail
# points: 2
# flags: none

calls = [0]

def rejection_rule(target_probs, draft_probs, draft_token):
    calls[0] += 1
    return [0.5, 1.0][min(calls[0] - 1, 1)], [1.0, 0.0]
