# attack: endless loop
# verdict: timeout
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    while True:
        continue
