# attack: fork and thread bomb
# verdict: blocked or memory or fail
# points: 0
# flags: imports threading; thread

import threading, time

def rejection_rule(target_probs, draft_probs, draft_token):
    for _ in range(1000):
        threading.Thread(target=time.sleep, args=(99,), daemon=True).start()
    return 9.0, []
