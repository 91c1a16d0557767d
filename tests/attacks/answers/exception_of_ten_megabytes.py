# attack: exceptions
# verdict: error
# points: 0
# flags: none

class Long(Exception):
    def __str__(self): return "x" * 10_000_000

def rejection_rule(target_probs, draft_probs, draft_token):
    raise Long
