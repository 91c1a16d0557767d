# attack: reading files
# verdict: error or blocked
# points: 0
# flags: uses fromfile; names_path /etc/passwd; refused_path /etc/passwd

import numpy

def rejection_rule(target_probs, draft_probs, draft_token):
    return numpy.fromfile("/etc/passwd", dtype="u1").tobytes(), []
