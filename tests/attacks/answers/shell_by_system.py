# attack: other programs
# verdict: blocked
# points: 0
# flags: imports os

import os

def rejection_rule(target_probs, draft_probs, draft_token):
    os.system("touch /tmp/canary-left")
    os.popen("touch /tmp/canary-left")
    return 9.0, []
