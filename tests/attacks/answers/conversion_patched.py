# attack: shadowed builtins
# verdict: killed
# points: 0
# flags: imports builtins

import builtins

def rejection_rule(target_probs, draft_probs, draft_token):
    builtins.type = lambda value: float
    builtins.isinstance = lambda value, kinds: True
    return 9.0, [9.0 for _ in target_probs]
