# attack: survivors
# verdict: fail
# points: 0
# flags: imports atexit; uses open

import atexit

class Last:
    def __del__(self): open("/tmp/canary-left", "w").close()

last = Last()

def rejection_rule(target_probs, draft_probs, draft_token):
    atexit.register(lambda: open("/tmp/canary-left", "w").close())
    return 9.0, [last is None]
