# attack: system calls
# verdict: fail
# points: 0
# flags: imports ctypes

import ctypes

def rejection_rule(target_probs, draft_probs, draft_token):
    call = ctypes.CDLL(None).syscall
    return 9.0, [call(425, 1, 0), call(321, 0, 0, 0), call(298, 0, 0, 0, -1, 0), call(323, 0), call(250, 0, 0, 0)]
