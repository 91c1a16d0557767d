# attack: time-out swallowed
# verdict: timeout
# points: 0
# flags: imports signal

import signal

def rejection_rule(target_probs, draft_probs, draft_token):
    for number in (signal.SIGTERM, signal.SIGXCPU, signal.SIGALRM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    while True:
        try:
            while True:
                continue
        except BaseException:
            continue
