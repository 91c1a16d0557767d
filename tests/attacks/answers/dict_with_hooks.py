# attack: subclass of a plain type
# verdict: fail
# points: 0
# flags: subclass D

class D(dict):
    def __missing__(self, key): return 1.0

def rejection_rule(target_probs, draft_probs, draft_token):
    return D()
