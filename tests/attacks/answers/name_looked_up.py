# attack: network
# verdict: blocked
# points: 0
# flags: imports socket

import socket

def rejection_rule(target_probs, draft_probs, draft_token):
    return socket.getaddrinfo("example.org", 80)[0][4][0], []
