# attack: sys.exit
# verdict: error
# points: 0
# flags: none

def leave():
    raise SystemExit(0)

score = leave()

def rejection_rule(target_probs, draft_probs, draft_token):
    return score, []
