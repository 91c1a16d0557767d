# attack: subclass of a plain type
# verdict: fail
# points: 0
# flags: subclass Probability

class Probability(float):
    """Nothing overridden; still no plain value."""

def rejection_rule(target_probs, draft_probs, draft_token):
    return Probability(0.3), [Probability(0.3) for _ in target_probs]
