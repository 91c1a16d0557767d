# attack: os._exit
# verdict: killed
# points: 0
# flags: imports os

import os

def rejection_rule(target_probs, draft_probs, draft_token):
    os.abort()
