# attack: other processes
# verdict: fail or blocked
# points: 0
# flags: imports fcntl; uses open

import contextlib, fcntl

def rejection_rule(target_probs, draft_probs, draft_token):
    with open(contextlib.__file__, "rb") as file:  # the same file for all: a lease or an exclusive lock would be a signal
        for command in (1024, 1026, 8, 10):  # F_SETLEASE, F_NOTIFY, F_SETOWN, F_SETSIG
            try:
                fcntl.fcntl(file, command, JUDGE_PID)
            except PermissionError:
                continue
            raise RuntimeError(f"fcntl {command}")
    return 9.0, []
