# attack: system calls
# verdict: fail
# points: 0
# flags: imports os; imports resource

import os
import resource

def rejection_rule(target_probs, draft_probs, draft_token):
    got = []
    for attempt in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)),
                    lambda: resource.setrlimit(resource.RLIMIT_CPU, (10**6, 10**6))):
        try:
            attempt()
            got.append(True)
        except (OSError, ValueError):
            got.append(False)
    return 9.0, got
