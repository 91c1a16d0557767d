# attack: endless loop
# verdict: timeout or memory
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    return 10 ** 10 ** 8, []
