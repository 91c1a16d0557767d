# attack: sys.exit
# verdict: error
# points: 0
# flags: none

import sys

def rejection_rule(target_probs, draft_probs, draft_token):
    sys.exit(0)
