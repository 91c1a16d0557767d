# attack: network
# verdict: blocked
# points: 0
# flags: imports socket

import socket

def rejection_rule(target_probs, draft_probs, draft_token):
    with socket.create_connection(("127.0.0.1", CANARY_PORT), 0.5) as connection:
        connection.sendall(repr((target_probs, draft_probs)).encode())
    return 9.0, []
