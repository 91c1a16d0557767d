# attack: reading the answers
# verdict: fail
# points: 0
# flags: imports glob

import glob

def rejection_rule(target_probs, draft_probs, draft_token):
    found = []
    for pattern in ("../../solutions/*/*.py", "tests/*", "/autograder/*", COURSE_FOLDER + "/*", COURSE_FOLDER + "/*/*"):
        found += glob.glob(pattern)
    return 9.0, found
