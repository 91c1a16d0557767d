# attack: network
# verdict: blocked
# points: 0
# flags: imports socket

import socket

def rejection_rule(target_probs, draft_probs, draft_token):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0" + CANARY_NAME)
    return 9.0, []
