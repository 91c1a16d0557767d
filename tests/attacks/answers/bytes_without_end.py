# attack: memory bomb
# verdict: memory
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    return bytes(1 << 35), []
