# attack: parser bomb
# verdict: memory
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    return 'x' * 10**9 * 10**2, (0,) * 10**10
