# attack: NaN, infinity and tolerance games
# verdict: fail
# points: 0
# flags: none

from decimal import Decimal

def rejection_rule(target_probs, draft_probs, draft_token):
    return Decimal("sNaN"), [Decimal("sNaN") for _ in target_probs]
