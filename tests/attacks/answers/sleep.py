# attack: endless loop
# verdict: timeout
# points: 0
# flags: none

import time

def rejection_rule(target_probs, draft_probs, draft_token):
    time.sleep(99)
