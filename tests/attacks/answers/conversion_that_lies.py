# attack: subclass of a plain type
# verdict: fail
# points: 0
# flags: own_comparison Chameleon.__float__

import numpy as np

class Chameleon:
    def __array__(self, dtype=None, copy=None): return np.array([1.0, 0.0])
    def __float__(self): return 0.5
    def __index__(self): return 1

def rejection_rule(target_probs, draft_probs, draft_token):
    return Chameleon(), Chameleon()
