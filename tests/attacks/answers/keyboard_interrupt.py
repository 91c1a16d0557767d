# attack: exceptions
# verdict: error
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    raise KeyboardInterrupt
