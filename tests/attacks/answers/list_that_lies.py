# attack: subclass of a plain type
# verdict: fail
# points: 0
# flags: own_comparison L.__eq__

class L(list):
    def __eq__(self, other): return True
    def __getitem__(self, index): return 1.0
    def __iter__(self): return iter([1.0, 0.0])
    def __len__(self): return 2

def rejection_rule(target_probs, draft_probs, draft_token):
    return 0.9, L()
