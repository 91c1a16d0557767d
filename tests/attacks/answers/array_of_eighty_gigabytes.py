# attack: memory bomb
# verdict: memory
# points: 0
# flags: none

import numpy

def rejection_rule(target_probs, draft_probs, draft_token):
    return numpy.ones(10**10), []
