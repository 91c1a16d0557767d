# attack: output flood
# verdict: output-limit
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    return "x" * (8 << 20), []
