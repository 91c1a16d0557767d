# attack: segmentation fault
# verdict: error
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    return rejection_rule(target_probs, draft_probs, draft_token)
