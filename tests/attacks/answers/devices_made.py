# attack: system calls
# verdict: blocked
# points: 0
# flags: imports os; uses open; names_path /dev/mem

import os

def rejection_rule(target_probs, draft_probs, draft_token):
    os.mknod("canary-device", 0o20666, os.makedev(1, 1))
    return 9.0, [open("/dev/mem", "rb").read(1)]
