# attack: other programs
# verdict: blocked
# points: 0
# flags: imports subprocess

import subprocess

def rejection_rule(target_probs, draft_probs, draft_token):
    return subprocess.run(["/bin/sh", "-c", "env; id"], capture_output=True, text=True).stdout, []
