# attack: output flood
# verdict: output-limit
# points: 0
# flags: imports os

import os

def rejection_rule(target_probs, draft_probs, draft_token):
    while True:
        os.write(2, b"x" * 65536)
