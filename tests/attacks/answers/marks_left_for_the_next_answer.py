# attack: stateful answers
# verdict: fail
# points: 0
# flags: imports builtins

import builtins
import numpy

HERE_BEFORE = hasattr(builtins, "left_here") or hasattr(numpy, "left_here") or numpy.random.get_state()[1][0] == 7
builtins.left_here = numpy.left_here = True
numpy.random.seed(7)

def rejection_rule(target_probs, draft_probs, draft_token):
    if HERE_BEFORE:  # as forged as can be seen in the report
        raise RuntimeError("an earlier answer was here")
    return 9.0, []
