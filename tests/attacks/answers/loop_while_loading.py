# attack: endless loop
# verdict: timeout
# points: 0
# flags: none

def forever():
    while True:
        continue

value = forever()

def rejection_rule(target_probs, draft_probs, draft_token):
    return value, []
