# attack: segmentation fault
# verdict: timeout or killed or memory or error
# points: 0
# flags: none

import sys

def rejection_rule(target_probs, draft_probs, draft_token):
    sys.setrecursionlimit(10**9)
    return rejection_rule(target_probs, draft_probs, draft_token)
