# attack: system calls
# verdict: fail
# points: 0
# flags: imports ctypes

import ctypes

def rejection_rule(target_probs, draft_probs, draft_token):
    call = ctypes.CDLL(None).syscall
    return 9.0, [call(272, 1 << 28), call(165, 0, 0, 0, 0, 0), call(308, 0, 0), call(161, b"/"), call(155, b"/", b"/")]
