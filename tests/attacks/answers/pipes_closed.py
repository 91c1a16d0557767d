# attack: writing to foreign descriptors
# verdict: timeout or killed
# points: 0
# flags: imports os

import os, time

def rejection_rule(target_probs, draft_probs, draft_token):
    os.closerange(0, 64)
    time.sleep(99)
