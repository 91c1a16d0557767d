# attack: exceptions
# verdict: error
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    raise StopIteration((0.5, [1.0, 0.0]))
