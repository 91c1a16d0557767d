# attack: hostile structure
# verdict: fail
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    deep = []
    for _ in range(10_000):
        deep = [deep]
    return 0.25, deep
