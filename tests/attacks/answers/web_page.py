# attack: network
# verdict: blocked
# points: 0
# flags: imports urllib

import urllib.request

def rejection_rule(target_probs, draft_probs, draft_token):
    return urllib.request.urlopen(f"http://127.0.0.1:{CANARY_PORT}/", timeout=0.5).read(), []
