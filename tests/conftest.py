"""For all tests: torch computes on one thread, as in the isolated processes.

Two threads wait for each other on a machine that is busy, and then small tensors take ten times as long.
"""
from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is imported
