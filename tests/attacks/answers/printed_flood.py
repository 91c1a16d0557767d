# attack: output flood
# verdict: output-limit
# points: 0
# flags: none

def rejection_rule(target_probs, draft_probs, draft_token):
    for _ in range(10_000):
        print("\x1b[2J\r\0" * 500)
    return 9.0, []
