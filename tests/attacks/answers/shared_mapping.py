# attack: memory bomb
# verdict: error or memory
# points: 0
# flags: imports mmap

import mmap

def rejection_rule(target_probs, draft_probs, draft_token):
    return 9.0, [mmap.mmap(-1, 1 << 36)]
