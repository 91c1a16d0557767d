# attack: hostile structure
# verdict: fail
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    endless = [0.5]
    endless.append(endless)
    return endless, endless
