# attack: descriptors used up
# verdict: error
# points: 0
# flags: imports os

import os

def rejection_rule(target_probs, draft_probs, draft_token):
    while True:
        os.dup(0)
